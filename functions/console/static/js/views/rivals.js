// The brands that the same answers mention.
import { get } from "../api.js";
import { Pages, TableDownload, daysOf } from "../components/controls.js";
import { CountedSince, Interval } from "../components/figures.js";
import { WideTable } from "../components/table.js";
import { count, percent, range } from "../format.js";
import { Resource, useResource } from "../resource.js";
import { link } from "../router.js";
import { html } from "../view.js";

const LIMIT = 25;

export function RivalsView({ entity, period, query, workspace, version }) {
  const offset = Number(query.offset ?? 0);
  const filter = { entityId: entity.id, period };
  const rivals = useResource((signal) => get("/entities/competitors", { ...filter, limit: LIMIT, offset }, signal), [entity.id, period, offset], version);
  return html`<section class="card"><header><h3>Who is named beside ${entity.name}</h3><${TableDownload} path="/entities/competitors" query=${filter} subject=${entity.name} view="rivals" /></header>
    <${Resource} of=${rivals}>${({ data, pagination, countedSince }) => html`
      <${RivalTable} rows=${data} name=${entity.name} mayManage=${workspace.mayManage} />
      <${CountedSince} date=${countedSince} first=${daysOf(period).startDate} />
      <${Pages} total=${pagination.total} limit=${LIMIT} offset=${offset} />`}<//></section>`;
}

/** What the shares are shares of, or why there are none. The own row is always there. */
function Shares({ of, name, mayManage }) {
  if (of.shareOfVoiceReason === "no_rivals") return html`<div class="notice"><p><strong>No rivals yet.</strong> ${name} is the only brand that is known here, so there is no share of voice.</p>${mayManage && html`<p class="no-print">Track a rival as a brand: the answers that are already here are read for its name, too. <a class="button" href=${link(["track"])}>Track a rival</a></p>`}</div>`;
  if (of.mentionsOfAllBrands === 0) return html`<p class="muted small">No answer of these days mentions a known brand.</p>`;
  return html`<p class="muted small">The share of voice is the part of the ${count(of.mentionsOfAllBrands)} mentions of all brands. Its interval takes mentions for independent of each other.</p>`;
}

export const RivalTable = ({ rows, name, mayManage }) => html`${rows.length > 0 && html`<${Shares} of=${rows[0]} name=${name} mayManage=${mayManage} />`}
  <${WideTable}><thead><tr><th class="number narrow">Rank</th><th>Brand</th><th>Share of voice</th><th class="number">Mentions</th><th class="number">Citations</th></tr></thead>
  <tbody>${rows.map((row) => html`<tr key=${row.entityUuid}><td data-label="Rank" class="number">${row.rank ?? "–"}</td>
    <th scope="row">${row.name}${row.isCurrentEntity && html` <span class="tag">your own</span>`}${row.domain && row.domain !== row.name && html`<div class="muted small">${row.domain}</div>`}</th>
    <td data-label="Share of voice"><span class="number nowrap">${percent(row.shareOfVoice)}</span>${row.interval && html` <span class="muted small number nowrap">${range(row.interval)}</span>`}<${Interval} score=${row.shareOfVoice} interval=${row.interval} kind=${row.isCurrentEntity ? "" : "base"} /></td>
    <td data-label="Mentions" class="number">${count(row.mentions)}</td><td data-label="Citations" class="number">${count(row.totalCitations)}</td></tr>`)}</tbody><//>`;
