// Views whose files the first view does not wait for.
import { ApiError, UNREACHABLE } from "./api.js";
import { Resource, useResource } from "./resource.js";
import { html } from "./view.js";

/** How long after the page itself the files are loaded, in milliseconds, if none of their views was opened before. */
const DELAY_MS = 1_000;

/** Returns the component of that name in a module, which `load` imports when the component is shown, or some time after the page. */
export function later(load, name) {
  const loadOrTell = () => load().catch(() => { throw new ApiError(0, UNREACHABLE); });
  // Who opens the view later is told what fails.
  const loadAhead = () => setTimeout(() => load().catch(() => {}), DELAY_MS);
  if (document.readyState === "complete") loadAhead();
  else addEventListener("load", loadAhead, { once: true });
  return (props) => {
    const module = useResource(loadOrTell, []);
    return html`<${Resource} of=${module}>${(loaded) => html`<${loaded[name]} ...${props} />`}<//>`;
  };
}
