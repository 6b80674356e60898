// The field for new prompts, which can be pasted from a spreadsheet.
import { plural } from "../format.js";
import { html } from "../view.js";

/** `read` is what `readPrompts` has read of `value`. What it cannot read, and what it leaves out, is said before anything is sent. */
export function PromptField({ label, hint, value, set, read }) {
  const left = [
    read.present > 0 && `${plural(read.present, "prompt")} that ${read.present === 1 ? "is" : "are"} there already`,
    read.repeated > 0 && plural(read.repeated, "repetition"),
  ].filter(Boolean);
  return html`<label class="field"><span>${label}</span><textarea name="prompts" value=${value} onInput=${(event) => set(event.target.value)}></textarea><span class="hint">${hint}</span></label>
    <div role="status">${read.problem ? html`<p class="notice bad">${read.problem}</p>` : left.length > 0 && html`<p class="notice small">Left out: ${left.join(" and ")}.</p>`}</div>`;
}
