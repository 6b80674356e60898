// What a view is made of: templates that turn into elements, and hooks. Texts in templates always stay texts.
import { h, render } from "../vendor/preact.js";
import htm from "../vendor/htm.js";

export const html = htm.bind(h);
export { render };
export { useCallback, useEffect, useLayoutEffect, useRef, useState } from "../vendor/preact-hooks.js";
