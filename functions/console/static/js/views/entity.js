// One brand: its name, the state of its checks, and the tabs.
import { get } from "../api.js";
import { PeriodChoice, periodOf } from "../components/controls.js";
import { Problems } from "../components/problems.js";
import { Failure, Loading } from "../components/states.js";
import { useResource } from "../resource.js";
import { link, useTitle } from "../router.js";
import { html, useEffect, useRef } from "../view.js";
import { AnswersView } from "./answers.js";
import { CitationsView } from "./citations.js";
import { Checks } from "./overview.js";
import { ReportView } from "./report.js";
import { RivalsView } from "./rivals.js";
import { SearchesView } from "./searches.js";
import { SettingsView } from "./settings.js";
import { TasksView } from "./tasks.js";
import { VisibilityView } from "./visibility.js";

const TABS = [
  ["visibility", "Visibility", VisibilityView],
  ["citations", "Citations", CitationsView],
  ["searches", "Searches", SearchesView],
  ["rivals", "Rivals", RivalsView],
  ["answers", "Answers", AnswersView],
  ["tasks", "To do", TasksView],
  ["report", "Report", ReportView],
  ["settings", "Settings", SettingsView],
];
/** The tabs whose figures depend on the period. */
const WITH_PERIOD = ["visibility", "citations", "searches", "rivals", "answers", "report"];
/** The seconds between two looks at a running check, and at a rereading. */
const RUNNING_SECONDS = 5;
const REREADING_SECONDS = 15;

/** How far the running check is. A check of one part has no steps to show. */
function Progress({ of }) {
  if (!of || of.total < 2) return html`<progress class="progress" aria-label="A check is running"></progress>`;
  return html`<progress class="progress" value=${of.done} max=${of.total} aria-label="A check is running"></progress><span class="muted small number">${of.done} of ${of.total} parts are done</span>`;
}

export function EntityView({ entity, tab, query, workspace, reload }) {
  const period = periodOf(query);
  const status = useResource((signal) => get("/entities/tracking-status", { entityId: entity.id }, signal), [entity.id]);
  const checks = status.data?.data;
  const isBusy = Boolean(checks && (checks.isProcessing || checks.queued));
  const isRereading = Boolean(checks?.rereading);
  useEffect(() => {
    if (!(isBusy || isRereading) || status.isLoading || status.error) return undefined;
    const timer = setTimeout(status.reload, (isBusy ? RUNNING_SECONDS : REREADING_SECONDS) * 1_000);
    return () => clearTimeout(timer);
  }, [isBusy, isRereading, status.isLoading, status.error, status.reload]);
  // The figures change when a check has ended, and when a rereading has.
  const version = checks ? `${checks.lastCheckCompletedAt} ${isRereading}` : null;
  const tabs = useRef(null);
  useEffect(() => {
    // On a narrow window, the tabs scroll.
    const current = tabs.current.querySelector("[aria-current]");
    if (current) tabs.current.scrollLeft = current.offsetLeft - tabs.current.offsetLeft;
  }, [tab]);
  const tabsOfKey = workspace.mayWrite ? TABS : TABS.filter(([, , View]) => View !== SettingsView);
  const [, title, View] = TABS.find(([id]) => id === tab) ?? TABS[0];
  useTitle(`${entity.name}: ${title}`);
  return html`<div class="view">
    <div class="view-head"><div><p class="small no-print"><a href=${link([])}>All brands</a></p><h1>${entity.name}</h1>
      <div class="row small"><span class="muted">${entity.target}</span>
        ${checks && html`<span role="status">${isBusy || checks.lastCheckCompletedAt === null ? "" : "Last check "}<${Checks} status=${checks} isActive=${entity.isActive} /></span>`}
        ${isBusy && html`<${Progress} of=${checks.progress} />`}
        ${isRereading && html`<span class="tag">older answers are being read again</span>`}</div></div>
      ${WITH_PERIOD.includes(tab) && html`<${PeriodChoice} period=${period} />`}</div>
    ${checks?.problems.length > 0 && html`<${Problems} of=${checks.problems} modelName=${workspace.modelName} />`}
    <nav class="tabs" ref=${tabs} aria-label=${entity.name}>${tabsOfKey.map(([id, text]) => html`<a key=${id} href=${link(["entities", entity.id, id], { period })} aria-current=${id === tab ? "page" : undefined}>${text}</a>`)}</nav>
    <h2 class="visually-hidden">${title}</h2>
    ${status.error && html`<${Failure} error=${status.error} retry=${status.reload} />`}
    ${!checks && !status.error ? html`<${Loading} />` : html`<${View} entity=${entity} period=${period} query=${query} workspace=${workspace} reload=${reload} checks=${checks} reloadChecks=${status.reload} version=${version} />`}
  </div>`;
}
