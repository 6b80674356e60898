// Controls that every view uses alike.
import { downloadTable } from "../api.js";
import { fileName } from "../format.js";
import { useAction } from "../resource.js";
import { change } from "../router.js";
import { html, useEffect, useRef } from "../view.js";
import { Failure } from "./states.js";

const PERIODS = [["7d", "7 days"], ["14d", "14 days"], ["30d", "30 days"]];
export const periodOf = (query) => (PERIODS.some(([id]) => id === query.period) ? query.period : "14d");

/** Returns the first and the last day of a period that ends today, in UTC. */
export function daysOf(period) {
  const [first, last] = [new Date(), new Date()];
  first.setUTCDate(last.getUTCDate() - Number.parseInt(period, 10) + 1);
  const day = (date) => date.toISOString().slice(0, 10);
  return { startDate: day(first), endDate: day(last) };
}

/** The choice of the days. It is part of the address. */
export const PeriodChoice = ({ period }) => html`<div class="segments" role="group" aria-label="Period">
  ${PERIODS.map(([id, text]) => html`<button key=${id} aria-pressed=${String(id === period)} onClick=${() => change({ period: id, offset: null })}>${text}</button>`)}
</div>`;

/** Saves the list beside it as a table. The file is named by what the list is about, the view, and the days of the query. */
export function TableDownload({ path, query, subject = "", view }) {
  const action = useAction();
  const save = () => downloadTable(path, query, fileName(subject, view, query.period ? daysOf(query.period) : query));
  return html`<button class="no-print" disabled=${action.isRunning} onClick=${() => action.run(save)}>Table (CSV)</button>
    ${action.error && html`<${Failure} error=${action.error} />`}`;
}

/** Steps through the pages of a list. */
export function Pages({ total, limit, offset }) {
  if (total <= limit && offset === 0) return null;
  const last = Math.min(offset + limit, total);
  return html`<nav class="row no-print" aria-label="Pages">
    <button disabled=${offset === 0} onClick=${() => change({ offset: Math.max(offset - limit, 0) || null })}>Previous</button>
    <span class="number">${total === 0 ? 0 : offset + 1} to ${last} of ${total}</span>
    <button disabled=${last >= total} onClick=${() => change({ offset: offset + limit })}>Next</button>
  </nav>`;
}

/** A modal dialog, which Escape closes. */
export function Dialog({ title, close, children }) {
  const element = useRef(null);
  useEffect(() => {
    element.current.showModal();
    return () => element.current?.close();
  }, []);
  return html`<dialog ref=${element} onClose=${close} aria-label=${title}><div class="stack"><h2>${title}</h2>${children}</div></dialog>`;
}

/** Asks before something is lost. */
export const Confirmation = ({ title, text, action, confirm, close }) => html`<${Dialog} title=${title} close=${close}>
  <p>${text}</p>
  ${action.error && html`<${Failure} error=${action.error} />`}
  <div class="row">
    <button class="danger" disabled=${action.isRunning} onClick=${confirm}>${title}</button>
    <button disabled=${action.isRunning} onClick=${close}>Cancel</button>
  </div>
<//>`;
