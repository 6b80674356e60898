// The webhooks of the workspace: URLs that are told what happens, and what became of their messages.
import { get, patch, post, remove } from "../../api.js";
import { Confirmation } from "../../components/controls.js";
import { Empty, Failure } from "../../components/states.js";
import { moment, plural } from "../../format.js";
import { Resource, useAction, useResource } from "../../resource.js";
import { useUnsaved } from "../../unsaved.js";
import { html, useState } from "../../view.js";

const EVENTS = [
  ["visibility.changed", "The visibility has changed"],
  ["check.completed", "A check is complete"],
  ["check.partial", "A check has ended with open questions"],
  ["recommendation.created", "There are new recommendations"],
  ["recommendation.outcome", "Completed tasks can be judged"],
  ["provider.paused", "Checks wait for a provider"],
  ["credits.low", "The credits run low"],
  ["webhook.disabled", "Another webhook is disabled"],
];
const FORMATS = [["json", "JSON, signed"], ["slack", "Slack"], ["teams", "Microsoft Teams"]];
const eventName = (id) => EVENTS.find(([known]) => known === id)?.[1] ?? "A test";

export function Webhooks({ entity }) {
  const webhooks = useResource((signal) => get("/webhooks", {}, signal), []);
  const [secret, setSecret] = useState(null);
  const [isCreating, setCreating] = useState(false);
  const action = useAction();
  const create = async (body) => {
    const done = await action.run(async () => setSecret((await post("/webhooks", body)).secret));
    if (done) { setCreating(false); webhooks.reload(); }
  };
  return html`<section class="card"><header><h3>Webhooks</h3></header>
    <p class="muted small">A webhook is a URL that is told what happens in the workspace. Its messages are signed with its secret.</p>
    ${secret && html`<div class="notice" role="status"><p>The secret is shown only now:</p><p><code>${secret}</code></p><div class="row"><button onClick=${() => setSecret(null)}>I have kept it</button></div></div>`}
    <${Resource} of=${webhooks}>${({ data }) => html`${data.length === 0 && html`<${Empty}>There are no webhooks.<//>`}<ul class="stack">${data.map((webhook) => html`<${Webhook} key=${webhook.id} webhook=${webhook} reload=${webhooks.reload} show=${setSecret} />`)}</ul>`}<//>
    <div class="row"><button aria-expanded=${String(isCreating)} onClick=${() => setCreating(!isCreating)}>New webhook</button></div>
    ${isCreating && html`<${WebhookForm} entity=${entity} action=${action} submit=${create} close=${() => setCreating(false)} />`}</section>`;
}

function Webhook({ webhook, reload, show }) {
  const [isOpen, setOpen] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const action = useAction();
  const webhookId = webhook.id;
  const change = async (run) => { if (await action.run(run)) reload(); };
  const name = `the webhook ${webhook.url}`;
  return html`<li class="stack"><div class="row"><strong>${webhook.url}</strong> ${!webhook.enabled && html`<span class="tag">off</span>`}
      <span class="muted small">${webhook.events.map(eventName).join(", ")}${webhook.entityIds.length > 0 && `; only ${plural(webhook.entityIds.length, "brand")}`}</span></div>
    ${webhook.disabled && html`<p class="muted small">${webhook.disabled.reason}, since ${moment(webhook.disabled.at)}.</p>`}
    ${action.error && html`<${Failure} error=${action.error} />`}
    <div class="row">
      <button disabled=${!webhook.enabled || action.isRunning} aria-label=${`Send a test to ${name}`} onClick=${() => change(async () => { await post("/webhooks/test", { webhookId }); setOpen(true); })}>Send a test</button>
      <button aria-expanded=${String(isOpen)} aria-label=${`Show the deliveries of ${name}`} onClick=${() => setOpen(!isOpen)}>Deliveries</button>
      <button disabled=${action.isRunning} aria-label=${`${webhook.enabled ? "Switch off" : "Switch on"} ${name}`} onClick=${() => change(() => patch("/webhooks", { webhookId, enabled: !webhook.enabled }))}>${webhook.enabled ? "Switch off" : "Switch on"}</button>
      <button disabled=${action.isRunning} aria-label=${`Give ${name} a new secret`} onClick=${() => change(async () => show((await post("/webhooks/rotate-secret", { webhookId })).secret))}>New secret</button>
      <button class="danger" aria-label=${`Delete ${name}`} onClick=${() => setDeleting(true)}>Delete</button></div>
    ${isOpen && html`<${Deliveries} webhookId=${webhookId} />`}
    ${isDeleting && html`<${Confirmation} title="Delete the webhook" text="Messages that wait are not sent." action=${action} confirm=${() => change(() => remove("/webhooks", { webhookId }))} close=${() => setDeleting(false)} />`}</li>`;
}

