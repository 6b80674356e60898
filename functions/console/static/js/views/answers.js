// The answers behind the figures.
import { get } from "../api.js";
import { Pages, TableDownload } from "../components/controls.js";
import { Empty } from "../components/states.js";
import { WideTable } from "../components/table.js";
import { count, moment, words } from "../format.js";
import { Resource, useResource } from "../resource.js";
import { change, link } from "../router.js";
import { html } from "../view.js";

const LIMIT = 25;
/** The filters of the list, which other views link to. They are the API's. */
const NO_FILTER = { promptIds: null, models: null, tags: null };

/** The choice of one value of a filter, which the address can have with a value that is no option. */
function FilterChoice({ label, name, query, options }) {
  const chosen = query[name];
  const noun = label.toLowerCase();
  return html`<label class="field"><span>${label}</span><select value=${chosen ?? ""} onChange=${(event) => change({ [name]: event.target.value || null, offset: null })}><option value="">All ${noun}s</option>
    ${chosen && !options.some(([id]) => id === chosen) && html`<option value=${chosen} selected>Another ${noun}</option>`}
    ${options.map(([id, text]) => html`<option key=${id} value=${id} selected=${id === chosen}>${text}</option>`)}</select></label>`;
}

export function AnswersView({ entity, period, query, workspace, version }) {
  const offset = Number(query.offset ?? 0);
  const chosen = Object.fromEntries(Object.keys(NO_FILTER).map((name) => [name, query[name]]));
  const filter = { entityId: entity.id, period, ...chosen };
  const answers = useResource((signal) => get("/responses", { ...filter, limit: LIMIT, offset }, signal), [...Object.values(filter), offset], version);
  const prompts = useResource((signal) => get("/entities/prompts", { entityId: entity.id, period }, signal), [entity.id, period]);
  const tags = useResource((signal) => get("/tags", {}, signal), []);
  const isFiltered = Object.values(chosen).some(Boolean);
  return html`<section class="card"><header><h3>Answers</h3><${TableDownload} path="/responses" query=${filter} subject=${entity.name} view="answers" /></header>
    <div class="row no-print">
      <${FilterChoice} label="Prompt" name="promptIds" query=${query} options=${(prompts.data?.data ?? []).map((prompt) => [prompt.id, prompt.prompt])} />
      <${FilterChoice} label="Model" name="models" query=${query} options=${entity.models.map((model) => [model, workspace.modelName(model)])} />
      ${(query.tags || tags.data?.data.length > 0) && html`<${FilterChoice} label="Tag" name="tags" query=${query} options=${(tags.data?.data ?? []).map((tag) => [tag.id, tag.name])} />`}
    </div>
    <${Resource} of=${answers}>${({ data, pagination }) => (data.length === 0 && offset === 0 ? html`<${Empty}>${isFiltered ? html`No answer of these days matches. <button onClick=${() => change({ ...NO_FILTER, offset: null })}>Show all</button>` : "There are no answers in these days yet."}<//>` : html`
      <p class="muted small">${count(pagination.total)} answers, latest first. The figures stay when an answer is deleted after its retention.</p>
      <${WideTable}><thead><tr><th>Question</th><th>Model</th><th>Mentioned</th><th class="number">Citations</th><th>When</th></tr></thead>
        <tbody>${data.map((row) => html`<tr key=${row.responseId}><th scope="row"><a href=${link(["answers", row.responseId])}>${row.prompt}</a></th>
          <td data-label="Model">${workspace.modelName(row.modelId)}</td>
          <td data-label="Mentioned">${row.state !== "answered" ? html`<span class="tag">${words(row.state)}</span>` : row.isMentioned ? `yes, as number ${row.mentionPosition}` : html`<span class="muted">no</span>`}</td>
          <td data-label="Citations" class="number">${count(row.citationsCount)}</td><td data-label="When" class="nowrap small">${moment(row.createdAt)}</td></tr>`)}</tbody><//>
      <${Pages} total=${pagination.total} limit=${LIMIT} offset=${offset} />`)}<//></section>`;
}
