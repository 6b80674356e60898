// The other names of a brand, its description, its models and its schedule.
import { patch } from "../../api.js";
import { Failure } from "../../components/states.js";
import { useAction } from "../../resource.js";
import { useUnsaved } from "../../unsaved.js";
import { html, useState } from "../../view.js";
import { lines } from "../track.js";

const formOf = (entity) => ({ aliases: entity.aliases.join("\n"), description: entity.description ?? "", frequencyHours: entity.frequencyHours, isActive: entity.isActive, models: entity.models, language: entity.language, geolocation: entity.geolocation });

export function Brand({ entity, workspace, reload }) {
  const [form, setForm] = useState(() => formOf(entity));
  /** What the service has of the form, as far as this page knows. */
  const [stored, setStored] = useState(() => formOf(entity));
  const [isSaved, setSaved] = useState(false);
  const sent = (of) => ({ ...of, aliases: lines(of.aliases), frequencyHours: Number(of.frequencyHours) });
  // What is not changed here may have been changed by someone else.
  const [wanted, present] = [sent(form), sent(stored)];
  const changed = Object.entries(wanted).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(present[name]));
  useUnsaved(changed.length > 0);
  const former = entity.models.filter((uuid) => !workspace.models.some((model) => model.uuid === uuid)).map((uuid) => ({ uuid, name: workspace.modelName(uuid) }));
  const action = useAction();
  const set = (name, value) => { setSaved(false); setForm({ ...form, [name]: value }); };
  const toggle = (uuid) => () => set("models", form.models.includes(uuid) ? form.models.filter((model) => model !== uuid) : [...form.models, uuid]);
  const submit = async (event) => {
    event.preventDefault();
    if (changed.length === 0) { setSaved(true); return; }
    const save = async () => {
      const { data } = await patch("/entities", { entityId: entity.id, ...Object.fromEntries(changed) });
      // The service keeps texts in a form of its own.
      setForm(formOf(data));
      setStored(formOf(data));
    };
    if (await action.run(save)) { setSaved(true); reload(); }
  };
  return html`<section class="card"><header><h3>Brand</h3></header><form class="stack" onSubmit=${submit}>
    <div class="columns">
      ${workspace.mayManage && html`<label class="field"><span>Other names, one per line</span><textarea value=${form.aliases} onInput=${(event) => set("aliases", event.target.value)}></textarea><span class="hint">Answers that use one of them mention ${entity.name}.</span></label>`}
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
