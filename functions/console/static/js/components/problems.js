// What keeps checks from giving all answers, told so that nobody takes the service's keys for their own.
import { moment, sentence } from "../format.js";
import { html } from "../view.js";

const PROVIDERS = { anthropic: "Anthropic", demo: "demo", gemini: "Gemini", mistral: "Mistral", openai: "OpenAI", perplexity: "Perplexity", xai: "xAI" };

/** Joins the problems that have the same provider and reason. Each has the name of the provider, its models, and since when there is it. */
function joined(problems) {
  const found = new Map();
  for (const { provider, reason, modelId, since } of problems) {
    const key = JSON.stringify([provider, reason]);
    const known = found.get(key) ?? { key, name: provider && (PROVIDERS[provider] ?? provider), reason, models: [], since };
    if (modelId && !known.models.includes(modelId)) known.models.push(modelId);
    if (since < known.since) known.since = since;
    found.set(key, known);
  }
  return [...found.values()];
}

/** Tells each problem in a sentence. */
export const Problems = ({ of, modelName }) => html`<div role="status"><ul class="stack">${joined(of).map(({ key, name, reason, models, since }) => html`<li key=${key} class="notice small">
  ${name ? html`<strong>${name}</strong>, since ${moment(since)}: ${reason}.` : `${sentence(reason)} Since ${moment(since)}.`}
  ${models.length > 0 && ` It concerns ${models.map(modelName).join(", ")}.`}
  ${name && /\bkey\b/.test(reason) && ` This is the key with which this service asks ${name}, not your API key. The operator of the service has to look at it.`}</li>`)}</ul></div>`;

/** Tells in a few words where there are problems, and leads to them. */
export function ProblemNote({ of, href }) {
  const all = joined(of);
  if (all.length === 0) return null;
  const names = [...new Set(all.map((problem) => problem.name).filter(Boolean))];
  const text = names.length === 0 ? all.map((problem) => problem.reason).join(", ") : `${all.length === 1 ? "A problem" : "Problems"} at ${names.join(", ")}`;
  const since = all.map((problem) => problem.since).toSorted()[0];
  return html`<div class="notice small"><a href=${href}>${text} since ${moment(since)}</a></div>`;
}
