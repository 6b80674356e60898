// Another name for a brand, which the operator of the service approves.
import { get, post } from "../../api.js";
import { Failure } from "../../components/states.js";
import { moment } from "../../format.js";
import { useAction, useResource } from "../../resource.js";
import { useUnsaved } from "../../unsaved.js";
import { html, useState } from "../../view.js";
import { lines } from "../track.js";

const STATES = { pending: "waits for the operator's review", approved: "is approved", rejected: "is rejected" };

/** Returns the latest request, or null if there was none. */
async function latest(entityId, signal) {
  try {
    return (await get("/entities/name-request", { entityId }, signal)).data;
  } catch (error) {
    if (error.status === 404) return null;
    throw error;
  }
}

export function NameRequest({ entity }) {
  const request = useResource((signal) => latest(entity.id, signal), [entity.id]);
  const blank = { suggestedName: "", aliases: "", reason: "" };
  const [form, setForm] = useState(blank);
  useUnsaved(Object.values(form).some(Boolean));
  const action = useAction();
  const submit = async (event) => {
    event.preventDefault();
    const aliases = lines(form.aliases);
    const body = { entityId: entity.id, ...form, aliases: aliases.length ? aliases : undefined };
    if (await action.run(() => post("/entities/name-request", body))) { setForm(blank); request.reload(); }
  };
  const set = (name) => (event) => setForm({ ...form, [name]: event.target.value });
  const of = request.data;
  return html`<section class="card"><header><h3>Another name</h3></header>
    <p class="muted small">Answers are read for the name, so the operator of the service reviews a new one. Other names of ${entity.name} need a review only if your key is bound to some brands.</p>
    ${request.error && html`<${Failure} error=${request.error} retry=${request.reload} />`}
    ${of && html`<p role="status"><strong>${of.suggestedName}</strong>, requested ${moment(of.createdAt)}, ${STATES[of.status] ?? of.status}.${of.reviewNote && html` <span class="muted">${of.reviewNote}</span>`}</p>`}
    <form class="stack" onSubmit=${submit}><div class="columns">
      <label class="field"><span>New name</span><input required maxlength="120" value=${form.suggestedName} onInput=${set("suggestedName")} /></label>
      <label class="field"><span>Further names with it, one per line</span><textarea value=${form.aliases} onInput=${set("aliases")}></textarea><span class="hint">They replace the present ones. Left empty, those stay.</span></label>
      <label class="field"><span>Reason</span><input maxlength="2000" value=${form.reason} onInput=${set("reason")} /></label></div>
    ${action.error && html`<${Failure} error=${action.error} />`}
    <div class="row"><button disabled=${action.isRunning}>Request it</button></div></form></section>`;
}
