// Goes through every view and action of the console in Chromium, compares what is shown with the API, and fails on the first thing that
// is wrong. Expects CONSOLE (the address), KEY, WORKSPACE, CHROMIUM and ADMIN (the operator's command line) in the environment. Writes a
// picture of each view to PICTURES, if that is set.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { AxeBuilder } from "@axe-core/playwright";
import { chromium } from "playwright-core";
import { payloads } from "./payloads.js";

const { CONSOLE, KEY, WORKSPACE, CHROMIUM, ADMIN, PICTURES } = process.env;
/** The budget of the first view, and the time above which the tour fails. A busy machine takes longer than the budget. */
const FIRST_VIEW_MS = 1_000;
const MAX_FIRST_VIEW_MS = 4_000;
const TABS = { visibility: "Visibility", citations: "Citations", searches: "Searches", rivals: "Rivals", answers: "Answers", tasks: "To do", report: "Report", settings: "Settings" };
const WIDTHS = [320, 390, 641, 768, 1024, 1440];

const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
const wrong = [];
const step = (text) => console.log(`${text}, ${Math.round(performance.now() / 1_000)} s`);
const admin = (...options) => JSON.parse(execFileSync(ADMIN.split("\n")[0], [...ADMIN.split("\n").slice(1), ...options], { encoding: "utf8" }));

async function api(path, { key = KEY, method = "GET", body } = {}) {
  const response = await fetch(new URL(`/v1${path}`, CONSOLE), { method, headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" }, body: body && JSON.stringify(body) });
  assert(response.ok, `${method} ${path}: ${response.status} ${await response.clone().text()}`);
  return response.json();
}

/** Opens a page of its own. Whatever it or a tab that it opens logs as an error is wrong, except failed requests that `expected` matches. */
async function newPage({ width = 1440, scheme = "light", forcedColors = "none", key, expected } = {}) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme, forcedColors, acceptDownloads: true });
  if (key) await context.addInitScript((key) => { if (location.origin !== "null") sessionStorage.setItem("apiKey", key); }, key);
  context.on("page", (page) => {
    const note = (text) => { if (!expected?.test(text)) wrong.push(`${page.url()}: ${text}`); };
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && note(message.text()));
    page.on("pageerror", (error) => note(error.stack));
    page.on("dialog", (dialog) => { note(`a dialog: ${dialog.type()} ${dialog.message()}`); dialog.dismiss(); });
    page.on("request", (request) => {
      if (new URL(request.url()).origin !== new URL(CONSOLE).origin && !request.url().startsWith("blob:")) note(`a request to ${request.url()}`);
      if (/wsk_/.test(request.url())) note("a key in an address");
      if (request.headers().authorization === "Bearer null") note(`a request without a key: ${request.url()}`);
    });
  });
  return context.newPage();
}

/** Goes to a view and waits until it has loaded. */
async function visit(page, path) {
  await page.goto(`${CONSOLE}#/${path}`);
  await loaded(page);
}

const drawn = (page) => page.evaluate(() => new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); }));

async function titled(page, title) {
  await page.waitForFunction((title) => document.title === title, title, { timeout: 2_000 }).catch(() => {});
  assert.equal(await page.title(), title);
}

async function loaded(page) {
  await page.locator("h1").first().waitFor();
  // The view of a new address is drawn with the next frame.
  await drawn(page);
  await page.waitForFunction(() => !document.querySelector(".loading"));
}

/** Checks what every view has to be: accessible, no wider than the window, with no control cut off, and without errors. */
async function inspect(page, name) {
  // A button that has just become usable is pale until its transition ends.
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map((animation) => animation.finished)));
  const { violations } = await new AxeBuilder({ page }).analyze();
  for (const violation of violations) wrong.push(`${name}: ${violation.id}: ${violation.nodes.map((node) => node.html.slice(0, 160)).slice(0, 3).join(" ")}`);
  await fits(page, name);
}

/** Checks that a view is no wider than the window, with no control cut off, and nothing beside its card. */
async function fits(page, name) {
  const { excess, cutOff, beside } = await page.evaluate(() => {
    const endOf = (element) => element.getBoundingClientRect().right;
    const inside = (frame, controls) => [...frame.querySelectorAll(controls)].filter((control) => endOf(control) > endOf(frame) + 1).map((control) => control.innerText ?? control.tagName);
    const cards = [...document.querySelectorAll("main .card, .view-head, .top-bar, dialog")];
    return {
      excess: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      // A grid of prompts and models scrolls in the smallest windows.
      cutOff: [...document.querySelectorAll(innerWidth < 390 ? ".table-frame:not(:has([role=grid]))" : ".table-frame")].flatMap((frame) => inside(frame, "button, a")),
      beside: cards.flatMap((card) => inside(card, ":not(:is(thead, .table-frame, .chart, .visually-hidden) *):not(thead, .visually-hidden)")),
    };
  });
  if (excess > 0) wrong.push(`${name}: ${excess} pixels wider than the window`);
  if (cutOff.length > 0) wrong.push(`${name}: cut off by the edge of a table: ${cutOff.slice(0, 3).join(", ")}`);
  if (beside.length > 0) wrong.push(`${name}: beside its card: ${beside.slice(0, 3).join(", ").slice(0, 200)}`);
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name.replaceAll(/\W+/g, "-")}.png`, fullPage: true });
}

const one = new Intl.NumberFormat("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const range = (interval) => interval.map((end) => one.format(end).replace("-", "−")).join(" to ");
const percent = (score) => `${one.format(score)} %`;
const text = async (locator) => (await locator.innerText()).replaceAll(/\s+/g, " ");

/** Measures the first view three times, each time with nothing in the browser's cache. The best time is the one without other work. */
async function firstView() {
  const times = [];
  let page;
  for (let tries = 0; tries < 3; tries += 1) {
    await page?.context().close();
    page = await newPage();
    const start = performance.now();
    await page.goto(CONSOLE);
    await page.locator("tbody tr").first().waitFor();
    times.push(Math.round(performance.now() - start));
  }
  const best = Math.min(...times);
  step(`the first view, signed in on the demo, takes ${times.join(", ")} ms (budget ${FIRST_VIEW_MS} ${best <= FIRST_VIEW_MS ? "✓" : "✗"})`);
  assert(best <= MAX_FIRST_VIEW_MS, "the first view takes too long");
  const { data } = await api("/entities/overview?period=14d&limit=25");
  for (const row of data.filter((row) => row.visibility.responses > 0)) {
    const shown = await text(page.locator("tbody tr", { hasText: row.target }));
    const { visibility, shareOfVoice: voice } = row;
    const parts = [row.name, percent(visibility.score), `${visibility.mentions} of ${visibility.responses}`, percent(voice.score), `${voice.mentions} of ${voice.mentionsOfAllBrands}`, `${row.activeActionables} to do`];
    for (const part of parts) assert(shown.includes(part), `${part} is not in ${shown}`);
  }
  await page.context().close();
  return data[0];
}

async function everyView(entity) {
  const { data: [response] } = await api(`/responses?entityId=${entity.entityId}&period=14d&limit=1`);
  const views = new Map([
    ["", "Visibility"],
    ["track", "Track a brand – Visibility"],
    [`answers/${response.responseId}`, `Answer to ${response.prompt} – Visibility`],
    ["nowhere", "Not found – Visibility"],
    ...Object.entries(TABS).map(([tab, title]) => [`entities/${entity.entityId}/${tab}?period=14d`, `${entity.name}: ${title} – Visibility`]),
  ]);
  for (const width of [1440, 390]) {
    for (const scheme of ["light", "dark"]) {
      const page = await newPage({ width, scheme, key: KEY });
      for (const [view, title] of views) {
        if (view === "nowhere") { await page.goto(`${CONSOLE}#/${view}`); await page.getByText("There is no such page").waitFor(); } else await visit(page, view);
        await titled(page, title);
        await inspect(page, `${view.split("/").at(-1).split("?")[0] || "overview"} ${width} ${scheme}`);
      }
      await page.context().close();
    }
  }
  const page = await newPage({ key: KEY });
  await page.goto(CONSOLE);
  await loaded(page);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("API key").waitFor();
  await titled(page, "Sign in – Visibility");
  await inspect(page, "sign-in");
  await page.context().close();
}

