// Text that somebody has typed and not saved. Whoever leaves it is asked first.
import { useLayoutEffect, useRef } from "./view.js";

/** The forms on the page that have such text. */
const forms = new Set();
export const isUnsaved = () => forms.size > 0;
/** Gives the text up, so that nobody is asked about it. */
export const forgetUnsaved = () => forms.clear();

/** Says whether the form of a component has text that is not saved. */
export function useUnsaved(isChanged) {
  const form = useRef({});
  useLayoutEffect(() => {
    if (!isChanged) return undefined;
    forms.add(form.current);
    return () => forms.delete(form.current);
  }, [isChanged]);
}

// The browser asks before it closes the tab or loads another page.
addEventListener("beforeunload", (event) => { if (isUnsaved()) event.preventDefault(); });
