// What is tracked for a brand and how: its names, models and schedule, its prompts and tags, and its groups.
import { getAll, get, patch, post, remove } from "../api.js";
import { Confirmation } from "../components/controls.js";
import { Empty, Failure } from "../components/states.js";
import { plural } from "../format.js";
import { Resource, useAction, useResource } from "../resource.js";
import { open } from "../router.js";
import { html, useState } from "../view.js";
import { lines } from "./track.js";

export function SettingsView({ entity, workspace, reload, checks, reloadChecks }) {
  const tags = useResource((signal) => get("/tags", {}, signal), []);
  return html`<${Check} entity=${entity} checks=${checks} reloadChecks=${reloadChecks} />
    <${Prompts} entity=${entity} tags=${tags.data?.data ?? []} />
    <${Tags} tags=${tags} />
    <${Brand} entity=${entity} workspace=${workspace} reload=${reload} />
    ${workspace.workspace && html`<${Groups} entity=${entity} workspace=${workspace} />`}
    <${End} entity=${entity} reload=${reload} />`;
}

/** The most prompts that one request changes, and that one request adds. */
const BATCH = 100;
const NEW_BATCH = 90;

/** Starts a check now. */
function Check({ entity, checks, reloadChecks }) {
  const action = useAction();
  const isBusy = Boolean(checks?.isProcessing || checks?.queued);
  const start = () => action.run(async () => { await post("/entities/run-check", { entityId: entity.id }); reloadChecks(); });
  return html`<section class="card"><header><h3>Checks</h3></header>
    <p>${!entity.isActive ? "Checks are paused." : checks?.scheduled === false ? "No check is scheduled." : `Every ${plural(entity.frequencyHours, "hour")}.`} A check asks each active prompt of each model and costs credits.</p>
    ${action.error && html`<${Failure} error=${action.error} />`}
    <div class="row"><button disabled=${isBusy || action.isRunning} onClick=${start}>${isBusy ? "A check is running" : "Run a check now"}</button></div></section>`;
}

function Prompts({ entity, tags }) {
  const prompts = useResource((signal) => getAll("/entities/prompts", { entityId: entity.id }, signal), [entity.id]);
  const [chosen, setChosen] = useState([]);
  const [added, setAdded] = useState("");
  const [isDeleting, setDeleting] = useState(false);
  const action = useAction();
  const change = async (run) => {
    if (await action.run(run)) { setChosen([]); setDeleting(false); }
    prompts.reload();
  };
  const update = (changes) => change(async () => {
    for (let from = 0; from < chosen.length; from += BATCH) {
      const updates = chosen.slice(from, from + BATCH).map((promptId) => ({ promptId, ...changes(promptId) }));
      await patch("/entities/updateprompt", { updates });
    }
  });
  const add = (event) => {
    event.preventDefault();
    const texts = lines(added);
    if (texts.length === 0) return;
    change(async () => {
      for (let from = 0; from < texts.length; from += NEW_BATCH) {
        await post("/entities/addprompt", { entityId: entity.id, prompts: texts.slice(from, from + NEW_BATCH) });
        setAdded(texts.slice(from + NEW_BATCH).join("\n"));
      }
    });
  };
  const deleteChosen = () => change(async () => {
    for (const promptId of chosen) {
      await remove("/entities/prompts", { promptId });
      setChosen((rest) => rest.filter((other) => other !== promptId));
    }
  });
  const toggle = (id) => () => setChosen(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id]);
  const tagName = (id) => tags.find((tag) => tag.id === id)?.name ?? "a deleted tag";
  return html`<section class="card"><header><h3>Prompts</h3></header>
    ${action.error && html`<${Failure} error=${action.error} />`}
    <${Resource} of=${prompts}>${(rows) => html`
      <div class="row"><label class="check"><input type="checkbox" checked=${chosen.length > 0 && chosen.length === rows.length} onChange=${() => setChosen(chosen.length === rows.length ? [] : rows.map((row) => row.id))} /> All</label>
        <span class="muted small" role="status">${plural(chosen.length, "prompt")} chosen</span>
        <button disabled=${chosen.length === 0 || action.isRunning} onClick=${() => update(() => ({ isActive: false }))}>Pause</button>
        <button disabled=${chosen.length === 0 || action.isRunning} onClick=${() => update(() => ({ isActive: true }))}>Resume</button>
        ${tags.length > 0 && html`<label class="check"><span class="visually-hidden">Tag the chosen prompts</span><select disabled=${chosen.length === 0 || action.isRunning} value="" onChange=${(event) => { const tag = event.target.value; update((id) => ({ tags: [...new Set([...rows.find((row) => row.id === id).tags, tag])] })); }}><option value="">Tag as …</option>${tags.map((tag) => html`<option key=${tag.id} value=${tag.id}>${tag.name}</option>`)}</select></label>`}
        <button class="danger" disabled=${chosen.length === 0 || action.isRunning} onClick=${() => setDeleting(true)}>Delete</button></div>
      ${rows.length === 0 ? html`<${Empty}>No prompts are tracked.<//>` : html`<ul class="stack">${rows.map((row) => html`<li key=${row.id}><label class="check"><input type="checkbox" checked=${chosen.includes(row.id)} onChange=${toggle(row.id)} /> <span class="breakable">${row.prompt}</span></label>
        ${!row.isActive && html` <span class="tag">paused</span>`} ${row.tags.map((tag) => html`<span key=${tag} class="tag">${tagName(tag)}</span> `)}${(row.language !== entity.language || row.geolocation !== entity.geolocation) && html`<span class="muted small">${row.language}, ${row.geolocation}</span>`}</li>`)}</ul>`}`}<//>
    <form class="stack" onSubmit=${add}><label class="field"><span>Add prompts, one per line</span><textarea value=${added} onInput=${(event) => setAdded(event.target.value)}></textarea></label>
      <div class="row"><button disabled=${action.isRunning || lines(added).length === 0}>Add ${plural(lines(added).length, "prompt")}</button></div></form>
    ${isDeleting && html`<${Confirmation} title=${`Delete ${plural(chosen.length, "prompt")}`} text="Their answers so far stay in the figures. They are not asked again." action=${action} confirm=${deleteChosen} close=${() => setDeleting(false)} />`}</section>`;
}

