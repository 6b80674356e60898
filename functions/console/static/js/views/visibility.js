// How often a brand is mentioned: the score, its change, the trend, and each prompt by each model.
import { get } from "../api.js";
import { TrendChart } from "../components/chart.js";
import { TableDownload } from "../components/controls.js";
import { Change, CountedSince, FewAnswers, Interval, Rate, Verdict } from "../components/figures.js";
import { Grid } from "../components/grid.js";
import { Empty } from "../components/states.js";
import { WideTable } from "../components/table.js";
import { days, fileName, movements, ofAnswers, percent, plural, range, sentence } from "../format.js";
import { Resource, useResource } from "../resource.js";
import { link } from "../router.js";
import { html } from "../view.js";

/** Loads the comparison and the trend of both of its windows. */
export async function loadComparison(entityId, period, signal) {
  const { data: comparison } = await get("/trends/compare", { entityId, period, metrics: "visibility" }, signal);
  const range = { startDate: comparison.base.startDate, endDate: comparison.window.endDate };
  const [trend, tags] = await Promise.all([
    get("/trends/visibility", { entityId, ...range }, signal),
    comparison.byTag.length > 0 ? get("/tags", {}, signal) : { data: [] },
  ]);
  const tagName = (id) => tags.data.find((tag) => tag.id === id)?.name ?? "a deleted tag";
  return { comparison, trend: trend.data, range, tagName };
}

export function VisibilityView({ entity, period, workspace, version }) {
  const loaded = useResource((signal) => loadComparison(entity.id, period, signal), [entity.id, period], version);
  const grid = useResource((signal) => loadGrid(entity, period, signal), [entity.id, period], version);
  return html`<${Resource} of=${loaded}>${({ comparison, trend, range, tagName }) => html`
    <${Headline} comparison=${comparison} workspace=${workspace} />
    <section class="card">
      ${trend.length === 0 ? html`<h3>By day</h3><${Empty}>There are no answers in these days yet.<//>` : html`<${TrendChart} title="By day" points=${trend} days=${range} boundary=${comparison.window.startDate} marks=${modelMarks(comparison, workspace)} label=${`Visibility of ${entity.name} by day, with the interval of each day`} name=${fileName(entity.name, "visibility", range)}><${TableDownload} path="/trends/visibility" query=${{ entityId: entity.id, ...range }} subject=${entity.name} view="visibility" /><//>
      <p class="muted small">The band is the 95 % interval of each day. The dashed line is where the days that are compared begin: ${days(comparison.window)} against ${days(comparison.base)}.</p>`}
      ${trend.length > 0 && html`<${CountedSince} date=${comparison.countedSince} first=${range.startDate} />`}</section>
    <${Breakdown} title="By model" rows=${comparison.byModel} name=${(row) => workspace.modelName(row.modelId)} to=${(row) => link(["entities", entity.id, "answers"], { period, models: row.modelId })} />
    <${Breakdown} title="By prompt" rows=${comparison.byPrompt} name=${(row) => row.prompt ?? "a deleted prompt"} to=${(row) => link(["entities", entity.id, "answers"], { period, promptIds: row.promptId })} />
    ${comparison.byTag.length > 0 && html`<${Breakdown} title="By tag" rows=${comparison.byTag} name=${(row) => tagName(row.tagId)} to=${(row) => link(["entities", entity.id, "answers"], { period, tags: row.tagId })} />`}`}<//>
    <section class="card"><header><h3>Each prompt by each model</h3></header>
      <p class="muted small">The share of answers that mention ${entity.name}, and how many answers there are, of its own prompts alone. Cells lead to the answers. A dashed cell rests on fewer than 20 answers.</p>
      <${Resource} of=${grid}>${(rows) => (rows.length === 0 ? html`<${Empty}>No prompts are tracked.<//>` : html`<${Grid} label="Visibility of each prompt by each model" columns=${entity.models.map((uuid) => ({ key: uuid, name: workspace.modelName(uuid) }))} rows=${rows.map((row) => ({ key: row.id, name: row.prompt, cells: row.cells.map((cell) => ({ ...cell, href: link(["entities", entity.id, "answers"], { period, promptIds: row.id, models: cell.model }) })) }))} />`)}<//></section>`;
}

/** Loads the figures of each prompt by each of the entity's models. */
async function loadGrid(entity, period, signal) {
  const lists = await Promise.all(entity.models.map((models) => get("/entities/prompts", { entityId: entity.id, period, models }, signal)));
  const [first] = lists;
  const byModel = lists.map((list) => new Map(list.data.map((prompt) => [prompt.id, prompt.stats])));
  return (first?.data ?? []).map((prompt) => ({
    ...prompt,
    cells: byModel.map((stats, index) => ({ model: entity.models[index], ...stats.get(prompt.id) })),
  }));
}

