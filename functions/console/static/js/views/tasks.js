// What to do next: recommendations with their evidence, and the board of tasks.
import { ApiError, get, post } from "../api.js";
import { Empty, Failure } from "../components/states.js";
import { count, days, percent, range, words } from "../format.js";
import { Resource, useAction, useResource } from "../resource.js";
import { html, useEffect, useRef, useState } from "../view.js";

const COLUMNS = ["not_started", "in_progress", "in_review", "done"];

export function TasksView({ entity, workspace, version }) {
  const { mayWrite } = workspace;
  const board = useResource((signal) => get("/entities/actions", { entityId: entity.id }, signal), [entity.id], version);
  const action = useAction();
  const [said, setSaid] = useState("");
  // Nothing else is changed before the board shows what came of the last change.
  const isBusy = action.isRunning || board.isLoading;
  /** Changes the board, loads it again even if that failed, and says what has happened. */
  const run = async (change, done) => {
    if (isBusy) return;
    const succeeded = await action.run(async () => {
      try {
        await change();
      } catch (error) {
        const isChanged = error instanceof ApiError && [404, 409].includes(error.status);
        throw isChanged ? new ApiError(error.status, `This has changed meanwhile: ${error.message} The board now shows the present state.`) : error;
      }
    });
    setSaid(succeeded ? done : "");
    board.reload();
  };
  return html`<p class="visually-hidden" role="status">${said}</p>
    ${action.error && html`<${Failure} error=${action.error} />`}
    <${Resource} of=${board}>${({ data }) => html`
      <${Board} tasks=${data.tasks} move=${(task, status) => run(() => post("/entities/actions/update-status", { taskId: task.id, status }), `“${task.title}” is now in ${words(status)}.`)} isBusy=${isBusy} mayWrite=${mayWrite} />
      <${Recommendations} of=${data.actionables.filter((actionable) => actionable.status === "active")} isBusy=${isBusy} mayWrite=${mayWrite}
        plan=${(actionable) => run(() => post("/entities/actions/create-task", { actionableId: actionable.id }), `“${actionable.title}” is on the board.`)}
        dismiss=${(actionable) => run(() => post("/entities/actions/dismiss", { actionableId: actionable.id }), `“${actionable.title}” is dismissed.`)} />`}<//>`;
}

function Board({ tasks, move, isBusy, mayWrite }) {
  const [dragged, setDragged] = useState(null);
  const [target, setTarget] = useState(null);
  /** The task that was moved without the mouse, whose element is made anew in its next column. */
  const focused = useRef(null);
  const element = useRef(null);
  useEffect(() => {
    const { id, status, control } = focused.current ?? {};
    if (!id || isBusy || tasks.find((task) => task.id === id)?.status !== status) return;
    const task = element.current.querySelector(`[data-task="${CSS.escape(id)}"]`);
    (control ? task?.querySelector("select") : task)?.focus();
    focused.current = null;
  }, [tasks, isBusy]);
  const byKey = (task) => (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!event.altKey || !step) return;
    // Otherwise the browser goes back or forward.
    event.preventDefault();
    const status = COLUMNS[COLUMNS.indexOf(task.status) + step];
    if (!status || isBusy) return;
    focused.current = { id: task.id, status, control: false };
    move(task, status);
  };
  const drop = (status) => (event) => {
    event.preventDefault();
    setTarget(null);
    const task = tasks.find((task) => task.id === dragged);
    if (task && task.status !== status) move(task, status);
  };
  return html`<section class="stack"><h3>Board</h3>${mayWrite && html`<p class="muted small">Drag a task, choose its column, or press Alt with the left or right arrow on it.</p>`}
    <div class="board" ref=${element} tabindex="0" role="group" aria-label="Board">${COLUMNS.map((status) => {
      const here = tasks.filter((task) => task.status === status).toSorted((a, b) => a.sortOrder - b.sortOrder);
      return html`<section key=${status} class=${`board-column${target === status ? " target" : ""}`} aria-label=${words(status)} data-status=${status}
        onDragOver=${(event) => { event.preventDefault(); setTarget(status); }} onDragLeave=${() => setTarget(null)} onDrop=${drop(status)}>
        <h4>${words(status)} <span class="muted number">${here.length}</span></h4>
        <ul>${here.map((task) => html`<li key=${task.id} class=${`task${dragged === task.id ? " moving" : ""}`} draggable=${mayWrite} tabindex=${mayWrite ? 0 : undefined} data-task=${task.id} aria-keyshortcuts=${mayWrite ? "Alt+ArrowLeft Alt+ArrowRight" : undefined}
          onDragStart=${(event) => { event.dataTransfer.setData("text/plain", task.id); setDragged(task.id); }} onDragEnd=${() => { setDragged(null); setTarget(null); }} onKeyDown=${mayWrite ? byKey(task) : undefined}>
          <strong>${task.title}</strong><div class="row spread"><span class="tag">${words(task.priority)}</span>
          ${mayWrite && html`<select aria-label=${`Column of “${task.title}”`} disabled=${isBusy} value=${task.status} onChange=${(event) => { focused.current = { id: task.id, status: event.target.value, control: true }; move(task, event.target.value); }}>${COLUMNS.map((column) => html`<option key=${column} value=${column} selected=${column === task.status}>${words(column)}</option>`)}</select>`}</div></li>`)}</ul></section>`;
    })}</div></section>`;
}

