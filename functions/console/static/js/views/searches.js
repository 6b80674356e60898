// The web searches that models run before they answer (query fanouts).
import { get } from "../api.js";
import { Pages, TableDownload } from "../components/controls.js";
import { Empty } from "../components/states.js";
import { WideTable } from "../components/table.js";
import { count, moment } from "../format.js";
import { Resource, useResource } from "../resource.js";
import { change } from "../router.js";
import { html, useState } from "../view.js";

const LIMIT = 25;

export function SearchesView({ entity, period, query, workspace, version }) {
  const [offset, search] = [Number(query.offset ?? 0), query.search ?? ""];
  const [text, setText] = useState(search);
  const filter = { entityId: entity.id, period, search };
  const fanouts = useResource((signal) => get("/query-fanouts", { ...filter, limit: LIMIT, offset }, signal), [entity.id, period, offset, search], version);
  const submit = (event) => { event.preventDefault(); change({ search: text.trim(), offset: null }); };
  return html`<section class="card"><header><h3>What models search for</h3><${TableDownload} path="/query-fanouts" query=${filter} subject=${entity.name} view="searches" /></header>
    <form class="row no-print" role="search" onSubmit=${submit}><label class="field"><span class="visually-hidden">Text in the search</span><input type="search" placeholder="Text in the search" value=${text} onInput=${(event) => setText(event.target.value)} /></label><button>Filter</button></form>
    <${Resource} of=${fanouts}>${({ data, totalCount, totalQueries }) => (data.length === 0 && offset === 0 ? html`<${Empty}>${search ? html`No search contains “${search}”. <button onClick=${() => { setText(""); change({ search: null }); }}>Show all</button>` : "No model has searched the web in these days."}<//>` : html`
      <p class="muted small">${count(totalCount)} different searches, run ${count(totalQueries)} times.</p>
      <${WideTable}><thead><tr><th>Search</th><th class="number">Times</th><th class="number">In answers</th><th>Models</th><th>Last</th></tr></thead>
        <tbody>${data.map((row) => html`<tr key=${row.query}><th scope="row">${row.query}</th><td data-label="Times" class="number">${count(row.frequency)}</td><td data-label="In answers" class="number">${count(row.uniqueResponses)}</td>
          <td data-label="Models" class="small">${row.modelIds.map(workspace.modelName).join(", ")}</td><td data-label="Last" class="nowrap small">${moment(row.latestDate)}</td></tr>`)}</tbody><//>
      <${Pages} total=${totalCount} limit=${LIMIT} offset=${offset} />`)}<//></section>`;
}
