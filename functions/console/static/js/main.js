// Starts the page: signs in, loads what every view needs, and shows the view that the address names.
import { get, onRefusedKey } from "./api.js";
import { later } from "./later.js";
import { Resource, useResource } from "./resource.js";
import { link, useRoute } from "./router.js";
import { demoKey, session } from "./session.js";
import { html, render, useCallback, useEffect, useRef, useState } from "./view.js";
import { Empty, Failure, Loading } from "./components/states.js";
import { OverviewView } from "./views/overview.js";
import { SignIn } from "./views/sign_in.js";

const AnswerView = later(() => import("./views/answer.js"), "AnswerView");
const EntityView = later(() => import("./views/entity.js"), "EntityView");
const TrackView = later(() => import("./views/track.js"), "TrackView");

/** Returns what every view needs: the workspace, its models by UUID, and its entities. */
async function loadWorkspace(signal) {
  // A key that is bound to brands reaches nothing of the workspace itself.
  const ofWorkspace = get("/workspace", {}, signal).catch((error) => { if (error.status === 403) return { data: {} }; throw error; });
  const [details, models, entities] = await Promise.all([
    ofWorkspace,
    get("/models", {}, signal),
    get("/entities", {}, signal),
  ]);
  return {
    ...details.data,
    models: models.data,
    modelName: (uuid) => models.data.find((model) => model.uuid === uuid)?.name ?? "a former model",
    entities: entities.data,
  };
}

/** A page that does not exist, or that belongs to a brand of which this page does not know yet. */
function NotFound({ isLoading, reload }) {
  useEffect(reload, []);
  if (isLoading) return html`<${Loading} />`;
  return html`<${Empty}><h1>Not found</h1><p>There is no such page, or this key does not reach it.</p><p><a href=${link([])}>All brands</a></p><//>`;
}

function view(route, workspace, { reload, isLoading }) {
  const [place, id, tab] = route.path;
  if (place === "track" && workspace.workspace) return html`<${TrackView} workspace=${workspace} reload=${reload} />`;
  if (place === "answers" && id) return html`<${AnswerView} key=${id} id=${id} workspace=${workspace} />`;
  const entity = workspace.entities.find((entity) => entity.id === id);
  if (place === "entities" && entity) {
    return html`<${EntityView} key=${id} entity=${entity} tab=${tab ?? "visibility"} query=${route.query} workspace=${workspace} reload=${reload} />`;
  }
  return html`<${NotFound} key=${route.path.join("/")} isLoading=${isLoading} reload=${reload} />`;
}

function Page({ signOut }) {
  const route = useRoute();
  const workspace = useResource(loadWorkspace, []);
  const main = useRef(null);
  const place = route.path.join("/");
  const isFirst = useRef(true);
  useEffect(() => {
    // Whoever cannot see the page hears that it is another one.
    if (!isFirst.current) main.current.focus();
    isFirst.current = false;
  }, [place]);
  useEffect(() => onRefusedKey(signOut), [signOut]);
  return html`
    <a class="skip" href="#main" onClick=${(event) => { event.preventDefault(); main.current.focus(); }}>Skip to the content</a>
    <header class="top-bar">
      <a class="name quiet-link" href=${link([])}>Visibility</a>
      ${workspace.data?.workspace && html`<span class="muted small breakable">${workspace.data.workspace.name}</span>`}
      <nav class="end" aria-label="Workspace">
        ${workspace.data?.workspace && html`<a href=${link(["track"])}>Track a brand</a>`}
        <a href="/docs">API</a>
        <button onClick=${() => signOut(null)}>Sign out</button>
      </nav>
    </header>
    <main id="main" ref=${main} tabindex="-1">
      ${workspace.data?.subscription && html`<${Subscription} of=${workspace.data.subscription} />`}
      ${route.path.length === 0 ? html`${workspace.error && html`<${Failure} error=${workspace.error} retry=${workspace.reload} />`}<${OverviewView} query=${route.query} />` : html`<${Resource} of=${workspace}>${(data) => view(route, data, workspace)}<//>`}
    </main>`;
}

/** Says why nothing is checked any more. */
function Subscription({ of }) {
  const ended = of.expiresAt !== null && of.expiresAt <= Date.now();
  if (!ended && of.status !== "canceled") return null;
  return html`<p class="notice bad" role="status">The subscription ${of.status === "canceled" ? "is cancelled" : "has expired"}: figures stay readable, but nothing is checked or changed until it is renewed.</p>`;
}

function App() {
  const [state, setState] = useState({ isStarting: true, key: session.key(), reason: null });
  const signIn = useCallback((key, isDemo = false) => { session.start(key, isDemo); setState({ isStarting: false, key, reason: null }); }, []);
  /** Ends the session that the person wants to end, or whose key the service has refused. */
  const signOut = useCallback(async (reason, refused) => {
    // Responses to requests with a former key end no session.
    if (refused && refused !== session.key()) return;
    const wasDemo = session.isDemo();
    session.end(!refused);
    // A local host that was started again has another demo.
    const key = refused && wasDemo ? await demoKey() : null;
    if (key && key !== refused) signIn(key, true);
    else setState({ isStarting: false, key: null, reason });
  }, []);
  useEffect(() => {
    if (state.key) { setState((old) => ({ ...old, isStarting: false })); return; }
    demoKey().then((key) => (key ? signIn(key, true) : setState((old) => ({ ...old, isStarting: false }))));
  }, []);
  if (state.isStarting) return html`<${Loading} what="Starting" />`;
  if (!state.key) return html`<main><${SignIn} reason=${state.reason} signIn=${signIn} /></main>`;
  return html`<${Page} key=${state.key} signOut=${signOut} />`;
}

render(html`<${App} />`, document.getElementById("app"));
