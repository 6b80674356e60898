// Tables whose rows become blocks in narrow windows.
import { html, useLayoutEffect, useRef } from "../view.js";

const ROLES = [["thead, tbody", "rowgroup"], ["tr", "row"], ["thead th", "columnheader"], ["tbody th", "rowheader"], ["td", "cell"]];

/** A table whose cells name their columns by `data-label`. What is shown as blocks stays a table for screen readers because of its roles. */
export function WideTable({ children }) {
  const element = useRef(null);
  useLayoutEffect(() => {
    for (const [selector, role] of ROLES) for (const part of element.current.querySelectorAll(selector)) part.setAttribute("role", role);
  });
  return html`<table ref=${element} class="wide-table" role="table">${children}</table>`;
}