function Total({ of, days: shown, kind }) {
  return html`<div class="stack"><h3 class="muted">${days(shown)}</h3><p class=${`big-figure${kind === "base" ? " muted" : ""}`}>${percent(of.score)}</p>
    <p class="muted small number">${of.responses === 0 ? "no answers" : html`${ofAnswers(of)} answers mention it, ${range(of.interval)}`}</p>
    <${Interval} score=${of.score} interval=${of.interval} kind=${kind} /></div>`;
}

/** Returns the days on which a model first answered as another version, for a chart. */
export const modelMarks = ({ modelChanges }, workspace) =>
  modelChanges.flatMap(({ modelId, versions }) => versions.slice(1).map(({ version, firstDate }) => ({ date: firstDate, text: `${workspace.modelName(modelId)} answers as ${version}` })));

/** The answer to "did we move": the figures of both windows, the verdict, and what it says. */
export function Headline({ comparison, workspace }) {
  const { comparison: of, allAnswers } = comparison;
  const { window: now, base: before } = allAnswers;
  const areSomeLeftOut = of.window.responses > 0 && (now.responses !== of.window.responses || before.responses !== of.base.responses);
  const moved = [movements(comparison.byPrompt, "prompt"), movements(comparison.byModel, "model")].filter(Boolean);
  return html`<section class="card"><div class="columns">
      <${Total} of=${now} days=${comparison.window} kind="" />
      <${Total} of=${before} days=${comparison.base} kind="base" />
      <div class="stack"><h3 class="muted">Change</h3><p><${Verdict} of=${of} /></p><p><${Change} of=${of} /></p>
        <p class="small">${explain(comparison)}</p>
        ${moved.length > 0 && html`<p class="small number">${sentence(moved.join(", and "))}</p>`}
        ${areSomeLeftOut && html`<p class="muted small number">Compared are the answers to the same prompts by the same models: ${percent(of.window.score)} (${ofAnswers(of.window)}) with ${percent(of.base.score)} (${ofAnswers(of.base)}).</p>`}</div>
    </div>
    ${comparison.modelChanges.map((change) => html`<p key=${change.modelId} class="notice small">${workspace.modelName(change.modelId)} has changed: ${change.versions.map(({ version, firstDate, lastDate }) => `${version} (${days({ startDate: firstDate, endDate: lastDate })})`).join(", then ")}.</p>`)}
    <${LeftOut} of=${comparison.leftOut} />
    <${FewAnswers} responses=${now.responses} /></section>`;
}

function explain({ comparison, withoutChangedModels }) {
  switch (comparison.verdict) {
    case "up": return "More than chance explains.";
    case "down": return "More than chance explains.";
    case "no_clear_change": return "A change of this size can be chance.";
    case "too_few_answers": return "One of the windows has too few answers, or answers on fewer than three days.";
    default: return withoutChangedModels ? html`Without the models that changed: <${Verdict} of=${withoutChangedModels} /> <${Change} of=${withoutChangedModels} />` : "The windows cannot be compared.";
  }
}

/** Says what the comparison does not count, because only one window has answers to it. */
function LeftOut({ of }) {
  const parts = [[of.prompts.length, "prompt"], [of.models.length, "model"], [of.pairs.length, "prompt of one model"]].filter(([n]) => n > 0).map(([n, name]) => plural(n, name, name.replace("prompt of", "prompts of").replace(/^(prompt|model)$/, "$1s")));
  return parts.length > 0 && html`<p class="muted small">Not compared, because they were not asked alike in both windows: ${parts.join(", ")}.</p>`;
}

function Breakdown({ title, rows, name, to }) {
  return html`<section class="card"><h3>${title}</h3>${rows.length === 0 ? html`<p class="muted">Nothing to compare yet.</p>` : html`<${WideTable}>
    <thead><tr><th class="wide">${title.replace("By ", "").replace(/^./, (letter) => letter.toUpperCase())}</th><th>Visibility</th><th>Change</th></tr></thead>
    <tbody>${rows.map((row) => html`<tr key=${row.modelId ?? row.promptId ?? row.tagId}><th scope="row"><a href=${to(row)}>${name(row)}</a></th>
      <td data-label="Visibility"><${Rate} of=${row.window} /></td><td data-label="Change"><${Verdict} of=${row} /> <${Change} of=${row} /></td></tr>`)}</tbody><//>`}</section>`;
}