function Tags({ tags }) {
  const [name, setName] = useState("");
  const action = useAction();
  const change = async (run) => { if (await action.run(run)) { setName(""); tags.reload(); } };
  const add = (event) => { event.preventDefault(); change(() => post("/tags", { name })); };
  return html`<section class="card"><header><h3>Tags</h3></header>
    ${action.error && html`<${Failure} error=${action.error} />`}
    <${Resource} of=${tags}>${({ data }) => html`<ul class="row">${data.map((tag) => html`<li key=${tag.id} class="row"><span class="tag">${tag.name}</span><button aria-label=${`Delete the tag ${tag.name}`} disabled=${action.isRunning} onClick=${() => change(() => remove("/tags", { tagId: tag.id }))}>Delete</button></li>`)}</ul>`}<//>
    <form class="row" onSubmit=${add}><label class="field"><span>New tag</span><input required value=${name} onInput=${(event) => setName(event.target.value)} /></label><button disabled=${action.isRunning}>Add</button></form></section>`;
}

function Brand({ entity, workspace, reload }) {
  const [form, setForm] = useState({ aliases: entity.aliases.join("\n"), description: entity.description ?? "", frequencyHours: entity.frequencyHours, isActive: entity.isActive, models: entity.models, language: entity.language, geolocation: entity.geolocation });
  const [isSaved, setSaved] = useState(false);
  const former = entity.models.filter((uuid) => !workspace.models.some((model) => model.uuid === uuid)).map((uuid) => ({ uuid, name: workspace.modelName(uuid) }));
  const action = useAction();
  const set = (name, value) => { setSaved(false); setForm({ ...form, [name]: value }); };
  const toggle = (uuid) => () => set("models", form.models.includes(uuid) ? form.models.filter((model) => model !== uuid) : [...form.models, uuid]);
  const submit = async (event) => {
    event.preventDefault();
    // What is not changed here may have been changed by someone else.
    const wanted = { ...form, aliases: lines(form.aliases), frequencyHours: Number(form.frequencyHours) };
    const changed = Object.entries(wanted).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(entity[name]));
    if (changed.length === 0) { setSaved(true); return; }
    if (await action.run(() => patch("/entities", { entityId: entity.id, ...Object.fromEntries(changed) }))) { setSaved(true); reload(); }
  };
  return html`<section class="card"><header><h3>Brand</h3></header><form class="stack" onSubmit=${submit}>
    <div class="columns">
      <label class="field"><span>Other names, one per line</span><textarea value=${form.aliases} onInput=${(event) => set("aliases", event.target.value)}></textarea><span class="hint">Answers that use one of them mention ${entity.name}.</span></label>
      <label class="field"><span>Description</span><textarea value=${form.description} onInput=${(event) => set("description", event.target.value)}></textarea></label>
      <label class="field"><span>Hours between checks</span><input type="number" min="1" max="720" required value=${form.frequencyHours} onInput=${(event) => set("frequencyHours", event.target.value)} /></label>
      <label class="field"><span>Language of new prompts</span><input required value=${form.language} onInput=${(event) => set("language", event.target.value)} /></label>
      <label class="field"><span>Place of new prompts</span><input required value=${form.geolocation} onInput=${(event) => set("geolocation", event.target.value)} /></label>
      <label class="check"><input type="checkbox" checked=${form.isActive} onChange=${(event) => set("isActive", event.target.checked)} /> Check it on schedule</label>
    </div>
    <fieldset class="card"><legend>Models</legend>${[...workspace.models, ...former].map((model) => html`<label key=${model.uuid} class="check"><input type="checkbox" checked=${form.models.includes(model.uuid)} onChange=${toggle(model.uuid)} /> ${model.name}</label>`)}</fieldset>
    ${action.error && html`<${Failure} error=${action.error} />`}
    <div class="row"><button class="primary" disabled=${action.isRunning}>Save</button><span role="status">${isSaved && "Saved."}</span></div></form></section>`;
}

