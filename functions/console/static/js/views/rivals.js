// The brands that the same answers mention.
import { get } from "../api.js";
import { Pages, TableDownload, firstDay } from "../components/controls.js";
import { CountedSince, Interval } from "../components/figures.js";
import { Empty } from "../components/states.js";
import { WideTable } from "../components/table.js";
import { count, percent, range } from "../format.js";
import { Resource, useResource } from "../resource.js";
import { html } from "../view.js";

const LIMIT = 25;

export function RivalsView({ entity, period, query, version }) {
  const offset = Number(query.offset ?? 0);
  const filter = { entityId: entity.id, period };
  const rivals = useResource((signal) => get("/entities/competitors", { ...filter, limit: LIMIT, offset }, signal), [entity.id, period, offset], version);
  return html`<section class="card"><header><h3>Who is named beside ${entity.name}</h3><${TableDownload} path="/entities/competitors" query=${filter} name="rivals" /></header>
    <${Resource} of=${rivals}>${({ data, pagination, countedSince }) => (data.length === 0 && offset === 0 ? html`<${Empty}>No answer of these days mentions a known brand.<//>` : html`
      <${RivalTable} rows=${data} />
      <${CountedSince} date=${countedSince} first=${firstDay(period)} />
      <${Pages} total=${pagination.total} limit=${LIMIT} offset=${offset} />`)}<//></section>`;
}

export const RivalTable = ({ rows }) => html`${rows.length > 0 && html`<p class="muted small">The share of voice is the part of the ${count(rows[0].mentionsOfAllBrands)} mentions of all brands. Its interval takes mentions for independent of each other.</p>`}
  <${WideTable}><thead><tr><th class="number narrow">Rank</th><th>Brand</th><th>Share of voice</th><th class="number">Mentions</th><th class="number">Citations</th></tr></thead>
  <tbody>${rows.map((row) => html`<tr key=${row.entityUuid}><td data-label="Rank" class="number">${row.rank}</td>
    <th scope="row" class="breakable">${row.name}${row.isCurrentEntity && html` <span class="tag">your own</span>`}${row.domain && row.domain !== row.name && html`<div class="muted small">${row.domain}</div>`}</th>
    <td data-label="Share of voice"><span class="number nowrap">${percent(row.shareOfVoice)}</span> <span class="muted small number nowrap">${range(row.interval)}</span><${Interval} score=${row.shareOfVoice} interval=${row.interval} kind=${row.isCurrentEntity ? "" : "base"} /></td>
    <td data-label="Mentions" class="number">${count(row.mentions)}</td><td data-label="Citations" class="number">${count(row.totalCitations)}</td></tr>`)}</tbody><//>`;