/** The latest deliveries of a webhook. */
function Deliveries({ webhookId }) {
  const deliveries = useResource((signal) => get("/webhooks/deliveries", { webhookId, limit: 10 }, signal), [webhookId]);
  const action = useAction();
  const again = (delivery) => async () => { if (await action.run(() => post("/webhooks/deliveries/redeliver", { webhookId, deliveryId: delivery.id }))) deliveries.reload(); };
  return html`<div class="card"><div class="row"><button onClick=${deliveries.reload}>Look again</button></div>
    ${action.error && html`<${Failure} error=${action.error} />`}
    <${Resource} of=${deliveries}>${({ data }) => html`${data.length === 0 && html`<${Empty}>Nothing was sent in the past seven days.<//>`}<ul class="stack">${data.map((delivery) => html`<li key=${delivery.id} class="row">
      <span>${eventName(delivery.event)}</span> <span class="muted small">${moment(delivery.createdAt)}</span> <span class="tag">${delivery.state}</span>
      ${delivery.lastAttempt && html`<span class="muted small">${delivery.lastAttempt.error ?? `HTTP status ${delivery.lastAttempt.status}`}</span>`}
      ${delivery.nextAttemptAt && delivery.attempts > 0 && html`<span class="muted small">next try ${moment(delivery.nextAttemptAt)}</span>`}
      ${delivery.state !== "pending" && html`<button disabled=${action.isRunning} aria-label=${`Send the delivery ${delivery.id} again`} onClick=${again(delivery)}>Send again</button>`}</li>`)}</ul>`}<//></div>`;
}

function WebhookForm({ entity, action, submit, close }) {
  const [url, setUrl] = useState("");
  const [events, setEvents] = useState(["visibility.changed"]);
  const [format, setFormat] = useState("json");
  const [isForAll, setForAll] = useState(true);
  useUnsaved(url !== "");
  const toggle = (id) => () => setEvents(events.includes(id) ? events.filter((other) => other !== id) : [...events, id]);
  const send = (event) => { event.preventDefault(); submit({ url, events, format, entityIds: isForAll ? [] : [entity.id] }); };
  return html`<form class="card" onSubmit=${send}>
    <label class="field"><span>URL</span><input type="url" required value=${url} placeholder="https://" onInput=${(event) => setUrl(event.target.value)} /></label>
    <fieldset class="card"><legend>Events</legend>${EVENTS.map(([id, text]) => html`<label key=${id} class="check"><input type="checkbox" checked=${events.includes(id)} onChange=${toggle(id)} /> ${text}</label>`)}</fieldset>
    <div class="columns"><label class="field"><span>Written for</span><select value=${format} onChange=${(event) => setFormat(event.target.value)}>${FORMATS.map(([id, text]) => html`<option key=${id} value=${id}>${text}</option>`)}</select></label>
      <label class="field"><span>Brands</span><select value=${String(isForAll)} onChange=${(event) => setForAll(event.target.value === "true")}><option value="true">All brands</option><option value="false">Only ${entity.name}</option></select></label></div>
    ${action.error && html`<${Failure} error=${action.error} />`}
    <div class="row"><button class="primary" disabled=${action.isRunning || events.length === 0}>Create the webhook</button><button type="button" onClick=${close}>Cancel</button></div></form>`;
}
