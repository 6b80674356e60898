// Figures, each with the number of answers behind it and its interval.
import { html } from "../view.js";
import { count, day, isFew, ofAnswers, percent, points, range, words } from "../format.js";

const VERDICTS = {
  up: ["▲", "up"],
  down: ["▼", "down"],
  no_clear_change: ["≈", "no clear change"],
  too_few_answers: ["?", "too few answers"],
  not_comparable: ["!", "not comparable"],
};
const REASONS = { model_changed: "a model has changed", no_rivals: "no rivals yet" };

/** The verdict of a comparison in words. */
export function Verdict({ of }) {
  const [sign, text] = VERDICTS[of.verdict] ?? ["", words(of.verdict)];
  const reason = of.reason ? `: ${REASONS[of.reason] ?? words(of.reason)}` : "";
  return html`<span class=${`verdict ${of.verdict}`}><span aria-hidden="true">${sign}</span> ${text}${reason}</span>`;
}

/** The change in points with its interval. */
export const Change = ({ of }) => html`<span class="number nowrap">${points(of.change)}</span>
  ${of.changeInterval && html`<span class="muted small number nowrap">${" "}(${range(of.changeInterval)})</span>`}`;

/** A share of answers: score, count and interval. */
export function Rate({ of }) {
  if (of.responses === 0) return html`<span class="muted">no answers</span>`;
  return html`<span class="number nowrap">${percent(of.score)}</span>
    ${" "}<span class="muted small number nowrap">${ofAnswers(of)}, ${range(of.interval)}</span>`;
}

/** An interval on a scale of 0 to 100. */
export function Interval({ score, interval, kind = "" }) {
  if (score === null || !interval) return null;
  const [low, high] = interval;
  return html`<svg class=${`interval ${kind}`} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
    <rect class="track" x="0" y="2" width="100" height="2" />
    <rect class="range" x=${low} y="1" width=${Math.max(high - low, 0.5)} height="4" />
    <rect class="point" x=${Math.min(Math.max(score - 0.4, 0), 99.2)} y="0" width="0.8" height="6" />
  </svg>`;
}

/** A small trend with its band on a scale of 0 to 100. Too few days to see a trend are said in words. */
export function Sparkline({ trend, label }) {
  if (trend.length < 3) return html`<span class="muted small">${trend.length === 0 ? "no answers yet" : `${count(trend.length)} days so far`}</span>`;
  const time = (point) => Date.parse(point.date) / 86_400_000;
  const [first, last] = [time(trend[0]), time(trend.at(-1))];
  const x = (point) => (((time(point) - first) / (last - first)) * 100).toFixed(1);
  const y = (score) => (40 - score * 0.4).toFixed(1);
  const upper = trend.map((point) => `${x(point)},${y(point.interval[1])}`);
  const lower = trend.toReversed().map((point) => `${x(point)},${y(point.interval[0])}`);
  const text = `${label}: from ${percent(trend[0].score)} on ${day(trend[0].date)} to ${percent(trend.at(-1).score)} on ${day(trend.at(-1).date)}`;
  return html`<svg class="sparkline" viewBox="0 0 100 40" preserveAspectRatio="none" role="img" aria-label=${text}>
    <polygon class="band" points=${[...upper, ...lower].join(" ")} />
    <polyline class="line" points=${trend.map((point) => `${x(point)},${y(point.score)}`).join(" ")} />
  </svg>`;
}

/** The counts of a few days as a small trend on a scale of its own, from 0 to `max`. */
export function CountSparkline({ counts, max, label }) {
  if (counts.length < 3) return null;
  const points = counts.map((value, index) => `${((index / (counts.length - 1)) * 100).toFixed(1)},${(39 - (value / Math.max(max, 1)) * 38).toFixed(1)}`);
  return html`<svg class="sparkline" viewBox="0 0 100 40" preserveAspectRatio="none" role="img" aria-label=${`${label}: from ${count(counts[0])} to ${count(counts.at(-1))} a day, at most ${count(Math.max(...counts))}`}>
    <polyline class="line" points=${points.join(" ")} />
  </svg>`;
}

/** A share with the counts behind it, its change and the verdict on it. `window` and `base` are texts. */
export const ShareChange = ({ title, of, window, base }) => html`<section class="card"><h3>${title}</h3>
  <div class="row"><span class="number">${window}</span> <${Verdict} of=${of} /> <${Change} of=${of} /></div>
  <p class="muted small number">Before: ${base}.</p></section>`;

/** A note under figures that rest on few answers. */
export const FewAnswers = ({ responses }) =>
  isFew(responses) && html`<p class="notice small">These figures rest on ${count(responses)} answers. They settle as more checks come in.</p>`;

/** A note about days whose answers were not read for today's names. `date` is null if there is no day that was. */
export function CountedSince({ date, first }) {
  if (date === null) return html`<p class="notice small">Not all answers of these days were read for today's names by today's rules. Mentions can be missing or too many.</p>`;
  return date > first && html`<p class="notice small">Before ${day(date)}, answers were read for other names or by earlier rules, which read items of lists, units and source marks otherwise. Mentions there can be missing or too many.</p>`;
}
