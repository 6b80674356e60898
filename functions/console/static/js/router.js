// The address behind "#" names the view and its parameters, so that a view can be linked to and the server never sees either.
import { address } from "./api.js";
import { forgetUnsaved, isUnsaved } from "./unsaved.js";
import { useCallback, useEffect, useRef, useState } from "./view.js";

/** Returns {path: ["entities", "…"], query: {…}}. */
export function read(hash = location.hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?");
  return { path: path.split("/").filter(Boolean).map(decode), query: Object.fromEntries(new URLSearchParams(query)) };
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the address of a view. */
export const link = (path, query) => address(`#/${path.map(encodeURIComponent).join("/")}`, query);
export const open = (path, query) => { location.hash = link(path, query); };
/** Replaces parameters of the present view. */
export function change(parameters) {
  const { path, query } = read();
  open(path, { ...query, ...parameters });
}

/** Names the view in the tab of the browser and in its history. */
export function useTitle(text) {
  useEffect(() => {
    document.title = text ? `${text} – Visibility` : "Visibility";
    // A view without a title of its own has not that of the view before.
    return () => { document.title = "Visibility"; };
  }, [text]);
}

/**
 * Returns {route, leave, question}. `leave` runs what leaves the present view, as another address does. If the view has text that is not
 * saved, `question` is {yes, no} first, and null otherwise.
 */
export function useRoute() {
  const [route, setRoute] = useState(() => read());
  const [left, setLeft] = useState(null);
  const shown = useRef(location.hash);
  const leave = useCallback((then) => (isUnsaved() ? setLeft(() => then) : then()), []);
  useEffect(() => {
    const update = () => {
      const { hash } = location;
      const show = () => { location.hash = shown.current = hash; setRoute(read()); };
      if (read(hash).path.join("/") === read(shown.current).path.join("/")) { show(); return; }
      // The address stays that of the view until it is left.
      if (isUnsaved()) history.replaceState(null, "", shown.current || location.pathname);
      leave(show);
    };
    addEventListener("hashchange", update);
    return () => removeEventListener("hashchange", update);
  }, []);
  const question = left && {
    yes: () => { setLeft(null); forgetUnsaved(); left(); },
    no: () => setLeft(null),
  };
  return { route, leave, question };
}
