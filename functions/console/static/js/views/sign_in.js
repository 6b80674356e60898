// Signing in with an API key.
import { html, useState } from "../view.js";

export function SignIn({ reason, signIn }) {
  const [key, setKey] = useState("");
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
      <span class="hint">It stays in this tab until you close it. A key that may only read is enough to look.</span></label>
    <button class="primary" type="submit">Sign in</button>
  </form>`;
}
