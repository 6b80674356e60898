// All brands of the workspace, each with its score, trend, change and checks.
import { get } from "../api.js";
import { PeriodChoice, Pages, TableDownload, periodOf } from "../components/controls.js";
import { Change, Interval, Rate, Sparkline, Verdict } from "../components/figures.js";
import { ProblemNote } from "../components/problems.js";
import { Empty } from "../components/states.js";
import { WideTable } from "../components/table.js";
import { ago, count, days, percent } from "../format.js";
import { Resource, useResource } from "../resource.js";
import { link, useTitle } from "../router.js";
import { html } from "../view.js";

const LIMIT = 25;

export function OverviewView({ query, mayManage }) {
  useTitle(null);
  const period = periodOf(query);
  const offset = Number(query.offset ?? 0);
  const overview = useResource((signal) => get("/entities/overview", { period, limit: LIMIT, offset }, signal), [period, offset]);
  return html`<div class="view">
    <div class="view-head"><div><h1>Brands</h1>
      ${overview.data && html`<p class="muted small">${days(overview.data.window)}, compared with ${days(overview.data.base)}. A change counts the answers to the same prompts by the same models in both.</p>`}</div>
      <${PeriodChoice} period=${period} /><${TableDownload} path="/entities/overview" query=${{ period }} view="brands" /></div>
    <${Resource} of=${overview}>${({ data, pagination }) => (data.length === 0 && offset === 0 ? html`<${Nothing} mayManage=${mayManage} />` : html`
      <div class="card"><${WideTable} hasManyColumns>
        <thead><tr><th>Brand</th><th>Visibility</th><th>Trend</th><th>Change</th><th>Share of voice</th><th>Recommended</th><th>Last check</th></tr></thead>
        <tbody>${data.map((row) => html`<${Row} key=${row.entityId} row=${row} period=${period} />`)}</tbody>
      <//><${Pages} total=${pagination.totalCount} limit=${LIMIT} offset=${offset} /></div>`)}<//>
  </div>`;
}

const Nothing = ({ mayManage }) => html`<${Empty}><p>No brand is tracked yet.</p>${mayManage && html`<p><a class="button primary" href=${link(["track"])}>Track a brand</a></p>`}<//>`;

function Row({ row, period }) {
  const to = (tab) => link(["entities", row.entityId, tab], { period });
  const { visibility, comparison, shareOfVoice: voice, shareOfVoiceReason } = row;
  const isEmpty = visibility.responses === 0;
  const wasEmpty = comparison.base.responses === 0;
  return html`<tr>
    <th scope="row"><a href=${to("visibility")}>${row.name}</a><div class="muted small">${row.target}</div></th>
    <td data-label="Visibility"><${Rate} of=${visibility} /><${Interval} score=${visibility.score} interval=${visibility.interval} /></td>
    <td>${!isEmpty && html`<${Sparkline} trend=${row.trend} label=${`Visibility of ${row.name}`} />`}</td>
    <td data-label="Change">${isEmpty && wasEmpty ? html`<span class="muted">–</span>` : html`<${Verdict} of=${comparison} />${comparison.change !== null && html`<div><${Change} of=${comparison} /></div>`}`}</td>
    <td data-label="Share of voice">${shareOfVoiceReason === "no_rivals" ? html`<a class="muted small" href=${to("rivals")}>no rivals yet<span class="visually-hidden"> for ${row.name}</span></a>` : voice.score === null ? html`<span class="muted">–</span>` : html`<span class="number nowrap">${percent(voice.score)}</span> <span class="muted small number nowrap">${count(voice.mentions)} of ${count(voice.mentionsOfAllBrands)}</span>`}</td>
    <td data-label="Recommended">${row.activeActionables === 0 ? html`<span class="muted">nothing</span>` : html`<a class="nowrap" href=${to("tasks")}>${count(row.activeActionables)} to do<span class="visually-hidden"> for ${row.name}</span></a>`}</td>
    <td data-label="Last check"><${Checks} status=${row.status} /> <${ProblemNote} of=${row.status.problems} href=${to("visibility")} /></td>
  </tr>`;
}

/** The state of the checks in a few words. */
export function Checks({ status, isActive }) {
  const text = status.isProcessing ? "running now" : status.queued ? "waiting to start" : status.lastCheckCompletedAt === null ? "no check yet" : ago(status.lastCheckCompletedAt);
  return html`<span class="nowrap">${text}</span>
    ${!status.scheduled && html` <span class="muted small nowrap">${isActive === false ? "(paused)" : "(none scheduled)"}</span>`}`;
}