function Groups({ entity, workspace }) {
  const groups = useResource((signal) => get("/domain-groups", {}, signal), []);
  const [chosen, setChosen] = useState("");
  const action = useAction();
  const change = async (run) => { if (await action.run(run)) { setChosen(""); groups.reload(); } };
  const others = workspace.entities.filter((other) => other.id !== entity.id);
  const add = (event) => { event.preventDefault(); change(() => post("/domain-groups", { primaryEntity: entity.id, entities: [entity.id, chosen] })); };
  return html`<section class="card"><header><h3>Groups</h3></header><p class="muted small">Brands of a group count as one.</p>
    ${action.error && html`<${Failure} error=${action.error} />`}
    <${Resource} of=${groups}>${({ data }) => html`<ul class="stack">${data.map((group) => html`<li key=${group.id} class="row"><strong>${group.name}</strong> <span class="muted">${group.entities.map((member) => member.name).join(", ")}</span><button disabled=${action.isRunning} aria-label=${`Dissolve the group ${group.name}`} onClick=${() => change(() => remove("/domain-groups", { groupId: group.id }))}>Dissolve</button></li>`)}</ul>`}<//>
    ${others.length > 0 && html`<form class="row" onSubmit=${add}><label class="field"><span>Group ${entity.name} with</span><select required value=${chosen} onChange=${(event) => setChosen(event.target.value)}><option value="">Choose …</option>${others.map((other) => html`<option key=${other.id} value=${other.id}>${other.name}</option>`)}</select></label><button disabled=${action.isRunning}>Group</button></form>`}</section>`;
}

function End({ entity, reload }) {
  const [isAsking, setAsking] = useState(false);
  const action = useAction();
  const end = async () => { if (await action.run(() => remove("/entities", { entityId: entity.id }))) { open([]); reload(); } };
  return html`<section class="card"><header><h3>Stop tracking</h3></header><p>Deletes ${entity.name} with its prompts, answers and figures.</p>
    <div class="row"><button class="danger" onClick=${() => setAsking(true)}>Delete ${entity.name}</button></div>
    ${isAsking && html`<${Confirmation} title=${`Delete ${entity.name}`} text="This cannot be undone." action=${action} confirm=${end} close=${() => setAsking(false)} />`}</section>`;
}
