// Tracking a new brand.
import { post } from "../api.js";
import { PromptField } from "../components/prompt_field.js";
import { Failure } from "../components/states.js";
import { readPrompts, toNewPrompts } from "../prompt_list.js";
import { useAction } from "../resource.js";
import { open, useTitle } from "../router.js";
import { forgetUnsaved, useUnsaved } from "../unsaved.js";
import { html, useState } from "../view.js";

export const lines = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean);

export function TrackView({ workspace, reload }) {
  useTitle("Track a brand");
  const [blank] = useState({ name: "", domain: "", prompts: "", language: "en", geolocation: "global", models: workspace.models.map((model) => model.uuid) });
  const [form, setForm] = useState(blank);
  useUnsaved(JSON.stringify(form) !== JSON.stringify(blank));
  const read = readPrompts(form.prompts);
  const action = useAction();
  const set = (name) => (event) => setForm({ ...form, [name]: event.target.value });
  const toggle = (uuid) => () => setForm({ ...form, models: form.models.includes(uuid) ? form.models.filter((model) => model !== uuid) : [...form.models, uuid] });
  const submit = async (event) => {
    event.preventDefault();
    let id = null;
    await action.run(async () => {
      const { name, domain, language, geolocation, models } = form;
      const prompts = await toNewPrompts(read.prompts);
      const created = await post("/entities", { name, domain, language, geolocation, models, ...(prompts.length > 0 ? { prompts } : { generatePrompts: true }) });
      id = created.data.id;
    });
    if (!id) return;
    forgetUnsaved();
    reload();
    open(["entities", id, "visibility"]);
  };
  const { used, limit } = workspace.usage.entities;
  return html`<div class="view"><div class="view-head"><h1>Track a brand</h1></div>
    <form class="card" onSubmit=${submit}>
      <p class="muted small">${used} of ${limit} brands are in use, and ${workspace.usage.credits.balance} credits are left. The first check starts at once.</p>
      <div class="columns">
        <label class="field"><span>Name</span><input name="name" required maxlength="120" value=${form.name} onInput=${set("name")} /></label>
        <label class="field"><span>Website</span><input name="domain" required placeholder="example.com" value=${form.domain} onInput=${set("domain")} /></label>
        <label class="field"><span>Language</span><input name="language" required value=${form.language} onInput=${set("language")} /><span class="hint">A code such as en, fr or de.</span></label>
        <label class="field"><span>Place</span><input name="geolocation" required value=${form.geolocation} onInput=${set("geolocation")} /><span class="hint">global, or a code such as us or gb.</span></label>
      </div>
      <${PromptField} label="Questions that customers ask, one per line" hint="Leave it empty to have them written for you. A table with the columns Prompt and Tag can be pasted, too." value=${form.prompts} set=${(prompts) => setForm({ ...form, prompts })} read=${read} />
      <fieldset class="card"><legend>Models</legend>${workspace.models.map((model) => html`<label key=${model.uuid} class="check"><input type="checkbox" checked=${form.models.includes(model.uuid)} onChange=${toggle(model.uuid)} /> <span>${model.name} <span class="muted small">${model.description}</span></span></label>`)}</fieldset>
      ${action.error && html`<${Failure} error=${action.error} />`}
      <div class="row"><button class="primary" disabled=${action.isRunning || read.problem !== null}>${action.isRunning ? "Starting …" : "Track it"}</button></div>
    </form></div>`;
}
