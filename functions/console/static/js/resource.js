// What a view loads: while it loads, when it failed and when it is there.
import { ApiError } from "./api.js";
import { html, useCallback, useEffect, useRef, useState } from "./view.js";
import { Failure, Loading } from "./components/states.js";

/**
 * Loads when one of the inputs or `version` changes. Returns {data, error, isLoading, reload}. What was loaded before stays while the
 * same inputs load again.
 */
export function useResource(load, inputs, version = null) {
  const [state, setState] = useState({ data: null, error: null, isLoading: true });
  const [round, setRound] = useState(0);
  const reload = useCallback(() => setRound((round) => round + 1), []);
  const last = useRef(null);
  useEffect(() => {
    const stop = new AbortController();
    const isSame = last.current === JSON.stringify(inputs);
    last.current = JSON.stringify(inputs);
    setState((old) => ({ data: isSame ? old.data : null, error: null, isLoading: true }));
    load(stop.signal).then(
      (data) => !stop.signal.aborted && setState({ data, error: null, isLoading: false }),
      (error) => {
        if (stop.signal.aborted) return;
        if (!(error instanceof ApiError)) console.error(error);
        setState((old) => ({ ...old, error, isLoading: false }));
      },
    );
    return () => stop.abort();
  }, [...inputs, version, round]);
  return { ...state, reload };
}

/** Shows what was loaded by `children`, a function of the data, or what happened instead. */
export function Resource({ of, children }) {
  const failure = of.error && html`<${Failure} error=${of.error} retry=${of.reload} />`;
  if (of.data === null) return failure || html`<${Loading} />`;
  return html`${failure}${children(of.data)}`;
}

/**
 * Runs what changes something. Returns {run, isRunning, error}. While one runs, others are not begun. `run` resolves to whether it
 * succeeded.
 */
export function useAction() {
  const [state, setState] = useState({ isRunning: false, error: null });
  const running = useRef(false);
  const run = useCallback(async (action) => {
    if (running.current) return false;
    running.current = true;
    setState({ isRunning: true, error: null });
    try {
      await action();
      setState({ isRunning: false, error: null });
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) console.error(error);
      setState({ isRunning: false, error });
      return false;
    } finally {
      running.current = false;
    }
  }, []);
  return { ...state, run };
}
