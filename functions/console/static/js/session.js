// The API key. Tabs keep it until they are closed, and hand it to new tabs of the same origin. It is never part of an address, and never
// stored where it outlives the last tab.
const NAME = "apiKey";
/** Says that the key is that of the demo. */
const DEMO = "isDemo";
/** Says that the person in front of this tab has signed out, so that it takes no key from other tabs. */
const SIGNED_OUT = "signedOut";
/** Says, in the storage that outlives tabs, that somebody has signed out or signed in with a key: no tab becomes the demo by itself. */
const NO_DEMO = "noDemo";

export const session = {
  key: () => sessionStorage.getItem(NAME),
  isDemo: () => sessionStorage.getItem(DEMO) !== null,
  start: (key, isDemo) => {
    sessionStorage.clear();
    sessionStorage.setItem(NAME, key);
    if (isDemo) sessionStorage.setItem(DEMO, "yes");
    else localStorage.setItem(NO_DEMO, "yes");
  },
  end: (isAsked) => {
    sessionStorage.clear();
    if (!isAsked) return;
    sessionStorage.setItem(SIGNED_OUT, "yes");
    localStorage.setItem(NO_DEMO, "yes");
  },
  isSignedOut: () => sessionStorage.getItem(SIGNED_OUT) !== null,
  wantsNoDemo: () => localStorage.getItem(NO_DEMO) !== null,
  allowDemo: () => localStorage.removeItem(NO_DEMO),
};

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

/** Returns the key of the demo workspace that the local host offers to pages of its own machine, or null. */
export async function demoKey() {
  if (!LOOPBACK.includes(location.hostname)) return null;
  try {
    const response = await fetch("/demo-key");
    return response.ok ? (await response.json()).apiKey : null;
  } catch {
    return null;
  }
}

/** Names the channel of the tabs of this origin, and the lock that each of them holds, by which they are counted. */
const TABS = "tabs";
/** How long a new tab waits for the others, which need some milliseconds. */
const WAIT_MS = 1_000;

/** Answers new tabs, and ends the session when another tab with the same key signs out. Returns what a tab that signs out calls. */
export function joinTabs(signedOut) {
  const channel = new BroadcastChannel(TABS);
  let usedAt = Date.now();
  for (const event of ["pointerdown", "keydown", "focus"]) addEventListener(event, () => { usedAt = Date.now(); }, { capture: true });
  channel.onmessage = ({ data: { ask, ended } }) => {
    if (ended && ended === session.key()) signedOut();
    if (ask) channel.postMessage({ answer: ask, usedAt, key: session.key(), isDemo: session.isDemo() });
  };
  // The lock is held until the tab is closed.
  navigator.locks?.request(TABS, { mode: "shared" }, () => new Promise(() => {}));
  return (key) => channel.postMessage({ ended: key });
}

/** Returns {key, isDemo} of the tab of this origin that was used last, whose key is null if it is signed out. Null without another tab. */
export async function sessionOfOtherTab() {
  const { held } = (await navigator.locks?.query()) ?? { held: [] };
  const others = held.filter((lock) => lock.name === TABS).length;
  if (others === 0) return null;
  const channel = new BroadcastChannel(TABS);
  const ask = crypto.randomUUID();
  const answers = [];
  await new Promise((resolve) => {
    channel.onmessage = ({ data }) => {
      if (data.answer === ask) answers.push(data);
      if (answers.length === others) resolve();
    };
    setTimeout(resolve, WAIT_MS);
    channel.postMessage({ ask });
  });
  channel.close();
  return answers.toSorted((a, b) => b.usedAt - a.usedAt)[0] ?? null;
}
