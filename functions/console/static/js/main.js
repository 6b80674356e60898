// Starts the page: signs in, loads what every view needs, and shows the view that the address names.
import { get, onRefusedKey } from "./api.js";
import { later } from "./later.js";
import { Resource, useResource } from "./resource.js";
import { link, useRoute, useTitle } from "./router.js";
import { demoKey, joinTabs, session, sessionOfOtherTab } from "./session.js";
import { html, render, useCallback, useEffect, useRef, useState } from "./view.js";
import { Dialog } from "./components/controls.js";
import { Empty, Failure, Loading } from "./components/states.js";
import { OverviewView } from "./views/overview.js";
import { SignIn } from "./views/sign_in.js";

const AnswerView = later(() => import("./views/answer.js"), "AnswerView");
const EntityView = later(() => import("./views/entity.js"), "EntityView");
const TrackView = later(() => import("./views/track.js"), "TrackView");

/** Returns what every view needs: the workspace, its models by UUID, its entities, and what the key may do. */
async function loadWorkspace(signal) {
  // A key that is bound to brands reaches nothing of the workspace itself.
  const ofWorkspace = get("/workspace", {}, signal).catch((error) => { if (error.status === 403) return { data: {} }; throw error; });
  const [details, { data: key }, models, entities] = await Promise.all([
    ofWorkspace,
    get("/keys/self", {}, signal),
    get("/models", {}, signal),
    get("/entities", {}, signal),
  ]);
  const mayWrite = key.scope === "write";
  return {
    ...details.data,
    mayWrite,
    /** Whether the key may change what belongs to the workspace and to no brand: brands, names, tags, groups, webhooks. */
    mayManage: mayWrite && key.entityIds === null,
    models: models.data,
    modelName: (uuid) => models.data.find((model) => model.uuid === uuid)?.name ?? "a former model",
    entities: entities.data,
  };
}

/** A page that does not exist, or that belongs to a brand of which this page does not know yet. */
function NotFound({ isLoading, reload }) {
  useTitle("Not found");
  useEffect(reload, []);
  if (isLoading) return html`<${Loading} />`;
  return html`<${Empty}><h1>Not found</h1><p>There is no such page, or this key does not reach it.</p><p><a href=${link([])}>All brands</a></p><//>`;
}

function view(route, workspace, { reload, isLoading }) {
  const [place, id, tab] = route.path;
  if (place === "track" && workspace.mayManage) return html`<${TrackView} workspace=${workspace} reload=${reload} />`;
  if (place === "answers" && id) return html`<${AnswerView} key=${id} id=${id} workspace=${workspace} />`;
  const entity = workspace.entities.find((entity) => entity.id === id);
  if (place === "entities" && entity) {
    return html`<${EntityView} key=${id} entity=${entity} tab=${tab ?? "visibility"} query=${route.query} workspace=${workspace} reload=${reload} />`;
  }
  return html`<${NotFound} key=${route.path.join("/")} isLoading=${isLoading} reload=${reload} />`;
}

function Page({ signOut }) {
  const { route, leave, question } = useRoute();
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
      ${workspace.data?.workspace && html`<span class="muted small">${workspace.data.workspace.name}</span>`}
      ${workspace.data?.mayWrite === false && html`<span class="tag">Read only</span>`}
      <nav class="end" aria-label="Workspace">
        ${workspace.data?.mayManage && html`<a href=${link(["track"])}>Track a brand</a>`}
        <a href="/docs">API</a>
        <button onClick=${() => leave(() => signOut(null))}>Sign out</button>
      </nav>
    </header>
    <main id="main" ref=${main} tabindex="-1">
      ${workspace.data?.subscription && html`<${Subscription} of=${workspace.data.subscription} />`}
      ${route.path.length === 0 ? html`${workspace.error && html`<${Failure} error=${workspace.error} retry=${workspace.reload} />`}<${OverviewView} query=${route.query} mayManage=${workspace.data?.mayManage} />` : html`<${Resource} of=${workspace}>${(data) => view(route, data, workspace)}<//>`}
    </main>
    ${question && html`<${Dialog} title="Leave without saving?" close=${question.no}><p>What you have typed here is not saved.</p>
      <div class="row"><button onClick=${question.no}>Stay</button><button class="danger" onClick=${question.yes}>Leave</button></div><//>`}`;
}

/** Says why nothing is checked any more. */
function Subscription({ of }) {
  const ended = of.expiresAt !== null && of.expiresAt <= Date.now();
  if (!ended && of.status !== "canceled") return null;
  return html`<p class="notice bad" role="status">The subscription ${of.status === "canceled" ? "is cancelled" : "has expired"}: figures stay readable, but nothing is checked or changed until it is renewed.</p>`;
}

/** Returns {key, isDemo} with which this tab starts, or null if somebody has to sign in. */
async function firstSession() {
  if (session.key()) return { key: session.key(), isDemo: session.isDemo() };
  if (session.isSignedOut()) return null;
  const other = await sessionOfOtherTab();
  if (other) return other.key ? other : null;
  // Whoever had a key of their own must not work in the demo without knowing it.
  const key = session.wantsNoDemo() ? null : await demoKey();
  return key && { key, isDemo: true };
}

function App() {
  const [state, setState] = useState({ isStarting: true, key: null, reason: null });
  const tellTabs = useRef(null);
  const signIn = useCallback((key, isDemo = false) => { session.start(key, isDemo); setState({ isStarting: false, key, reason: null }); }, []);
  /** Ends the session that the person wants to end, or whose key the service has refused. */
  const signOut = useCallback(async (reason, refused) => {
    // Responses to requests with a former key end no session.
    if (refused && refused !== session.key()) return;
    const wasDemo = session.isDemo();
    if (!refused) tellTabs.current(session.key());
    session.end(!refused);
    // A local host that was started again has another demo.
    const key = refused && wasDemo ? await demoKey() : null;
    if (key && key !== refused) signIn(key, true);
    else setState({ isStarting: false, key: null, reason });
  }, []);
  useEffect(() => {
    firstSession().then((first) => {
      tellTabs.current = joinTabs(() => signOut(null));
      if (first) signIn(first.key, first.isDemo);
      else setState((old) => ({ ...old, isStarting: false }));
    });
  }, []);
  if (state.isStarting) return html`<${Loading} what="Starting" />`;
  if (!state.key) return html`<main><${SignIn} reason=${state.reason} signIn=${signIn} /></main>`;
  return html`<${Page} key=${state.key} signOut=${signOut} />`;
}

render(html`<${App} />`, document.getElementById("app"));
