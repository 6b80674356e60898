// Tables whose rows become blocks where there is little room.
import { html, useLayoutEffect, useRef } from "../view.js";

const ROLES = [["thead, tbody", "rowgroup"], ["tr", "row"], ["thead th", "columnheader"], ["tbody th", "rowheader"], ["td", "cell"]];

/**
 * A table whose cells name their columns by `data-label`, because rows become blocks where it has too little room. What is shown as
 * blocks stays a table for screen readers because of its roles. `hasManyColumns` says that it needs nearly the width of the page.
 */
export function WideTable({ hasManyColumns = false, children }) {
  const element = useRef(null);
  useLayoutEffect(() => {
    for (const [selector, role] of ROLES) for (const part of element.current.querySelectorAll(selector)) part.setAttribute("role", role);
  });
  return html`<div class=${`wide-table${hasManyColumns ? " many-columns" : ""}`}><table ref=${element} role="table">${children}</table></div>`;
}
