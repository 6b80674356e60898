// Numbers, days and names as texts. A figure that does not exist is a dash.
const NONE = "–";
const decimal = new Intl.NumberFormat("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const whole = new Intl.NumberFormat("en");
const DAY = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", timeZone: "UTC" });
const MOMENT = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: "UTC", timeZoneName: "short" });
const RELATIVE = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

export const count = (number) => whole.format(number);
export const percent = (score) => (score === null || score === undefined ? NONE : `${decimal.format(score)} %`);
export const number = (value) => (value === null || value === undefined ? NONE : decimal.format(value));
const signed = (value) => decimal.format(value).replace("-", "−");
export const range = (interval) => (interval ? `${signed(interval[0])} to ${signed(interval[1])}` : NONE);
export const points = (change) =>
  change === null || change === undefined ? NONE : `${change > 0 ? "+" : ""}${signed(change)} points`;
/** "17 of 23": a share without its denominator says nothing. */
export const ofAnswers = ({ mentions, responses }) => `${count(mentions)} of ${count(responses)}`;
export const plural = (n, one, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`;

/** Says how many of some rows have gone up or down, as in "down for 6 of 8 prompts". Null if none has. */
export function movements(rows, name) {
  const moved = ["up", "down"].map((verdict) => [verdict, rows.filter((row) => row.verdict === verdict).length]).filter(([, n]) => n > 0);
  return moved.length === 0 ? null : `${moved.map(([verdict, n]) => `${verdict} for ${count(n)}`).join(" and ")} of ${plural(rows.length, name)}`;
}

/** Makes a text a sentence. */
export const sentence = (text) => `${text.replace(/^./, (letter) => letter.toUpperCase())}.`;

/** day is YYYY-MM-DD. */
export const day = (text) => DAY.format(new Date(`${text}T00:00:00Z`));
export const days = ({ startDate, endDate }) => (startDate === endDate ? day(startDate) : `${day(startDate)} – ${day(endDate)}`);
/** time is an ISO timestamp or milliseconds since 1970. It is shown in UTC, as all days are. */
export const moment = (time) => (time === null || time === undefined ? NONE : MOMENT.format(new Date(time)));

const UNITS = [["day", 86_400], ["hour", 3_600], ["minute", 60]];
export function ago(time, now = Date.now()) {
  if (time === null || time === undefined) return NONE;
  const seconds = (new Date(time).getTime() - now) / 1_000;
  const [unit, length] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ["minute", 60];
  return RELATIVE.format(Math.round(seconds / length), unit);
}

/** Turns a name into a part of the name of a file: letters and digits of any script, joined by dashes. */
function slug(name) {
  const plain = name.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").normalize("NFC").toLowerCase();
  return [...plain.replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")].slice(0, 60).join("").replace(/^-|-$/g, "");
}
/** Names a file by what it is about, the view and its days, as in velumora-visibility-2026-10-30-2026-11-29. */
export const fileName = (subject, view, { startDate, endDate }) => [slug(subject), slug(view), startDate, endDate].filter(Boolean).join("-");

const WORDS = {
  active: "active", dismissed: "dismissed", in_task: "on the board",
  not_started: "Not started", in_progress: "In progress", in_review: "In review", done: "Done",
  answered: "answered", refused: "refused", failed: "no answer",
  common_word: "the name is a common word here and nothing shows that the brand is meant",
  longer_name: "the name is part of a longer name",
  link_only: "the name occurs only in a link",
  nothing_found: "the text does not name it as a brand",
};
/** Returns the words for a value of the API, whose underscores otherwise become spaces. */
export const words = (value) => WORDS[value] ?? String(value).replaceAll("_", " ");
/** Whether a rate of so few answers says next to nothing. */
export const isFew = (responses) => responses < 20;
