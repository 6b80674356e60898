// The prompts of a brand in bulk, and the tags that they can have.
import { getAll, patch, post, remove } from "../../api.js";
import { Confirmation } from "../../components/controls.js";
import { PromptField } from "../../components/prompt_field.js";
import { Empty, Failure } from "../../components/states.js";
import { plural } from "../../format.js";
import { readPrompts, toNewPrompts } from "../../prompt_list.js";
import { Resource, useAction, useResource } from "../../resource.js";
import { useUnsaved } from "../../unsaved.js";
import { html, useState } from "../../view.js";

/** The most prompts that one request changes, and that one request adds. */
const BATCH = 100;
const NEW_BATCH = 90;

export function Prompts({ entity, tags: tagList }) {
  const tags = tagList.data?.data ?? [];
  const prompts = useResource((signal) => getAll("/entities/prompts", { entityId: entity.id }, signal), [entity.id]);
  const [chosen, setChosen] = useState([]);
  const [added, setAdded] = useState("");
  const [isDeleting, setDeleting] = useState(false);
  useUnsaved(added.trim() !== "");
  // Others are asked in another language or place, and are no duplicates.
  const isAlike = (row) => row.language === entity.language && row.geolocation === entity.geolocation;
  const fresh = readPrompts(added, (prompts.data ?? []).filter(isAlike).map((row) => row.prompt));
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
    change(async () => {
      const created = await toNewPrompts(fresh.prompts);
      // If one request fails, the prompts of those before are known when the rest is sent again.
      for (let from = 0; from < created.length; from += NEW_BATCH) {
        await post("/entities/addprompt", { entityId: entity.id, prompts: created.slice(from, from + NEW_BATCH) });
      }
      setAdded("");
      tagList.reload();
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
      ${rows.length === 0 ? html`<${Empty}>No prompts are tracked.<//>` : html`<ul class="stack">${rows.map((row) => html`<li key=${row.id} class="row"><label class="check"><input type="checkbox" checked=${chosen.includes(row.id)} onChange=${toggle(row.id)} /> <span>${row.prompt}</span></label>
        ${!row.isActive && html` <span class="tag">paused</span>`} ${row.tags.map((tag) => html`<span key=${tag} class="tag">${tagName(tag)}</span> `)}${(row.language !== entity.language || row.geolocation !== entity.geolocation) && html`<span class="muted small">${row.language}, ${row.geolocation}</span>`}</li>`)}</ul>`}`}<//>
    <form class="stack" onSubmit=${add}><${PromptField} label="Add prompts, one per line" hint="Or a table with the columns Prompt and Tag." value=${added} set=${setAdded} read=${fresh} />
      <div class="row"><button disabled=${action.isRunning || prompts.isLoading || fresh.prompts.length === 0}>Add ${plural(fresh.prompts.length, "prompt")}</button></div></form>
    ${isDeleting && html`<${Confirmation} title=${`Delete ${plural(chosen.length, "prompt")}`} text="Their answers so far stay in the figures. They are not asked again." action=${action} confirm=${deleteChosen} close=${() => setDeleting(false)} />`}</section>`;
}

export function Tags({ tags }) {
  const [name, setName] = useState("");
  useUnsaved(name !== "");
  const action = useAction();
  const change = async (run) => { if (await action.run(run)) { setName(""); tags.reload(); } };
  const add = (event) => { event.preventDefault(); change(() => post("/tags", { name })); };
  return html`<section class="card"><header><h3>Tags</h3></header>
    ${action.error && html`<${Failure} error=${action.error} />`}
    <${Resource} of=${tags}>${({ data }) => html`<ul class="row">${data.map((tag) => html`<li key=${tag.id} class="row"><span class="tag">${tag.name}</span><button aria-label=${`Delete the tag ${tag.name}`} disabled=${action.isRunning} onClick=${() => change(() => remove("/tags", { tagId: tag.id }))}>Delete</button></li>`)}</ul>`}<//>
    <form class="row to-the-bottom" onSubmit=${add}><label class="field"><span>New tag</span><input required value=${name} onInput=${(event) => setName(event.target.value)} /></label><button disabled=${action.isRunning}>Add</button></form></section>`;
}
