// Loading, failed, empty.
import { html, useEffect, useState } from "../view.js";

export const Loading = ({ what = "Loading" }) => html`<p class="loading" role="status">${what} …</p>`;

export const Empty = ({ children }) => html`<div class="empty">${children}</div>`;

/** Says what failed. After too many requests it counts the seconds, and then tries again by itself. */
export function Failure({ error, retry }) {
  const [seconds, setSeconds] = useState(error.retryAfter ?? null);
  useEffect(() => setSeconds(error.retryAfter ?? null), [error]);
  useEffect(() => {
    if (seconds === null || !retry) return undefined;
    if (seconds <= 0) { retry(); return undefined; }
    const timer = setTimeout(() => setSeconds(seconds - 1), 1_000);
    return () => clearTimeout(timer);
  }, [seconds, retry]);
  const text = error.status === undefined ? "Something in this page failed. Load it again." : error.message;
  return html`<div class="notice bad row spread" role="alert">
    <span>${text}${retry && seconds > 0 && html`<span aria-hidden="true"> Trying again in ${seconds} s.</span>`}</span>
    ${retry && html`<button onClick=${retry}>Try again</button>`}
  </div>`;
}
