// Signing in with an API key.
import { useTitle } from "../router.js";
import { demoKey, session } from "../session.js";
import { html, useEffect, useState } from "../view.js";

export function SignIn({ reason, signIn }) {
  useTitle("Sign in");
  const [key, setKey] = useState("");
  const [demo, setDemo] = useState(null);
  useEffect(() => { demoKey().then(setDemo); }, []);
  const submit = (event) => {
    event.preventDefault();
    if (key.trim()) signIn(key.trim());
  };
  return html`<form class="card sign-in" onSubmit=${submit}>
    <h1>Visibility</h1>
    <p class="muted">How language models mention and cite your brand.</p>
    ${reason && html`<p class="notice bad" role="alert">${reason}</p>`}
    <label class="field"><span>API key</span>
      <input type="password" name="key" autocomplete="off" spellcheck="false" required pattern="\\s*[!-~]+\\s*" title="letters, digits and underscores" value=${key} onInput=${(event) => setKey(event.target.value)} />
      <span class="hint">The tabs of this console keep it until you sign out or close the last of them. A key that may only read is enough to look.</span></label>
    <button class="primary" type="submit">Sign in</button>
    ${demo && html`<button type="button" onClick=${() => { session.allowDemo(); signIn(demo, true); }}>Look at the demo</button>`}
  </form>`;
}
