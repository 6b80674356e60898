// A grid of figures, in which arrow keys move from cell to cell and only one cell is in the order of the Tab key.
import { count, isFew, percent, range } from "../format.js";
import { html, useRef, useState } from "../view.js";

const heat = (score) => (score === null || score === undefined || score === 0 ? "" : ` heat-${Math.min(4, Math.floor(score / 25) + 1)}`);

function Cell({ cell, label, isCurrent }) {
  const tabindex = isCurrent ? 0 : -1;
  if (!cell.responses) return html`<td class="grid-cell"><span tabindex=${tabindex} class="muted" aria-label=${`${label}: no answers`}>–</span></td>`;
  const text = `${label}: ${percent(cell.visibilityScore)}, ${count(cell.mentions)} of ${count(cell.responses)} answers, ${range(cell.interval)}`;
  return html`<td class=${`grid-cell${heat(cell.visibilityScore)}${isFew(cell.responses) ? " few" : ""}`}>
    <a href=${cell.href} tabindex=${tabindex} aria-label=${text} title=${text}><span class="number">${percent(cell.visibilityScore)}</span><br /><span class="small muted number">${count(cell.mentions)} of ${count(cell.responses)}</span></a></td>`;
}

/** `columns` have a key and a name. `rows` have a key, a name and cells; a cell has visibilityScore, mentions, responses, interval and href. */
export function Grid({ label, columns, rows }) {
  const [current, setCurrent] = useState([0, 0]);
  const body = useRef(null);
  const move = (event) => {
    const [row, column] = current;
    const [lastRow, lastColumn] = [rows.length - 1, columns.length - 1];
    const target = {
      ArrowUp: [row - 1, column], ArrowDown: [row + 1, column], ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1],
      Home: event.ctrlKey ? [0, 0] : [row, 0], End: event.ctrlKey ? [lastRow, lastColumn] : [row, lastColumn],
    }[event.key];
    if (!target || event.altKey || event.metaKey) return;
    event.preventDefault();
    const next = [Math.min(Math.max(target[0], 0), lastRow), Math.min(Math.max(target[1], 0), lastColumn)];
    setCurrent(next);
    body.current.rows[next[0]].cells[next[1] + 1].firstElementChild.focus();
  };
  return html`<div class="table-frame"><table role="grid" aria-label=${label}>
    <thead><tr><th scope="col">Prompt</th>${columns.map(({ key, name }) => html`<th scope="col" key=${key}>${name}</th>`)}</tr></thead>
    <tbody ref=${body} onKeyDown=${move}>${rows.map((row, rowIndex) => html`<tr key=${row.key}><th scope="row">${row.name}</th>
      ${row.cells.map((cell, column) => html`<${Cell} key=${columns[column].key} cell=${cell} label=${`${row.name}, ${columns[column].name}`} isCurrent=${current[0] === rowIndex && current[1] === column} />`)}</tr>`)}</tbody>
  </table></div>`;
}
