// A trend with its band, drawn by uPlot.
import uPlot from "../../vendor/uPlot.js";
import { saveFile } from "../api.js";
import { day, number, ofAnswers, percent, range } from "../format.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "../view.js";

const DAY_SECONDS = 86_400;
const HEIGHT = 260;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const seconds = (date) => Date.parse(date) / 1_000;

/** Returns the columns of the chart: one row per day of the range, and null where there is no point, so that the line breaks. */
function columns(points, { startDate, endDate }) {
  const by = new Map(points.map((point) => [seconds(point.date), point]));
  const times = [];
  for (let time = seconds(startDate); time <= seconds(endDate); time += DAY_SECONDS) times.push(time);
  const column = (read) => times.map((time) => (by.has(time) ? read(by.get(time)) : null));
  return [times, column((point) => point.score), column((point) => point.interval[1]), column((point) => point.interval[0])];
}

/** Reads a colour of the tokens, which change with the colour scheme. */
const token = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Draws a vertical line before a day. A line with a letter has it at its top. */
function drawLine(chart, { date, letter = "", color, dash }) {
  const x = Math.round(chart.valToPos(seconds(date) - DAY_SECONDS / 2, "x", true));
  const { top, height } = chart.bbox;
  chart.ctx.save();
  chart.ctx.strokeStyle = chart.ctx.fillStyle = token(color);
  chart.ctx.font = `600 ${12 * devicePixelRatio}px system-ui`;
  chart.ctx.textBaseline = "top";
  chart.ctx.textAlign = "left";
  chart.ctx.fillText(letter, x + 4 * devicePixelRatio, top + 2 * devicePixelRatio);
  chart.ctx.setLineDash(dash);
  chart.ctx.beginPath();
  chart.ctx.moveTo(x, top);
  chart.ctx.lineTo(x, top + height);
  chart.ctx.stroke();
  chart.ctx.restore();
}

function options(width, lines, onDay) {
  const axis = { stroke: () => token("--muted"), grid: { stroke: () => token("--line"), width: 1 }, ticks: { show: false }, font: "12px system-ui" };
  const edge = { stroke: "transparent", points: { show: false } };
  return {
    width,
    height: HEIGHT,
    tzDate: (time) => uPlot.tzDate(new Date(time * 1_000), "Etc/UTC"),
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    scales: { x: { time: true }, y: { range: [0, 100] } },
    axes: [{ ...axis, size: 30, space: 70, values: (_, times) => times.map((time) => (time % DAY_SECONDS ? "" : day(new Date(time * 1_000).toISOString().slice(0, 10)))) }, { ...axis, size: 46, values: (_, values) => values.map((value) => `${value} %`) }],
    series: [{}, { stroke: () => token("--accent"), width: 2, points: { show: true, size: 6, fill: () => token("--surface") } }, edge, edge],
    bands: [{ series: [2, 3], fill: () => token("--band") }],
    hooks: {
      draw: [(chart) => lines.forEach((line) => drawLine(chart, line))],
      setCursor: [(chart) => onDay(chart.cursor.idx ?? null)],
    },
  };
}

/** Returns the drawn chart on the background of the page, so that its colours fit wherever the picture is shown. */
function picture(drawn) {
  const canvas = Object.assign(document.createElement("canvas"), { width: drawn.width, height: drawn.height });
  const pen = canvas.getContext("2d");
  pen.fillStyle = token("--surface");
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(drawn, 0, 0);
  return canvas;
}

/**
 * A trend of shares by day. Each point has date, score, mentions, responses and interval. `boundary` is the first day of the window,
 * which a line marks. `name` is that of its file. `marks` are [{date, text}], whose days are marked by letters that are explained below. `children` are buttons.
 */
export function TrendChart({ title, points, days, boundary, marks = [], label, name, children }) {
  const place = useRef(null);
  const chart = useRef(null);
  const [shown, setShown] = useState(null);
  const lettered = marks.map((mark, index) => ({ ...mark, letter: LETTERS[index % LETTERS.length] }));
  useLayoutEffect(() => {
    const data = columns(points, days);
    const lines = [{ date: boundary, color: "--muted", dash: [4, 4] }, ...lettered.map((mark) => ({ ...mark, color: "--notice", dash: [1, 3] }))];
    const element = place.current;
    chart.current = new uPlot(options(element.clientWidth, lines, setShown), data, element);
    const resized = new ResizeObserver(() => chart.current.setSize({ width: element.clientWidth, height: HEIGHT }));
    resized.observe(element);
    return () => { resized.disconnect(); chart.current.destroy(); };
  }, [points, days.startDate, days.endDate, boundary, JSON.stringify(marks)]);
  useEffect(() => {
    const schemes = [matchMedia("(prefers-color-scheme: dark)"), matchMedia("print")];
    const redraw = () => chart.current?.redraw(false);
    schemes.forEach((scheme) => scheme.addEventListener("change", redraw));
    return () => schemes.forEach((scheme) => scheme.removeEventListener("change", redraw));
  }, []);
  const save = () => picture(chart.current.ctx.canvas).toBlob((blob) => saveFile(blob, `${name}.png`));
  const date = shown === null ? null : new Date(chart.current.data[0][shown] * 1_000).toISOString().slice(0, 10);
  const point = date && points.find((point) => point.date === date);
  const readout = date === null ? "Point at a day to read it." : point ? `${day(date)}: ${percent(point.score)}, ${ofAnswers(point)} answers, ${range(point.interval)}` : `${day(date)}: no answers`;
  return html`<figure class="stack">
    <figcaption class="row spread"><h3>${title}</h3><div class="row">${children}<button class="no-print" onClick=${save}>Picture (PNG)</button></div></figcaption>
    <p class="small muted chart-readout" aria-hidden="true">${readout}</p>
    <div class="chart" ref=${place} role="img" aria-label=${[label, ...lettered.map(({ date, text }) => `from ${day(date)} on, ${text}`)].join("; ")}></div>
    ${lettered.length > 0 && html`<ul class="row small">${lettered.map(({ letter, date, text }) => html`<li key=${letter + date}><strong class="mark-letter">${letter}</strong> from ${day(date)} on, ${text}</li>`)}</ul>`}
    <details><summary>The days as a table</summary><div class="table-frame"><table>
      <caption class="visually-hidden">${label}</caption>
      <thead><tr><th>Day</th><th class="number">Visibility, %</th><th class="number">Answers that mention it</th><th class="number">Interval, %</th></tr></thead>
      <tbody>${points.toReversed().map((point) => html`<tr key=${point.date}><th scope="row">${day(point.date)}</th><td class="number">${number(point.score)}</td><td class="number">${ofAnswers(point)}</td><td class="number">${range(point.interval)}</td></tr>`)}</tbody>
    </table></div></details>
  </figure>`;
}