/** Looks at every width at the brand of the demo, and at one whose texts are words as long as they may be. */
async function everyWidth(entity) {
  const { apiKey: key } = admin("workspace", "create", "--name", "W".repeat(100), "--credits", "1000", "--reads-per-minute", "10000", "--writes-per-minute", "10000");
  const models = (await api("/models", { key })).data.map((model) => model.uuid);
  const [name, prompt] = ["N".repeat(120), "p".repeat(600)];
  const { data: { id: tag } } = await api("/tags", { key, method: "POST", body: { name: "t".repeat(60) } });
  const { data: long } = await api("/entities", { key, method: "POST", body: { name, domain: `${"d".repeat(60)}.example`, models, prompts: [{ prompt, tags: [tag] }, { prompt: "Which shoes last longest?", tags: [tag] }] } });
  await api("/entities", { key, method: "POST", body: { name: "R".repeat(120), domain: "rival.example", models, prompts: [prompt], startTracking: false } });
  await checked(long, key);
  for (const [of, id, key_] of [["demo", entity.entityId, KEY], ["long", long.id, key]]) {
    const { data: [response] } = await api(`/responses?entityId=${id}&limit=1`, { key: key_ });
    const page = await newPage({ key: key_ });
    for (const view of ["", "track", `answers/${response.responseId}`, ...Object.keys(TABS).map((tab) => `entities/${id}/${tab}`)]) {
      await visit(page, view);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        await drawn(page);
        await fits(page, `${of} ${view.split("/").at(-1) || "overview"} ${width}`);
      }
    }
    if (of === "long") {
      // A brand that no answer mentions or cites is among its rivals all the same.
      await visit(page, `entities/${id}/rivals`);
      const own = page.locator("tbody tr", { hasText: "your own" });
      assert.equal(await text(own.locator("td[data-label=Mentions]")), "0");
      // The tag stands beside its prompt.
      await visit(page, `entities/${id}/settings`);
      const row = page.locator("li", { hasText: "Which shoes last longest?" });
      const middle = async (part) => { const { y, height } = await part.boundingBox(); return y + height / 2; };
      assert(Math.abs((await middle(row.locator("label"))) - (await middle(row.locator(".tag").last()))) <= 1, "a tag is not beside its prompt");
    }
    await page.setViewportSize({ width: 390, height: 900 });
    await visit(page, `entities/${id}/rivals`);
    assert.equal(await page.locator("tbody tr").last().evaluate((row) => getComputedStyle(row).borderBottomWidth), "0px");
    await page.context().close();
  }
}

async function figures(entity) {
  const page = await newPage({ key: KEY });
  const id = entity.entityId;
  await visit(page, `entities/${id}/visibility?period=14d`);
  const { data } = await api(`/trends/compare?entityId=${id}&period=14d&metrics=visibility`);
  assert.equal(await page.locator(".big-figure").first().innerText(), percent(data.allAnswers.window.score));
  assert((await text(page.locator("section").first())).includes(`${data.allAnswers.window.mentions} of ${data.allAnswers.window.responses} answers mention it, ${range(data.allAnswers.window.interval)}`));
  for (const row of data.byPrompt) {
    const shown = await text(page.locator("tr", { hasText: row.prompt }).first());
    assert(shown.includes(`${row.window.mentions} of ${row.window.responses}`) && shown.includes(row.verdict.replaceAll("_", " ")), shown);
  }
  const [model] = (await api("/entities")).data.find((row) => row.id === id).models;
  for (const prompt of (await api(`/entities/prompts?entityId=${id}&period=14d&models=${model}&union=false`)).data) {
    const cell = page.locator("[role=grid] tbody tr", { hasText: prompt.prompt }).locator("td").first();
    assert.equal(await text(cell), `${percent(prompt.stats.visibilityScore)} ${prompt.stats.mentions} of ${prompt.stats.responses}`);
  }
  await page.locator("summary", { hasText: "The days as a table" }).click();
  const trend = (await api(`/trends/visibility?entityId=${id}&startDate=${data.base.startDate}&endDate=${data.window.endDate}`)).data;
  assert.equal(await page.locator("figure tbody tr").count(), trend.length);
  await page.locator(".u-over").hover();
  assert.match(await page.locator(".chart-readout").innerText(), /\d+ of \d+ answers|no answers/);
  // A model of the third brand has a new version since the window began.
  const replaced = (await api("/entities")).data.find((row) => row.name === "Stridara");
  const { modelChanges: [changed] } = (await api(`/trends/compare?entityId=${replaced.id}&period=14d&metrics=visibility`)).data;
  await visit(page, `entities/${replaced.id}/visibility?period=14d`);
  assert.match(await text(page.locator("li:has(.mark-letter)")), new RegExp(`^A from .* on, .* answers as ${changed.versions[1].version}$`));
  await visit(page, `entities/${id}/citations?period=14d`);
  const [cited] = (await api(`/entities/citations?entityId=${id}&period=14d`)).data;
  assert((await text(page.locator("tbody tr").first())).includes(`${cited.domain} ${cited.totalCitations}`.split(" ")[0]));
  await page.getByRole("button", { name: `URLs of ${cited.domain}` }).click();
  await page.locator("dialog tbody tr").first().waitFor();
  await inspect(page, "URLs of a domain");
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
  await visit(page, `entities/${id}/rivals?period=14d`);
  const rivals = (await api(`/entities/competitors?entityId=${id}&period=14d`)).data;
  for (const rival of rivals.slice(0, 3)) assert((await text(page.locator("tbody tr").nth(rival.rank - 1))).includes(percent(rival.shareOfVoice)));
  await visit(page, `entities/${id}/searches?period=14d`);
  const [fanout] = (await api(`/query-fanouts?entityId=${id}&period=14d`)).data;
  assert((await text(page.locator("tbody tr").first())).startsWith(`${fanout.query} ${fanout.frequency} ${fanout.uniqueResponses}`));
  await page.getByPlaceholder("Text in the search").fill("no such search");
  await page.keyboard.press("Enter");
  await page.getByText("No search contains").waitFor();
  await visit(page, `entities/${id}/answers?period=14d`);
  await page.getByLabel("Prompt").selectOption({ index: 1 });
  await loaded(page);
  const mentioned = (await api(`/responses?entityId=${id}&period=14d&limit=100`)).data.find((row) => row.isMentioned);
  await visit(page, `answers/${mentioned.responseId}`);
  assert.equal(await page.locator("mark.own").first().innerText(), entity.name);
  await markdown(page, id);
  await page.context().close();
}

