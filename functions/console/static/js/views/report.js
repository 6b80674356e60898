// A report for a client, which prints well.
import { get } from "../api.js";
import { TrendChart } from "../components/chart.js";
import { Rate, Verdict } from "../components/figures.js";
import { Empty } from "../components/states.js";
import { count, days, fileName } from "../format.js";
import { Resource, useResource } from "../resource.js";
import { html } from "../view.js";
import { RivalTable } from "./rivals.js";
import { Headline, loadComparison, modelMarks } from "./visibility.js";

const ROWS = 10;

async function load(entityId, period, signal) {
  const filter = { entityId, period, limit: ROWS };
  const [visibility, rivals, cited, board] = await Promise.all([
    loadComparison(entityId, period, signal),
    get("/entities/competitors", filter, signal),
    get("/entities/citations", filter, signal),
    get("/entities/actions", { entityId, status: "active" }, signal),
  ]);
  return { ...visibility, rivals: rivals.data, cited: cited.data, actionables: board.data.actionables };
}

export function ReportView({ entity, period, workspace, version }) {
  const report = useResource((signal) => load(entity.id, period, signal), [entity.id, period], version);
  return html`<${Resource} of=${report}>${({ comparison, trend, range, rivals, cited, actionables }) => html`
    <div class="row no-print"><button class="primary" onClick=${() => print()}>Print or save as PDF</button></div>
    <p>How language models mention and cite ${entity.name} (${entity.target}): ${days(comparison.window)}, compared with ${days(comparison.base)}. Shares come with the number of answers or mentions that they were counted in, and with a 95 % interval.</p>
    <${Headline} comparison=${comparison} workspace=${workspace} />
    <section class="card">${trend.length === 0 ? html`<h3>Visibility by day</h3><${Empty}>No answers yet.<//>` : html`<${TrendChart} title="Visibility by day" points=${trend} days=${range} boundary=${comparison.window.startDate} marks=${modelMarks(comparison, workspace)} label=${`Visibility of ${entity.name} by day`} name=${fileName(entity.name, "visibility", range)} />`}</section>
    <section class="card"><h3>By prompt</h3><div class="table-frame"><table><thead><tr><th>Prompt</th><th>Visibility</th><th>Change</th></tr></thead>
      <tbody>${comparison.byPrompt.map((row) => html`<tr key=${row.promptId}><th scope="row">${row.prompt ?? "a deleted prompt"}</th><td><${Rate} of=${row.window} /></td><td><${Verdict} of=${row} /></td></tr>`)}</tbody></table></div></section>
    <section class="card"><h3>Named beside it</h3><${RivalTable} rows=${rivals} name=${entity.name} mayManage=${workspace.mayManage} /></section>
    <section class="card"><h3>Most cited domains</h3><div class="table-frame"><table><thead><tr><th>Domain</th><th class="number">Citations</th></tr></thead><tbody>${cited.map((row) => html`<tr key=${row.entityUuid}><th scope="row">${row.domain}</th><td class="number">${count(row.totalCitations)}</td></tr>`)}</tbody></table></div></section>
    <section class="card"><h3>Recommended next</h3>${actionables.length === 0 ? html`<p class="muted">Nothing now.</p>` : html`<ol class="stack">${actionables.slice(0, ROWS).map((actionable) => html`<li key=${actionable.id}><strong>${actionable.title}</strong><p class="small">${actionable.description}</p></li>`)}</ol>`}</section>`}<//>`;
}
