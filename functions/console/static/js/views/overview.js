// All brands of the workspace, each with its score, trend, change and checks.
import { get } from "../api.js";
import { PeriodChoice, Pages, TableDownload, periodOf } from "../components/controls.js";
import { Change, Interval, Rate, Sparkline, Verdict } from "../components/figures.js";
import { Empty } from "../components/states.js";
import { ago, days, plural } from "../format.js";
import { Resource, useResource } from "../resource.js";
import { link } from "../router.js";
import { html } from "../view.js";

const LIMIT = 25;

export function OverviewView({ query }) {
  const period = periodOf(query);
  const offset = Number(query.offset ?? 0);
  const overview = useResource((signal) => get("/entities/overview", { period, limit: LIMIT, offset }, signal), [period, offset]);
  return html`<div class="view">
    <div class="view-head"><div><h1>Brands</h1>
      ${overview.data && html`<p class="muted small">${days(overview.data.window)}, compared with ${days(overview.data.base)}. A change counts the answers to the same prompts by the same models in both.</p>`}</div>
      <${PeriodChoice} period=${period} /><${TableDownload} path="/entities/overview" query=${{ period }} name="brands" /></div>
    <${Resource} of=${overview}>${({ data, pagination }) => (data.length === 0 && offset === 0 ? html`<${Nothing} />` : html`
      <div class="card"><table class="wide-table">
        <thead><tr><th>Brand</th><th>Visibility</th><th>Trend</th><th>Change</th><th>To do</th><th>Last check</th></tr></thead>
        <tbody>${data.map((row) => html`<${Row} key=${row.entityId} row=${row} period=${period} />`)}</tbody>
      </table><${Pages} total=${pagination.totalCount} limit=${LIMIT} offset=${offset} /></div>`)}<//>
  </div>`;
}

const Nothing = () => html`<${Empty}><p>No brand is tracked yet.</p><p><a class="button primary" href=${link(["track"])}>Track a brand</a></p><//>`;

function Row({ row, period }) {
  const to = (tab) => link(["entities", row.entityId, tab], { period });
  return html`<tr>
    <th scope="row"><a href=${to("visibility")} class="breakable">${row.name}</a><div class="muted small breakable">${row.target}</div></th>
    <td data-label="Visibility"><${Rate} of=${row.visibility} /><${Interval} score=${row.visibility.score} interval=${row.visibility.interval} /></td>
    <td><${Sparkline} trend=${row.trend} label=${`Visibility of ${row.name}`} /></td>
    <td data-label="Change"><${Verdict} of=${row.comparison} />${row.comparison.change !== null && html`<div><${Change} of=${row.comparison} /></div>`}</td>
    <td data-label="To do"><a href=${to("tasks")}>${plural(row.activeActionables, "recommendation")}</a></td>
    <td data-label="Last check"><${Checks} status=${row.status} /></td>
  </tr>`;
}

/** The state of the checks in a few words. */
export function Checks({ status, isActive }) {
  const text = status.isProcessing ? "running now" : status.queued ? "waiting to start" : ago(status.lastCheckCompletedAt);
  return html`<span>${text}</span>
    ${!status.scheduled && html`<div class="muted small">${isActive === false ? "paused" : "none is scheduled"}</div>`}
    ${status.problems.map((problem) => html`<div key=${problem.reason + problem.modelId} class="notice small">${problem.reason}</div>`)}`;
}
