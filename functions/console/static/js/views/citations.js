// The domains that answers cite, and their URLs.
import { get } from "../api.js";
import { Dialog, Pages, TableDownload } from "../components/controls.js";
import { OutsideLink } from "../components/outside_link.js";
import { Empty } from "../components/states.js";
import { WideTable } from "../components/table.js";
import { count } from "../format.js";
import { Resource, useResource } from "../resource.js";
import { html, useState } from "../view.js";

const LIMIT = 25;

export function CitationsView({ entity, period, query, version }) {
  const offset = Number(query.offset ?? 0);
  const filter = { entityId: entity.id, period };
  const cited = useResource((signal) => get("/entities/citations", { ...filter, limit: LIMIT, offset }, signal), [entity.id, period, offset], version);
  const [opened, setOpened] = useState(null);
  return html`<section class="card"><header><h3>Cited domains</h3><${TableDownload} path="/entities/citations" query=${filter} subject=${entity.name} view="cited-domains" /></header>
    <${Resource} of=${cited}>${({ data, pagination }) => (data.length === 0 && offset === 0 ? html`<${Empty}>No answer of these days cites anything.<//>` : html`
      <${WideTable}><thead><tr><th class="number narrow">Rank</th><th>Domain</th><th class="number">Citations</th><th class="narrow"><span class="visually-hidden">URLs</span></th></tr></thead>
        <tbody>${data.map((row) => html`<tr key=${row.entityUuid}><td data-label="Rank" class="number">${row.rank}</td>
          <th scope="row">${row.domain}${row.entityUuid === entity.entityUuid && html` <span class="tag">your own</span>`}${row.name !== row.domain && html`<div class="muted small">${row.name}</div>`}</th>
          <td data-label="Citations" class="number">${count(row.totalCitations)}</td>
          <td><button onClick=${() => setOpened(row)} aria-label=${`URLs of ${row.domain}`}>URLs</button></td></tr>`)}</tbody><//>
      <${Pages} total=${pagination.total} limit=${LIMIT} offset=${offset} />`)}<//>
    ${opened && html`<${Urls} of=${opened} filter=${filter} subject=${entity.name} close=${() => setOpened(null)} />`}</section>`;
}

function Urls({ of, filter, subject, close }) {
  const parameters = { ...filter, citedEntityUuid: of.entityUuid };
  const urls = useResource((signal) => get("/entities/citations/details", { ...parameters, limit: 100 }, signal), [of.entityUuid]);
  return html`<${Dialog} title=${`Cited URLs of ${of.domain}`} close=${close}>
    <${Resource} of=${urls}>${({ data, pagination }) => html`<div class="table-frame"><table><thead><tr><th>URL</th><th class="number">Citations</th></tr></thead>
      <tbody>${data.map((row) => html`<tr key=${row.url}><th scope="row"><${OutsideLink} url=${row.url} /></th><td class="number">${count(row.citationCount)}</td></tr>`)}</tbody></table></div>
      ${pagination.total > data.length && html`<p class="muted small">The ${data.length} most cited of ${count(pagination.total)}.</p>`}`}<//>
    <div class="row"><${TableDownload} path="/entities/citations/details" query=${parameters} subject=${subject} view=${`cited-urls-${of.domain}`} /><button onClick=${close}>Close</button></div>
  <//>`;
}
