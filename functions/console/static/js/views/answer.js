// One answer: its text with the names in it, what counts as a mention and what does not, what it cites and searched for.
import { get } from "../api.js";
import { OutsideLink } from "../components/outside_link.js";
import { Empty } from "../components/states.js";
import { count, moment, words } from "../format.js";
import { readMarkdown } from "../markdown.js";
import { Resource, useResource } from "../resource.js";
import { link, useTitle } from "../router.js";
import { html } from "../view.js";

export function AnswerView({ id, workspace }) {
  const answer = useResource((signal) => get("/responses/details", { responseId: id }, signal), [id]);
  const question = answer.data?.data.prompt?.text;
  useTitle(question ? `Answer to ${question}` : "Answer");
  if (answer.error?.status === 404) return html`<div class="view"><h1>Answer</h1><${Empty}>There is no such answer, or its text is not kept any more.<//></div>`;
  return html`<${Resource} of=${answer}>${({ data }) => html`<${Answer} of=${data} workspace=${workspace} />`}<//>`;
}

function Answer({ of, workspace }) {
  const { response, prompt, mentions, notMentioned, citations, queryFanouts, summary } = of;
  const entity = workspace.entities.find((entity) => response.responseId.startsWith(`${entity.id}-`));
  const names = mentions.flatMap((mention) => [mention.entityName, ...(mention.isCurrentEntity ? entity?.aliases ?? [] : [])].map((name) => ({ name, kind: mention.isCurrentEntity ? "own" : "rival" })));
  return html`<article class="view">
    <div class="view-head"><div>
      <p class="small no-print">${entity && html`<a href=${link(["entities", entity.id, "answers"])}>Answers for ${entity.name}</a>`}</p>
      <h1>${prompt?.text ?? "A deleted prompt"}</h1>
      <p class="muted small">${workspace.modelName(response.modelId)}${response.modelVersion && ` (${response.modelVersion})`}, ${moment(response.createdAt)}${prompt && `, ${prompt.language}, ${prompt.geolocation}`}</p></div></div>
    <div class="columns">
      <section class="card"><h2>Answer</h2>
        ${response.state !== "answered" && html`<p class="notice">${response.state === "refused" ? "The model refused to answer" : "There is no answer"}${response.reason && `: ${response.reason}`}. It counts in no figure.</p>`}
        ${response.truncated && html`<p class="notice small">The answer was cut off at its maximum length.</p>`}
        <div class="answer-text">${readMarkdown(response.responseText, names).map((piece, index) => html`<${Piece} key=${index} of=${piece} />`)}</div>
        ${response.narration.length > 0 && html`<details><summary>What the model said beside the answer</summary><p class="muted small">It is not read for names and cites nothing.</p>${response.narration.map((passage, index) => html`<p key=${index} class="muted breakable">${passage}</p>`)}</details>`}</section>
      <div class="stack">
        <section class="card"><h2>Brands in it</h2>
          ${mentions.length === 0 && html`<p class="muted">It mentions no known brand.</p>`}
          <ol class="stack">${mentions.map((mention) => html`<li key=${mention.entityUuid}><span class="number">${mention.position}.</span> ${mention.entityName}${mention.isCurrentEntity && html` <span class="tag">your own</span>`}${mention.entityDomain && html` <span class="muted small">${mention.entityDomain}</span>`}</li>`)}</ol>
          ${notMentioned.length > 0 && html`<h3>Does not count</h3><ul class="stack">${notMentioned.map((brand) => html`<li key=${brand.entityUuid}>${brand.entityName}: <span class="muted">${words(brand.reason)}</span></li>`)}</ul>`}</section>
        <section class="card"><h2>Cites</h2>${citations.length === 0 ? html`<p class="muted">Nothing.</p>` : html`<ol class="stack">${citations.map((citation) => html`<li key=${citation.url}><${OutsideLink} url=${citation.url} showsAddress>${citation.title ?? citation.url}<//>${citation.kind === "in_text" && html` <span class="tag">in the text</span>`}${citation.title && html`<div class="muted small">${citation.url}</div>`}</li>`)}</ol>`}
          ${summary.unresolvedCitations > 0 && html`<p class="muted small">${count(summary.unresolvedCitations)} more, of which the provider does not tell the page.</p>`}
          ${summary.citationsTruncated && html`<p class="muted small">It cites more than is kept of an answer.</p>`}</section>
        <section class="card"><h2>Searched for</h2>${queryFanouts.length === 0 ? html`<p class="muted">Nothing.</p>` : html`<ul class="stack">${queryFanouts.map((fanout) => html`<li key=${fanout.query}>${fanout.query}</li>`)}</ul>`}</section>
      </div>
    </div></article>`;
}

/** A piece of an answer's text, with the names in it marked. */
function Piece({ of: { isStrong, url, isAddress, marks } }) {
  const text = marks.map(({ text, kind }, index) => (kind ? html`<mark key=${index} class=${kind}>${text}</mark>` : text));
  const linked = url ? html`<${OutsideLink} url=${url} showsAddress=${isAddress}>${text}<//>` : text;
  return isStrong ? html`<strong>${linked}</strong>` : html`${linked}`;
}