/** Compares an answer that has bold parts and links with its Markdown. */
async function markdown(page, id) {
  for (const { responseId } of (await api(`/responses?entityId=${id}&period=14d&limit=100`)).data) {
    const { responseText } = (await api(`/responses/details?responseId=${responseId}`)).data.response;
    const [, bold] = responseText.match(/\*\*([^*\n]+)\*\*/) ?? [];
    const [, url] = responseText.match(/\]\((https:[^()\s]+)\)/) ?? [];
    if (!bold || !url) continue;
    await visit(page, `answers/${responseId}`);
    const shown = page.locator(".answer-text");
    assert.equal(await shown.locator("strong").first().innerText(), bold);
    assert.equal(await shown.locator("a").first().getAttribute("href"), url);
    assert.doesNotMatch(await shown.innerText(), /\*\*|\]\(/);
    return;
  }
  assert.fail("no answer has bold parts and links");
}

/** Follows every link and saves every table: what a view shows and saves is what its address and the API say. */
async function links(entity) {
  const id = entity.entityId;
  const rows = (await api(`/entities/prompts?entityId=${id}`)).data.slice(0, 3);
  const { data: { id: tagId } } = await api("/tags", { method: "POST", body: { name: "Planning" } });
  await api("/entities/updateprompt", { method: "PATCH", body: { updates: rows.map((row) => ({ promptId: row.id, tags: [tagId] })) } });
  const page = await newPage({ key: KEY });
  const requests = [];
  page.on("request", (request) => { const url = new URL(request.url()); if (url.pathname.startsWith("/v1/")) requests.push(url); });
  const read = (url) => [...url.searchParams].map((pair) => pair.join("=")).filter((pair) => !/^(limit|offset)=/.test(pair)).toSorted();
  // Each row of a breakdown leads to the answers behind it.
  await visit(page, `entities/${id}/visibility?period=14d`);
  const { data } = await api(`/trends/compare?entityId=${id}&period=14d&metrics=visibility`);
  assert.deepEqual(data.byTag.map((row) => row.tagId), [tagId]);
  const behind = [["By model", data.byModel, "models", "modelId"], ["By prompt", data.byPrompt, "promptIds", "promptId"], ["By tag", data.byTag, "tags", "tagId"]];
  for (const [title, breakdown, parameter, of] of behind) {
    for (const [index, row] of breakdown.entries()) {
      const filter = `entityId=${id}&period=14d&${parameter}=${row[of]}`;
      const { pagination: { total } } = await api(`/responses?${filter}&limit=1`);
      assert(total >= row.window.responses && total > 0);
      await page.locator("section", { has: page.getByRole("heading", { name: title, exact: true }) }).locator("tbody a").nth(index).click();
      await page.getByText(`${new Intl.NumberFormat("en").format(total)} answers, latest first`).waitFor({ timeout: 5_000 });
      if (index === 0) {
        const saved = await save(page, "Table (CSV)");
        assert.equal(saved.text, await (await fetch(new URL(`/v1/responses?${filter}`, CONSOLE), { headers: { Authorization: `Bearer ${KEY}`, Accept: "text/csv" } })).text());
      }
      await page.goBack();
      await loaded(page);
    }
  }
  // Whatever a link says, the view that it leads to asks the API for it, and saves it.
  const [followed, toFollow] = [new Set(), [""]];
  const today = () => new Date().toISOString().slice(0, 10);
  const firstDay = today();
  while (toFollow.length > 0) {
    const address = toFollow.pop();
    const [path, query = ""] = address.replace(/^#?\/?/, "").split("?");
    // Of links that differ only in their values, one is enough.
    const kind = `${path.replaceAll(/[0-9A-Za-z-]{16,}/g, "*")}?${[...new URLSearchParams(query).keys()].toSorted()}`;
    if (followed.has(kind)) continue;
    followed.add(kind);
    await visit(page, address.replace(/^#?\//, ""));
    requests.length = 0;
    await page.reload();
    await loaded(page);
    const asked = new Set(requests.flatMap(read));
    // The period of a view without figures of days is that of the tabs beside it.
    const carried = /(tasks|settings)$/.test(path) ? /^period=/ : /^$/;
    for (const [name, value] of new URLSearchParams(query)) assert(asked.has(`${name}=${value}`) || carried.test(`${name}=`), `${address} says ${name}, which the view does not read`);
    for (const table of await page.getByRole("button", { name: "Table (CSV)" }).all()) {
      const shown = [...requests];
      const saved = await save(page, table);
      const { url } = saved;
      assert(shown.some((request) => request.pathname === url.pathname && String(read(request)) === String(read(url))), `${address} saves another list than it shows`);
      const [brand, view] = path.split("/").slice(1);
      const start = brand ? new RegExp(`^${entity.name.toLowerCase()}-${view === "citations" ? "cited-domains" : view}-`) : /^brands-/;
      assert.match(saved.name, start);
      assert.match(saved.name, new RegExp(`-\\d{4}-\\d\\d-\\d\\d-(${firstDay}|${today()})\\.csv$`));
    }
    const next = await page.locator("main a[href^='#/']").evaluateAll((found) => found.map((link) => link.getAttribute("href")));
    // Other brands have the same views.
    toFollow.push(...next.filter((href) => !href.startsWith("#/entities/") || href.includes(id)));
  }
  assert(followed.size >= 14, [...followed].join(" "));
  await api(`/tags?tagId=${tagId}`, { method: "DELETE" });
  await page.context().close();
}

/** Clicks a button that saves a file. Returns {name, text, url}, where the URL is that of the API's response, if there is one. */
async function save(page, button) {
  const download = page.waitForEvent("download");
  const request = page.waitForRequest((request) => request.headers().accept === "text/csv", { timeout: 5_000 }).catch(() => null);
  await (typeof button === "string" ? page.getByRole("button", { name: button }) : button).click();
  const file = await download;
  const path = await file.path();
  return { name: file.suggestedFilename(), path, text: readFileSync(path, "utf8"), url: /csv$/.test(file.suggestedFilename()) && new URL((await request).url()) };
}

/** Saves the picture of a chart in both colour schemes, and looks at its points. */
async function pictures(entity) {
  for (const scheme of ["light", "dark"]) {
    const page = await newPage({ scheme, key: KEY });
    await visit(page, `entities/${entity.entityId}/visibility?period=14d`);
    const { name, path } = await save(page, "Picture (PNG)");
    assert.match(name, new RegExp(`^${entity.name.toLowerCase()}-visibility-\\d{4}-\\d\\d-\\d\\d-\\d{4}-\\d\\d-\\d\\d\\.png$`));
    const { corners, surface, colours } = await page.evaluate(async (bytes) => {
      const picture = await createImageBitmap(new Blob([Uint8Array.from(bytes)]));
      const canvas = Object.assign(document.createElement("canvas"), { width: picture.width, height: picture.height });
      const pen = canvas.getContext("2d", { willReadFrequently: true });
      pen.drawImage(picture, 0, 0);
      const point = (x, y) => [...pen.getImageData(x, y, 1, 1).data].join();
      pen.fillStyle = getComputedStyle(document.querySelector(".card")).backgroundColor;
      const corners = [point(0, 0), point(canvas.width - 1, canvas.height - 1)];
      const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
      const colours = new Set(Array.from({ length: data.length / 4 }, (_, index) => [...data.subarray(4 * index, 4 * index + 4)].join()));
      pen.fillRect(0, 0, 1, 1);
      return { corners, surface: point(0, 0), colours: [...colours] };
    }, [...readFileSync(path)]);
    assert.deepEqual(corners, [surface, surface], `the picture has another background in ${scheme}`);
    assert(colours.length > 10 && colours.every((colour) => colour.endsWith(",255")), "the picture is transparent or empty");
    await page.context().close();
  }
  // With the colours of the system, one tab is marked.
  const page = await newPage({ forcedColors: "active", key: KEY });
  await visit(page, `entities/${entity.entityId}/visibility?period=14d`);
  const lines = await page.locator(".tabs a").evaluateAll((tabs) => tabs.map((tab) => getComputedStyle(tab).borderBottomColor !== getComputedStyle(document.documentElement).backgroundColor));
  assert.deepEqual(lines, Object.keys(TABS).map((tab) => tab === "visibility"));
  await page.context().close();
}

async function keyboard(entity) {
  const page = await newPage({ key: KEY });
  await page.goto(CONSOLE);
  await page.locator("tbody tr").first().waitFor();
  await tabTo(page, (element) => element.textContent.trim(), entity.name);
  await page.keyboard.press("Enter");
  await page.locator("[role=grid]").waitFor();
  await loaded(page);
  assert(await page.evaluate(() => document.activeElement.tagName === "MAIN"), "the focus is not on the new view");
  await tabTo(page, (element) => (element.closest("[role=grid]") ? "grid" : ""), "grid");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  const place = await page.evaluate(() => [document.activeElement.closest("tr").rowIndex, document.activeElement.closest("td").cellIndex]);
  assert.deepEqual(place, [2, 2]);
  await page.keyboard.press("Enter");
  await page.waitForURL(/answers\?.*promptIds=/);
  await loaded(page);
  await visit(page, `entities/${entity.entityId}/tasks`);
  const task = (await board(entity)).tasks.find((task) => task.status === "not_started");
  await tabTo(page, (element) => element.dataset.task ?? "", task.id);
  await page.keyboard.press("Alt+ArrowRight");
  await page.getByText(`“${task.title}” is now in In progress.`).waitFor({ state: "attached" });
  await page.waitForFunction((id) => document.activeElement?.closest("[data-status=in_progress]") && document.activeElement.dataset.task === id, task.id);
  await page.reload();
  await page.locator(`[data-status=in_progress] [data-task="${task.id}"]`).waitFor();
  await page.context().close();
}

/** Presses Tab until `read` of the focused element is `wanted`. */
async function tabTo(page, read, wanted) {
  for (let presses = 0; presses < 150; presses += 1) {
    await page.keyboard.press("Tab");
    if ((await page.evaluate(`(${read})(document.activeElement)`)) === wanted) return;
  }
  assert.fail(`Tab does not reach ${wanted}`);
}

const board = async (entity) => (await api(`/entities/actions?entityId=${entity.entityId}`)).data;

async function tasks(entity) {
  const [page, other] = [await newPage({ key: KEY }), await newPage({ key: KEY, expected: /status of 40[49]/ })];
  await visit(page, `entities/${entity.entityId}/tasks`);
  await visit(other, `entities/${entity.entityId}/tasks`);
  const task = (await board(entity)).tasks.find((task) => task.status === "in_progress");
  await page.locator(`[data-task="${task.id}"]`).dragTo(page.locator("[data-status=in_review]"));
  await page.locator(`[data-status=in_review] [data-task="${task.id}"]`).waitFor();
  await page.reload();
  await page.locator(`[data-status=in_review] [data-task="${task.id}"]`).waitFor();
  // The other page still shows the former column. It moves the task as well, and then shows what is true.
  await other.locator(`[data-task="${task.id}"] select`).selectOption("done");
  await other.locator(`[data-status=done] [data-task="${task.id}"]`).waitFor();
  assert.equal((await board(entity)).tasks.find((row) => row.id === task.id).status, "done");
  const card = page.locator("article").first();
  const title = await card.locator("h4").innerText();
  await card.getByRole("button", { name: "Make it a task" }).click();
  await card.filter({ hasText: title }).waitFor({ state: "detached" });
  const stale = other.locator("article", { hasText: title });
  await stale.getByRole("button", { name: "Dismiss" }).click();
  await other.getByRole("alert").waitFor();
  await stale.waitFor({ state: "detached" });
  const next = await other.locator("article h4").first().innerText();
  const dismissed = other.waitForResponse(/actions\/dismiss$/);
  await other.locator("article", { hasText: next }).getByRole("button", { name: "Dismiss" }).click();
  const { actionableId } = (await dismissed).request().postDataJSON();
  await other.locator("article", { hasText: next }).waitFor({ state: "detached" });
  assert.equal((await board(entity)).actionables.find((row) => row.id === actionableId).status, "dismissed");
  await Promise.all([page.context().close(), other.context().close()]);
}

async function newBrand() {
  const page = await newPage({ key: KEY });
  await page.goto(CONSOLE);
  await page.getByRole("link", { name: "Track a brand" }).click();
  await page.getByLabel("Name").fill("Velumora");
  await page.getByLabel("Website").fill("velumora.example");
  await page.getByLabel("Questions that customers ask").fill("Which running shoes are best for beginners?\nWhat is the best trail running shoe?");
  await page.getByRole("button", { name: "Track it" }).click();
  await page.getByRole("heading", { name: "Velumora", level: 1 }).waitFor();
  // The first figures appear without loading the page again.
  await page.locator(".big-figure", { hasText: "%" }).first().waitFor({ timeout: 60_000 });
  await page.getByText(/Last check/).waitFor();
  // A first check can find names that older answers are searched for. The view tells when that is done.
  await page.getByText("being read again").waitFor({ state: "detached", timeout: 120_000 });
  const entity = (await api("/entities")).data.find((row) => row.name === "Velumora");
  await settings(page, entity);
  await page.context().close();
}

/** Looks at a new workspace whose only brand has nothing to be compared with, until it has a rival. */
async function oneBrand() {
  const created = admin("workspace", "create", "--name", "One brand", "--credits", "1000", "--reads-per-minute", "10000", "--writes-per-minute", "10000");
  const { apiKey: key } = created;
  const { data: models } = await api("/models", { key });
  const prompts = ["Which running shoes are best for beginners?", "What is the best trail running shoe?"];
  const { data: entity } = await api("/entities", { key, method: "POST", body: { name: "Stridara", domain: "stridara.example", models: models.map((model) => model.uuid), prompts } });
  await checked(entity, key);
  const competitors = async () => (await api(`/entities/competitors?entityId=${entity.id}`, { key })).data;
  const [own, ...others] = await competitors();
  assert.deepEqual([own.isCurrentEntity, own.shareOfVoice, own.rank, own.shareOfVoiceReason, others], [true, null, null, "no_rivals", []]);
  assert(own.mentions > 0);
  const page = await newPage({ key });
  await visit(page, "");
  const cell = (label) => page.locator(`tbody td[data-label="${label}"]`).first();
  assert.equal(await text(cell("Share of voice")), "no rivals yet for Stridara");
  await inspect(page, "overview of one brand");
  for (const tab of ["rivals", "report"]) {
    await visit(page, `entities/${entity.id}/${tab}`);
    await page.getByText("No rivals yet.").waitFor();
    assert.deepEqual([await text(cell("Rank")), await text(cell("Share of voice"))], ["–", "–"]);
    assert.equal(await text(cell("Mentions")), String(own.mentions));
    await inspect(page, `${tab} of one brand`);
  }
  // Who may only read is not asked to track a rival.
  const { workspaceId, id: workspace = workspaceId } = created;
  const reader = admin("key", "create", "--workspace", workspace, "--name", "reader", "--scope", "read");
  const looking = await newPage({ key: reader.apiKey ?? reader.key });
  await visit(looking, `entities/${entity.id}/rivals`);
  await looking.getByText("No rivals yet.").waitFor();
  assert.equal(await looking.getByRole("link", { name: /Track/ }).count(), 0);
  await looking.context().close();
  await visit(page, `entities/${entity.id}/rivals`);
  await page.getByRole("link", { name: "Track a rival" }).click();
  await page.getByRole("heading", { name: "Track a brand" }).waitFor();
  await api("/entities", { key, method: "POST", body: { name: "Pacefell", domain: "pacefell.example", models: [models[0].uuid], prompts, startTracking: false } });
  await visit(page, `entities/${entity.id}/rivals?period=14d`);
  assert.equal(await page.getByText("No rivals yet.").count(), 0);
  assert.match(await text(cell("Share of voice")), /%/);
  await page.context().close();
}

/** Waits until the check of a brand has ended. */
async function checked(entity, key) {
  for (let tries = 0; ; tries += 1) {
    const { data } = await api(`/entities/tracking-status?entityId=${entity.id}`, { key });
    if (!data.isProcessing && !data.queued && data.lastCheckCompletedAt) break;
    assert(tries < 300, "the check does not end");
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Types a text, and leaves the view in every way. */
async function unsaved(page, entity) {
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  const description = page.getByLabel("Description");
  const other = (await api("/entities")).data.find((row) => row.id !== entity.id);
  const ways = [
    () => page.getByRole("link", { name: "Visibility", exact: true }).last().click(),
    () => page.evaluate((id) => { location.hash = `#/entities/${id}/settings`; }, other.id),
    () => page.goBack(),
    () => page.getByRole("button", { name: "Sign out" }).click(),
  ];
  for (const fill of [() => description.fill("For runners"), () => page.getByLabel("Add prompts, one per line").fill("Which shoes?"), () => page.getByLabel("New name").fill("Velumora Run")]) {
    await page.goto(`${CONSOLE}#/entities/${entity.id}/citations`);
    await visit(page, `entities/${entity.id}/settings`);
    await fill();
    const leaving = ways.shift();
    await leaving();
    await question.getByRole("button", { name: "Stay" }).click();
    assert(page.url().endsWith(`${entity.id}/settings`), page.url());
    await leaving();
    await inspect(page, "text that is not saved");
    await question.getByRole("button", { name: "Leave" }).click();
    await question.waitFor({ state: "detached" });
    await loaded(page);
    assert(!page.url().endsWith(`${entity.id}/settings`), page.url());
  }
  // Nothing is asked where nothing is lost.
  await visit(page, `entities/${entity.id}/settings`);
  await description.fill("For runners");
  await description.fill("");
  await visit(page, `entities/${entity.id}/visibility`);
  await visit(page, "track");
  await page.getByLabel("Name").fill("Somebody");
  await ways.shift()();
  await question.getByRole("button", { name: "Stay" }).click();
  // The browser asks before the tab is closed.
  const closing = new Promise((resolve) => {
    page.once("dialog", (dialog) => resolve(dialog.type()));
    page.once("close", () => resolve("closed"));
  });
  await page.close({ runBeforeUnload: true });
  assert.equal(await closing, "beforeunload");
  wrong.splice(0, wrong.length, ...wrong.filter((text) => !text.includes("a dialog: beforeunload")));
  await page.getByLabel("Name").fill("");
  await visit(page, `entities/${entity.id}/settings`);
}

async function settings(page, entity) {
  await visit(page, `entities/${entity.id}/settings`);
  const prompts = async () => (await api(`/entities/prompts?entityId=${entity.id}`)).data;
  const saved = () => page.waitForResponse((response) => response.request().method() !== "GET" && response.ok());
  const act = async (action) => { const done = saved(); await action(); await done; await loaded(page); await page.waitForTimeout(300); };
  await page.getByLabel("Add prompts, one per line").fill("Which shoes last longest?\nWhich shoes are the lightest?");
  await act(() => page.getByRole("button", { name: "Add 2 prompts" }).click());
  assert.equal((await prompts()).length, 4);
  const field = page.getByLabel("Add prompts, one per line");
  await field.fill("Prompt\tCountry\tVolume\nWhich shoes are the softest?\tus\t900");
  await page.getByText("Only the columns “Prompt” and “Tag” can be added here. Leave out “Country” and “Volume”.").waitFor();
  await field.fill("Which shoes are the softest?\tshoes");
  await page.getByText("There are 2 columns, but no first row that names them").waitFor();
  await inspect(page, "a table that cannot be read");
  assert(await page.getByRole("button", { name: "Add 0 prompts" }).isDisabled());
  await field.fill('Prompt\tTag\r\nWhich shoes last longest?\t\r\n"Which ""barefoot"" shoes are best?"\tbarefoot, long runs\r\nWhich shoes are the softest?\tlong runs\r\nwhich shoes are the  softest?\tsoft\r\n');
  await page.getByText("Left out: 1 prompt that is there already and 1 repetition.").waitFor();
  await act(() => page.getByRole("button", { name: "Add 2 prompts" }).click());
  const tagNames = new Map((await api("/tags")).data.map((tag) => [tag.id, tag.name]));
  const table = (await prompts()).slice(-2).map(({ prompt, tags }) => [prompt, tags.map((tag) => tagNames.get(tag)).toSorted()]);
  assert.deepEqual(table.toSorted(), [['Which "barefoot" shoes are best?', ["barefoot", "long runs"]], ["Which shoes are the softest?", ["long runs", "soft"]]]);
  assert.equal((await prompts()).length, 6);
  await field.fill("which shoes last longest?");
  await page.getByText("Left out: 1 prompt that is there already.").waitFor();
  await field.fill("");
  for (const name of ["barefoot", "long runs", "soft"]) await act(() => page.getByRole("button", { name: `Delete the tag ${name}` }).click());
  for (const name of [/barefoot/, /softest/]) await page.getByRole("checkbox", { name }).check();
  await page.getByRole("button", { name: "Delete", exact: true }).first().click();
  await act(() => page.locator("dialog").getByRole("button", { name: "Delete 2 prompts" }).click());
  await page.getByText(/barefoot/).waitFor({ state: "detached" });
  await unsaved(page, entity);
  await page.getByLabel("New tag").fill("running");
  await act(() => page.getByRole("button", { name: "Add", exact: true }).click());
  await page.getByLabel("Which shoes last longest?").check();
  await act(() => page.getByLabel("Tag the chosen prompts").selectOption({ label: "running" }));
  await page.getByLabel("Which shoes last longest?").check();
  await act(() => page.getByRole("button", { name: "Pause" }).click());
  const paused = (await prompts()).find((prompt) => prompt.prompt === "Which shoes last longest?");
  assert(!paused.isActive && paused.tags.length === 1);
  await page.getByLabel("Which shoes last longest?").check();
  await act(() => page.getByRole("button", { name: "Resume" }).click());
  await page.getByLabel("Which shoes are the lightest?").check();
  await page.getByRole("button", { name: "Delete", exact: true }).first().click();
  await inspect(page, "a confirmation");
  await act(() => page.locator("dialog").getByRole("button", { name: "Delete 1 prompt" }).click());
  assert.equal((await prompts()).length, 3);
  await act(() => page.getByRole("button", { name: "Delete the tag running" }).click());
  await page.getByLabel("Other names").fill("Velumora Running");
  await page.getByLabel("Hours between checks").fill("48");
  await act(() => page.getByRole("button", { name: "Save" }).click());
  const changed = (await api("/entities")).data.find((row) => row.id === entity.id);
  assert.deepEqual([changed.aliases, changed.frequencyHours], [["Velumora Running"], 48]);
  const groups = async () => (await api("/domain-groups")).data.map((group) => [group.name, group.entities.map((member) => member.name)]);
  await page.getByRole("button", { name: "New group" }).click();
  const member = (name) => page.getByRole("group", { name: "Members" }).getByRole("checkbox", { name });
  await member(/Kanboro/).check();
  await inspect(page, "a new group");
  await act(() => page.getByRole("button", { name: "Save the group" }).click());
  assert.deepEqual(await groups(), [["Velumora", ["Velumora", "Kanboro"]]]);
  await page.getByRole("button", { name: "Change the group Velumora" }).click();
  await member(/Stridara/).check();
  await member(/Kanboro/).uncheck();
  await page.getByLabel("Name of the group").fill("Runners");
  await act(() => page.getByRole("button", { name: "Save the group" }).click());
  assert.deepEqual(await groups(), [["Runners", ["Velumora", "Stridara"]]]);
  await page.getByRole("button", { name: "Dissolve the group Runners" }).click();
  await act(() => page.locator("dialog").getByRole("button", { name: "Dissolve Runners" }).click());
  assert.deepEqual(await groups(), []);
  // Nobody listens at this address.
  const url = "http://127.0.0.1:9/hook";
  await page.getByRole("button", { name: "New webhook" }).click();
  await page.getByLabel("URL").fill(url);
  await page.getByLabel("A check is complete").check();
  await inspect(page, "a new webhook");
  await act(() => page.getByRole("button", { name: "Create the webhook" }).click());
  await page.getByText(/^whsec_/).waitFor();
  await page.getByRole("button", { name: "I have kept it" }).click();
  const webhooks = async () => (await api("/webhooks")).data;
  assert.deepEqual((await webhooks()).map((webhook) => webhook.events), [["check.completed", "visibility.changed"]]);
  await act(() => page.getByRole("button", { name: `Send a test to the webhook ${url}` }).click());
  for (let poll = 0; poll < 50 && !(await page.getByText("No connection").isVisible()); poll += 1) {
    await page.getByRole("button", { name: "Look again" }).click();
    await page.waitForTimeout(200);
  }
  await inspect(page, "the deliveries of a webhook");
  await act(() => page.getByRole("button", { name: `Give the webhook ${url} a new secret` }).click());
  await page.getByRole("button", { name: "I have kept it" }).click();
  await act(() => page.getByRole("button", { name: `Switch off the webhook ${url}` }).click());
  assert.deepEqual((await webhooks()).map((webhook) => webhook.enabled), [false]);
  await page.getByRole("button", { name: `Delete the webhook ${url}` }).click();
  await act(() => page.locator("dialog").getByRole("button", { name: "Delete the webhook" }).click());
  assert.deepEqual(await webhooks(), []);
  await page.getByLabel("New name").fill("Velumora Sports");
  await page.getByLabel("Reason").fill("The brand has a new name.");
  await act(() => page.getByRole("button", { name: "Request it" }).click());
  await page.getByText(/Velumora Sports, requested .* waits for the operator's review/).waitFor();
  const start = page.getByRole("button", { name: "Run a check now" });
  await start.waitFor({ timeout: 60_000 });
  await act(() => start.click());
  await start.waitFor({ timeout: 60_000 });
  await page.getByRole("button", { name: "Delete Velumora" }).click();
  await act(() => page.locator("dialog").getByRole("button", { name: "Delete Velumora" }).click());
  await page.getByRole("heading", { name: "Brands" }).waitFor();
  assert(!(await api("/entities")).data.some((row) => row.name === "Velumora"));
}

async function troubles(entity) {
  // A lost network.
  const page = await newPage({ key: KEY, expected: /ERR_INTERNET_DISCONNECTED/ });
  await visit(page, `entities/${entity.entityId}/visibility`);
  await page.context().setOffline(true);
  await page.getByRole("link", { name: "Citations" }).click();
  await page.getByText("The service cannot be reached").first().waitFor();
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Try again" }).first().click();
  await page.locator("tbody tr").first().waitFor();
  await page.context().close();

  // The files of a view are lost.
  const partial = await newPage({ key: KEY, expected: /ERR_FAILED/ });
  await partial.route("**/views/entity.js", (route) => route.abort());
  await partial.goto(CONSOLE);
  await partial.getByRole("link", { name: entity.name, exact: true }).click();
  await partial.getByText("The service cannot be reached").waitFor();
  await partial.unroute("**/views/entity.js");
  await partial.getByRole("button", { name: "Try again" }).click();
  await partial.locator(".big-figure").first().waitFor();
  await partial.context().close();

  // A key is revoked.
  const reader = admin("key", "create", "--workspace", WORKSPACE, "--name", "reader", "--scope", "read");
  const read = await newPage({ key: reader.apiKey ?? reader.key, expected: /status of 401/ });
  await visit(read, `entities/${entity.entityId}/tasks`);
  admin("key", "revoke", "--workspace", WORKSPACE, "--key", reader.keyId ?? reader.id);
  await read.goto(CONSOLE);
  await read.reload();
  await read.getByText("This key is not valid, or not any more").waitFor({ timeout: 70_000 });
  await read.context().close();

  // A local host that was started again has another demo, whose key takes the place of the former one.
  const again = await newPage({ expected: /status of 401/ });
  await again.goto(CONSOLE);
  await again.locator("tbody tr").first().waitFor();
  await again.evaluate(() => sessionStorage.setItem("apiKey", "wsk_00000000000000000000000000000000"));
  await again.reload();
  await again.locator("tbody tr").first().waitFor();
  await again.getByRole("button", { name: "Sign out" }).click();
  await again.reload();
  await again.getByLabel("API key").waitFor();
  await again.context().close();

  // Too many requests. A view sends five, so that the second one of a minute is refused; a minute may end between the two.
  const busy = admin("workspace", "create", "--name", "Busy", "--reads-per-minute", "5");
  const limited = await newPage({ key: busy.apiKey, expected: /status of 429/ });
  const refusal = limited.getByText(/There were too many requests.*Trying again in \d+ s/);
  for (let loads = 0; loads < 4 && !(await refusal.first().isVisible()); loads += 1) {
    await limited.goto(CONSOLE);
    await limited.reload();
    await limited.getByText("No brand is tracked yet").or(refusal).first().waitFor();
    await limited.waitForLoadState("networkidle");
  }
  await refusal.first().waitFor();
  await refusal.first().waitFor({ state: "hidden", timeout: 130_000 });
  await limited.getByText("No brand is tracked yet").waitFor();
  await limited.context().close();

  // An expired subscription.
  const ended = admin("workspace", "create", "--name", "Ended");
  admin("workspace", "set-limits", "--workspace", ended.workspaceId ?? ended.id, "--expires-at", "2020-01-01");
  const expired = await newPage({ key: ended.apiKey, expected: /status of 40[23]/ });
  await visit(expired, "track");
  await expired.getByText("The subscription has expired").waitFor();
  await expired.getByLabel("Name").fill("Velumora");
  await expired.getByLabel("Website").fill("velumora.example");
  await expired.getByRole("button", { name: "Track it" }).click();
  await expired.getByRole("alert").waitFor();
  await expired.context().close();
}

/** Looks at every view with keys that may do less, and looks for what they may not do. */
async function rights(entity) {
  const id = entity.entityId;
  const views = ["", "track", `answers/${(await api(`/responses?entityId=${id}&limit=1`)).data[0].responseId}`, ...Object.keys(TABS).map((tab) => `entities/${id}/${tab}`)];
  for (const [name, ...options] of [["reader"], ["bound", "--entity", id]]) {
    const key = admin("key", "create", "--workspace", WORKSPACE, "--name", name, "--scope", "read", ...options);
    const page = await newPage({ key: key.apiKey ?? key.key, expected: /status of 403/ });
    page.on("request", (request) => { if (!["GET", "HEAD"].includes(request.method())) wrong.push(`${name}: ${request.method()} ${request.url()}`); });
    for (const view of views) {
      await visit(page, view);
      await page.getByText("Read only").waitFor();
      // Nothing is left but what looks, saves and prints.
      const controls = await page.locator("button, a.button, a[href='#/track'], textarea, input, [draggable=true], .board select").evaluateAll((found) => found.map((control) => control.innerText || control.placeholder || control.outerHTML.slice(0, 80)));
      const writes = controls.filter((control) => !/^(Sign out|\d+ days|Table \(CSV\)|Picture \(PNG\)|URLs|Text in the search|Filter|Previous|Next|Show all.*|Print or save as PDF)$/.test(control));
      assert.deepEqual(writes, [], `${name}: ${view}`);
      await fits(page, `${name} ${view.split("/").at(-1) || "overview"}`);
    }
    assert.equal(await page.getByRole("link", { name: "Settings" }).count(), 0);
    await page.context().close();
  }
  // A key that may write to one brand changes nothing that belongs to the workspace.
  const key = admin("key", "create", "--workspace", WORKSPACE, "--name", "editor", "--entity", id);
  const page = await newPage({ key: key.apiKey ?? key.key, expected: /status of 403/ });
  await visit(page, `entities/${id}/settings`);
  await page.getByRole("heading", { name: "Another name" }).waitFor();
  for (const heading of ["Tags", "Groups", "Webhooks"]) assert.equal(await page.getByRole("heading", { name: heading, exact: true }).count(), 0, heading);
  assert.equal(await page.getByLabel("Other names, one per line").count(), 0);
  assert.equal(await page.getByRole("link", { name: /^Track a/ }).count(), 0);
  assert.equal(await page.getByText("Read only").count(), 0);
  const saved = page.waitForResponse((response) => response.request().method() === "PATCH");
  await page.getByLabel("Description").fill("Plans projects");
  await page.getByRole("button", { name: "Save" }).click();
  assert((await saved).ok());
  await page.getByText("Saved.").waitFor();
  await page.context().close();
}

/** Opens new tabs: they have the key of the tab that was used last, and become the demo only if nobody had another key. */
async function newTabs(entity) {
  const reader = admin("key", "create", "--workspace", WORKSPACE, "--name", "tabs", "--scope", "read");
  const key = reader.apiKey ?? reader.key;
  const first = await newPage();
  const context = first.context();
  const kept = (page) => page.evaluate(() => [sessionStorage.getItem("apiKey"), sessionStorage.getItem("isDemo")]);
  const signIn = async (page) => {
    await page.getByLabel("API key").fill(key);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.locator("tbody tr").first().waitFor();
  };
  const opened = async (page) => {
    const [tab] = await Promise.all([context.waitForEvent("page"), page.getByRole("link", { name: entity.name, exact: true }).click({ modifiers: ["Control"] })]);
    await tab.getByRole("heading", { level: 1 }).waitFor();
    return tab;
  };
  await first.goto(CONSOLE);
  await first.locator("tbody tr").first().waitFor();
  assert.deepEqual(await kept(await opened(first)), [KEY, "yes"]);
  await first.getByRole("button", { name: "Sign out" }).click();
  await signIn(first);
  const second = await opened(first);
  await second.locator(".big-figure").first().waitFor();
  assert.deepEqual(await kept(second), [key, null]);
  await second.getByText("Read only").waitFor();
  // Signing out ends the session in every tab that has the key, and a new tab asks for one.
  await second.getByRole("button", { name: "Sign out" }).click();
  await first.getByLabel("API key").waitFor();
  assert.deepEqual(await kept(first), [null, null]);
  // What a view that is about to go still wants is not sent without a key.
  const wanted = () => first.evaluate(async () => {
    const { get } = await import(new URL("api.js", document.querySelector("script[type=module]").src));
    return get("/entities").then(() => null, (error) => error.status);
  });
  assert.equal(await wanted(), 401);
  const third = await context.newPage();
  await third.goto(CONSOLE);
  await third.getByLabel("API key").waitFor();
  await signIn(third);
  await third.evaluate(() => { sessionStorage.clear(); });
  for (const page of context.pages()) await page.close();
  // No key outlives the last tab.
  const later = await context.newPage();
  await later.goto(CONSOLE);
  await later.getByLabel("API key").waitFor();
  assert.deepEqual(await later.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }).match(/wsk_/)), null);
  await later.getByRole("button", { name: "Look at the demo" }).click();
  await later.locator("tbody tr").first().waitFor();
  assert.deepEqual(await kept(later), [KEY, "yes"]);
  await context.close();
}

/** Shows problems of providers, which the demo does not have. */
async function problems(entity) {
  const since = "2026-11-29T16:40:00.000Z";
  const [model] = (await api("/models")).data;
  const refused = (provider, code) => ({ provider, modelId: null, reason: `the key was refused (401, ${code})`, since });
  const list = [refused("openai", "invalid_api_key"), refused("openai", "invalid_api_key"), { ...refused("openai", "invalid_api_key"), modelId: model.uuid, since: "2026-11-29T16:35:00.000Z" }, refused("xai", "unauthorized"), { provider: null, modelId: null, reason: "a check needs 24 credits, the balance is 0", since }];
  const page = await newPage({ key: KEY });
  const fulfil = (add) => async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    add(body.data);
    await route.fulfill({ response, json: body });
  };
  await page.route("**/v1/entities/overview?*", fulfil(([row]) => { row.status.problems = list; }));
  await page.route("**/v1/entities/tracking-status?*", fulfil((data) => { data.problems = list; }));
  await visit(page, "");
  const note = page.getByRole("link", { name: "Problems at OpenAI, xAI since Nov 29, 16:35 UTC" });
  await note.waitFor();
  for (const width of [390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await inspect(page, `overview with problems ${width}`);
  }
  await note.click();
  await loaded(page);
  const told = page.locator("li.notice");
  assert.equal(await told.count(), 3);
  const notTheirs = (name) => `This is the key with which this service asks ${name}, not your API key. The operator of the service has to look at it.`;
  assert.equal(await text(told.nth(0)), `OpenAI, since Nov 29, 16:35 UTC: the key was refused (401, invalid_api_key). It concerns ${model.name}. ${notTheirs("OpenAI")}`);
  assert.equal(await text(told.nth(1)), `xAI, since Nov 29, 16:40 UTC: the key was refused (401, unauthorized). ${notTheirs("xAI")}`);
  assert.equal(await text(told.nth(2)), "A check needs 24 credits, the balance is 0. Since Nov 29, 16:40 UTC.");
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await inspect(page, `brand with problems ${width}`);
  }
  await page.context().close();
}

/** Shows an answer with addresses of all kinds. */
async function addresses(entity) {
  const { responseId } = (await api(`/responses?entityId=${entity.entityId}&period=14d&limit=100`)).data.find((row) => row.isMentioned);
  const { name } = entity;
  const low = name.toLowerCase();
  const cited = ["http://plain.example/", "https://127.0.0.1/", "https://0x7f.1/", "https://[::1]/", "https://192.168.0.1:8080/", "https://router.local/", "https://localhost/", "https://user@page.example/"];
  const page = await newPage({ key: KEY });
  await page.route("**/v1/responses/details?*", async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    body.data.response.responseText = `${name} leads (${low}.example, https://www.${low}.example/${name}, info@${low}.example). [${low}.example](https://${low}.example/a) [${name}](https://page.example/b) [a router](https://192.168.0.1/admin) [plain](http://plain.example/)`;
    body.data.citations = [...cited, "https://page.example/c"].map((url) => ({ url, title: "A page", entityUuid: crypto.randomUUID() }));
    await route.fulfill({ response, json: body });
  });
  await visit(page, `answers/${responseId}`);
  // The name counts in the text, and as the label of a link, and in no address.
  assert.deepEqual(await page.locator(".answer-text mark").allInnerTexts(), [name, name]);
  assert.deepEqual(await page.locator("main a[target=_blank]").evaluateAll((found) => found.map((link) => link.href)), [`https://${low}.example/a`, "https://page.example/b", "https://page.example/c"]);
  const shown = await text(page.locator(".answer-text"));
  for (const part of [`${low}.example ${name} (page.example) a router (https://192.168.0.1/admin) plain (http://plain.example/)`]) assert(shown.includes(part), shown);
  const listed = await text(page.locator("section:has(h2:text-is('Cites'))"));
  for (const url of cited) assert(listed.includes(url), url);
  await inspect(page, "an answer with addresses");
  await page.context().close();
}

/** Returns all answers of a brand. */
async function answersOf(entity, key) {
  const rows = [];
  for (;;) {
    const { data } = await api(`/responses?entityId=${entity.id}&limit=100&offset=${rows.length}`, { key });
    rows.push(...data);
    if (data.length < 100) return rows;
  }
}

/** Shows texts full of markup in every place that a text can come from. */
async function markup() {
  const workspace = admin("workspace", "create", "--name", payloads[4], "--prompts", "1000", "--credits", "100000", "--reads-per-minute", "10000", "--writes-per-minute", "10000");
  const { apiKey: key } = workspace;
  const { data: models } = await api("/models", { key });
  const short = payloads.filter((payload) => payload.length <= 100);
  const { data: entity } = await api("/entities", { key, method: "POST", body: { name: payloads[1], domain: "markup.example", description: short.join(" ").slice(0, 1_900), models: models.map((model) => model.uuid), prompts: payloads.slice(0, 80), startTracking: false } });
  for (let from = 80; from < payloads.length; from += 80) await api("/entities/addprompt", { key, method: "POST", body: { entityId: entity.id, prompts: payloads.slice(from, from + 80) } });
  await api("/entities", { key, method: "PATCH", body: { entityId: entity.id, aliases: short.slice(10, 30) } });
  const names = new Map(payloads.filter((payload) => payload.length <= 60).map((payload) => [payload.toLowerCase(), payload]));
  for (const payload of [...names.values()].slice(0, 20)) await api("/tags", { key, method: "POST", body: { name: payload } });
  await api("/entities/run-check", { key, method: "POST", body: { entityId: entity.id } });
  await checked(entity, key);
  const page = await newPage({ key });
  const isClean = async (view) => {
    assert.equal(await page.evaluate(() => window.ran), undefined, `a payload ran in ${view}`);
    assert.equal(await page.locator("#app script, #app iframe, #app img, #app object, #app embed, #app base, #app link, #app style, #app [onerror], #app [href^='javascript' i], #app [href^='data' i]").count(), 0, `markup in ${view}`);
  };
  for (const view of ["", "track", ...Object.keys(TABS).map((tab) => `entities/${entity.id}/${tab}`)]) {
    await visit(page, view);
    await isClean(view);
    if (view.endsWith("settings")) {
      const shown = await page.locator("main").innerText();
      for (const payload of payloads) assert(shown.replaceAll(/\s+/g, " ").includes(payload.replaceAll(/\s+/g, " ")), `${payload} is not shown`);
    }
  }
  // The demo's models quote a question that they know no market for, cite a page with it as title, and search for it.
  const quoted = { text: new Set(), title: new Set(), search: new Set() };
  for (const response of await answersOf(entity, key)) {
    const isComplete = Object.values(quoted).every((of) => of.has(response.prompt));
    if (response.state !== "answered" || isComplete) continue;
    await visit(page, `answers/${response.responseId}`);
    await isClean("an answer");
    const shown = async (selector) => text(page.locator(selector));
    if ((await shown(".answer-text")).includes(response.prompt)) quoted.text.add(response.prompt);
    if ((await shown("section:has(h2:text-is('Cites'))")).includes(response.prompt)) quoted.title.add(response.prompt);
    if ((await shown("section:has(h2:text-is('Searched for'))")).toLowerCase().includes(response.prompt.toLowerCase())) quoted.search.add(response.prompt);
  }
  step(`of ${payloads.length} texts of markup, ${quoted.text.size} are in answers, ${quoted.title.size} in titles, ${quoted.search.size} in searches`);
  assert(quoted.text.size >= 200 && quoted.title.size >= 200 && quoted.search.size >= 50);
  // The service keeps no address of a citation that is not one of the web. If it did, the page would still not link it.
  await page.route("**/v1/responses/details?*", async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    body.data.citations = payloads.map((payload) => ({ url: payload, title: null, entityUuid: crypto.randomUUID() }));
    await route.fulfill({ response, json: body });
  });
  await page.reload();
  await loaded(page);
  await isClean("an answer with addresses that run");
  await page.context().close();
}

try {
  const entity = await firstView();
  await everyView(entity);
  step("every view, at two widths, light and dark");
  await everyWidth(entity);
  step("every width, with words as long as they may be");
  await figures(entity);
  step("the figures are those of the API");
  await links(entity);
  step("every link and table has the filters that it says");
  await pictures(entity);
  step("pictures and the colours of the system");
  await addresses(entity);
  step("addresses in answers");
  await problems(entity);
  step("problems of providers");
  await newTabs(entity);
  step("new tabs");
  await rights(entity);
  step("keys that may do less");
  await keyboard(entity);
  step("the keyboard alone");
  await tasks(entity);
  step("the board, by two people");
  await newBrand();
  step("a brand from its first check to its end");
  await oneBrand();
  step("a brand without rivals, and with one");
  await markup();
  step(`${payloads.length} texts of markup are texts`);
  await troubles(entity);
  step("what goes wrong is told in words");
} finally {
  await browser.close();
}
if (wrong.length > 0) {
  console.error([...new Set(wrong)].join("\n"));
  process.exitCode = 1;
}
