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

export function AnswersView({ entity, period, query, workspace, version }) {
  const offset = Number(query.offset ?? 0);
  const filter = { entityId: entity.id, period, promptIds: query.promptIds, models: query.models };
  const answers = useResource((signal) => get("/responses", { ...filter, limit: LIMIT, offset }, signal), [entity.id, period, offset, query.promptIds, query.models], version);
  const prompts = useResource((signal) => get("/entities/prompts", { entityId: entity.id, period }, signal), [entity.id, period]);
  const choose = (name) => (event) => change({ [name]: event.target.value || null, offset: null });
  const isFiltered = filter.promptIds || filter.models;
  return html`<section class="card"><header><h3>Answers</h3><${TableDownload} path="/responses" query=${filter} name="answers" /></header>
    <div class="row no-print">
      <label class="field"><span>Prompt</span><select value=${query.promptIds ?? ""} onChange=${choose("promptIds")}><option value="">All prompts</option>
        ${query.promptIds && !(prompts.data?.data ?? []).some((prompt) => prompt.id === query.promptIds) && html`<option value=${query.promptIds} selected>Another prompt</option>`}
        ${(prompts.data?.data ?? []).map((prompt) => html`<option key=${prompt.id} value=${prompt.id} selected=${prompt.id === query.promptIds}>${prompt.prompt}</option>`)}</select></label>
      <label class="field"><span>Model</span><select value=${query.models ?? ""} onChange=${choose("models")}><option value="">All models</option>
        ${query.models && !entity.models.includes(query.models) && html`<option value=${query.models} selected>Another model</option>`}
        ${entity.models.map((model) => html`<option key=${model} value=${model} selected=${model === query.models}>${workspace.modelName(model)}</option>`)}</select></label>
    </div>
    <${Resource} of=${answers}>${({ data, pagination }) => (data.length === 0 && offset === 0 ? html`<${Empty}>${isFiltered ? html`No answer of these days matches. <button onClick=${() => change({ promptIds: null, models: null, offset: null })}>Show all</button>` : "There are no answers in these days yet."}<//>` : html`
      <p class="muted small">${count(pagination.total)} answers, latest first. The figures stay when an answer is deleted after its retention.</p>
      <${WideTable}><thead><tr><th>Question</th><th>Model</th><th>Mentions ${entity.name}</th><th class="number">Citations</th><th>When</th></tr></thead>
        <tbody>${data.map((row) => html`<tr key=${row.responseId}><th scope="row"><a class="breakable" href=${link(["answers", row.responseId])}>${row.prompt}</a></th>
          <td data-label="Model">${workspace.modelName(row.modelId)}</td>
          <td data-label="Mentioned">${row.state !== "answered" ? html`<span class="tag">${words(row.state)}</span>` : row.isMentioned ? `yes, as number ${row.mentionPosition}` : html`<span class="muted">no</span>`}</td>
          <td data-label="Citations" class="number">${count(row.citationsCount)}</td><td data-label="When" class="nowrap small">${moment(row.createdAt)}</td></tr>`)}</tbody><//>
      <${Pages} total=${pagination.total} limit=${LIMIT} offset=${offset} />`)}<//></section>`;
}
