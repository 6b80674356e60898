// The address behind "#" names the view and its parameters, so that a view can be linked to and the server never sees either.
import { useEffect, useState } from "./view.js";
import { address } from "./api.js";

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
  useEffect(() => { document.title = text ? `${text} – Visibility` : "Visibility"; }, [text]);
}

export function useRoute() {
  const [route, setRoute] = useState(() => read());
  useEffect(() => {
    const update = () => setRoute(read());
    addEventListener("hashchange", update);
    return () => removeEventListener("hashchange", update);
  }, []);
  return route;
}
