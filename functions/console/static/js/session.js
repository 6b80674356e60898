// The API key, which this tab keeps until it is closed. It is never part of an address.
const NAME = "apiKey";
/** Says that the key is that of the demo. */
const DEMO = "isDemo";
/** Says that the person in front of this tab has signed out, and wants no demo. */
const SIGNED_OUT = "signedOut";

export const session = {
  key: () => sessionStorage.getItem(NAME),
  isDemo: () => sessionStorage.getItem(DEMO) !== null,
  start: (key, isDemo) => {
    sessionStorage.clear();
    sessionStorage.setItem(NAME, key);
    if (isDemo) sessionStorage.setItem(DEMO, "yes");
  },
  end: (isAsked) => {
    sessionStorage.clear();
    if (isAsked) sessionStorage.setItem(SIGNED_OUT, "yes");
  },
  isSignedOut: () => sessionStorage.getItem(SIGNED_OUT) !== null,
};

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

/** Returns the key of the demo workspace that the local host offers to pages of its own machine, or null. */
export async function demoKey() {
  if (session.isSignedOut() || !LOOPBACK.includes(location.hostname)) return null;
  try {
    const response = await fetch("/demo-key");
    return response.ok ? (await response.json()).apiKey : null;
  } catch {
    return null;
  }
}