/** The number of recommendations that are shown at first. */
const SHOWN = 6;

function Recommendations({ of, isBusy, mayWrite, plan, dismiss }) {
  const [showsAll, setShowsAll] = useState(false);
  return html`<section class="stack"><h3>Recommendations <span class="muted number">${of.length}</span></h3>
    ${of.length === 0 && html`<${Empty}>Nothing is recommended now. Each check looks again.<//>`}
    <div class="columns">${(showsAll ? of : of.slice(0, SHOWN)).map((actionable) => html`<article key=${actionable.id} class="card"><header><h4>${actionable.title}</h4><span class="row"><span class="tag">${words(actionable.priority)} priority</span><span class="tag">${words(actionable.category)}</span></span></header>
      <p>${actionable.description}</p><${Evidence} of=${actionable.metadata} />
      ${mayWrite && html`<div class="row no-print"><button class="primary" disabled=${isBusy} onClick=${() => plan(actionable)}>Make it a task</button><button disabled=${isBusy} onClick=${() => dismiss(actionable)}>Dismiss</button></div>`}</article>`)}</div>
    ${!showsAll && of.length > SHOWN && html`<div><button onClick=${() => setShowsAll(true)}>Show all ${of.length}</button></div>`}</section>`;
}

/** The figures that support a recommendation, and the request of the API that gives them. */
function Evidence({ of }) {
  if (!of) return null;
  const counts = of.counts?.responses !== undefined ? `${count(of.counts.mentions)} of ${count(of.counts.responses)} answers` : of.counts ? `${count(of.counts.ownCitations)} of ${count(of.counts.citations)} citations` : null;
  const query = `${of.query.path}?${new URLSearchParams(of.query.parameters)}`;
  return html`<details class="small"><summary>Evidence</summary><dl class="definitions">
    <dt>Rule</dt><dd>${words(of.rule)}</dd>
    <dt>Days</dt><dd>${days(of.window)}</dd>
    ${counts && html`<dt>Figure</dt><dd class="number">${percent(of.score)} (${counts}, ${range(of.interval)})</dd>`}
    ${of.domain && html`<dt>Domain</dt><dd>${of.domain}, ${count(of.citations)} citations</dd>`}
    ${of.searchQuery && html`<dt>Search</dt><dd>${of.searchQuery}, ${count(of.frequency)} times</dd>`}
    <dt>Request</dt><dd><code>GET /v1${query}</code></dd></dl></details>`;
}
