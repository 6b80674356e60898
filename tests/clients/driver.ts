// Calls every operation of the API through the generated TypeScript client, and checks what it returns.
//
// Usage: driver.js BASE_URL API_KEY CALLED RECEIVERS, where CALLED is the file that gets a line for each call that succeeds, and RECEIVERS
// is `loopback` if the service sends messages to this machine, else `public`.

import { deepStrictEqual as same, ok as holds, strictEqual as equal } from "node:assert";
import { appendFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import createClient, { type Middleware } from "openapi-fetch";
import { Webhook } from "standardwebhooks";
import type { ApiError, Entity, paths, TemporaryError } from "./api.js";

const [baseUrl = "", apiKey = "", called = "", receivers = ""] = process.argv.slice(2);

/** Notes a call that succeeded, by the method and the path. */
const note: Middleware = {
  onResponse({ request, response, schemaPath }) {
    if (response.ok) appendFileSync(called, `${request.method} ${schemaPath}\n`);
  },
};

function newClient(key: string) {
  const created = createClient<paths, "application/json">({ baseUrl, headers: { Authorization: `Bearer ${key}` } });
  created.use(note);
  return created;
}

const client = newClient(apiKey);

type Answer<T> = { data?: T; error?: ApiError | TemporaryError; response: Response };

/** Returns the result of a call that must succeed. */
async function ok<T>(call: Promise<Answer<T>>): Promise<NonNullable<T>> {
  const { data, error } = await call;
  holds(data, error?.error);
  return data;
}

/** Returns the status and the text of the error that a call must get. */
async function failed(call: Promise<Answer<unknown>>): Promise<[number, string]> {
  const { error, response } = await call;
  holds(error, "the call succeeds");
  return [response.status, error.error];
}

function first<T>(rows: readonly T[]): T {
  const [row] = rows;
  holds(row !== undefined, "there is no row");
  return row;
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

async function demoEntity(name: string): Promise<Entity> {
  const { data } = await ok(client.GET("/entities"));
  return first(data.filter((entity) => entity.name === name));
}

async function inWorkspace() {
  const { data } = await ok(client.GET("/workspace"));
  equal(data.workspace.name, "Demo workspace");
  equal(data.subscription.expiresAt, null);
  holds(data.usage.credits.balance > 0 && data.usage.entities.used <= data.usage.entities.limit);
  const key = (await ok(client.GET("/keys/self"))).data;
  holds(key.scope === "write" && key.entityIds === null);
  const members = await ok(client.GET("/workspace/members"));
  equal(members.count, members.data.length);
  holds(members.data.some((member) => member.email === "ada@demo.example"));
}

/** Errors have types of their own. */
async function withErrors() {
  same(await failed(newClient("wsk_unknown").GET("/entities")), [401, "Invalid API key"]);
  const missing = client.GET("/entities/prompts", { params: { query: { entityId: "unknown" } } });
  same(await failed(missing), [404, "Entity not found"]);
  const models = (await ok(client.GET("/models"))).data.map((model) => model.uuid);
  const suffix = client.POST("/entities", { body: { name: "X", domain: "co.uk", models } });
  same(await failed(suffix), [400, "domain must not be a public suffix"]);
}

/** The life of an entity, from its creation through a check to its end. */
async function withAnEntity() {
  const domain = "southridge.example";
  const address = { query: { domain: "https://www.Southridge.example/" } };
  const free = await ok(client.GET("/entities/check-domain", { params: address }));
  same(free.data, { domain, available: true, reason: "not_tracked", entityId: null });

  const models = (await ok(client.GET("/models"))).data.map((model) => model.uuid).slice(0, 2);
  const prompts = ["Which tents are best?", { prompt: "Welches Zelt ist gut?", language: "de", geolocation: "de" }];
  const request = {
    params: { header: { "Idempotency-Key": "typescript-southridge" } },
    body: { name: "Southridge", domain, models, prompts, startTracking: false },
  };
  const created = await ok(client.POST("/entities", request));
  same(await ok(client.POST("/entities", request)), created);
  equal(created.promptsGenerated, 2);
  equal(created.trackingStarted, false);
  same(created.prompts.map((prompt) => prompt.language), ["en", "de"]);
  const entityId = created.data.id;
  const taken = await ok(client.GET("/entities/check-domain", { params: { query: { domain } } }));
  same(taken.data, { domain, available: false, reason: "already_in_workspace", entityId });

  const changes = { entityId, aliases: ["South Ridge"], frequencyHours: 12 };
  const updated = (await ok(client.PATCH("/entities", { body: changes }))).data;
  same([updated.aliases, updated.frequencyHours, updated.models], [["South Ridge"], 12, models]);

  await withPrompts(entityId, created.prompts.map((prompt) => prompt.id));
  await withACheck(entityId, models.length);
  await withNames(entityId);
  await withAGroup(created.data);

  const deleted = await ok(client.DELETE("/entities", { params: { query: { entityId } } }));
  equal(deleted.data.entityId, entityId);
  const gone = client.GET("/entities/prompts", { params: { query: { entityId } } });
  same(await failed(gone), [404, "Entity not found"]);
}

async function withPrompts(entityId: string, known: string[]) {
  const promptId = first(known);
  const tag = (await ok(client.POST("/tags", { body: { name: "TypeScript" } }))).data;
  holds((await ok(client.GET("/tags"))).data.some((other) => other.id === tag.id));

  const one = await ok(client.POST("/entities/addprompt", { body: { entityId, prompt: "Which tent is light?" } }));
  holds("promptId" in one);
  const added = ["Which tent is large?", { prompt: "Which tent is cheap?", tags: [tag.id] }];
  const several = await ok(client.POST("/entities/addprompt", { body: { entityId, prompts: added } }));
  holds("promptIds" in several);
  equal(several.count, 2);

  const paused = await ok(client.PATCH("/entities/updateprompt", { body: { promptId, isActive: false } }));
  holds("prompt" in paused);
  equal(paused.prompt.id, promptId);
  const updates = [{ promptId, isActive: true }, { promptId: known[1] ?? "", language: null }];
  const changed = await ok(client.PATCH("/entities/updateprompt", { body: { updates } }));
  holds("prompts" in changed);
  same(changed.prompts.map((prompt) => [prompt.isActive, prompt.language]), [[true, "en"], [true, "en"]]);

  const deleted = await ok(client.DELETE("/entities/prompts", { params: { query: { promptId: one.promptId } } }));
  equal(deleted.data.promptId, one.promptId);
  const listed = (await ok(client.GET("/entities/prompts", { params: { query: { entityId } } }))).data;
  same(listed.map((prompt) => prompt.id), [...known, ...several.promptIds]);
  same(listed.map((prompt) => prompt.tags), [[], [], [], [tag.id]]);
  same([listed[0]?.stats.responses, listed[0]?.stats.visibilityScore], [0, null]);
  const query = { entityId, promptIds: known, tags: [tag.id] };
  same((await ok(client.GET("/entities/prompts", { params: { query } }))).data, []);
  const untagged = await ok(client.DELETE("/tags", { params: { query: { tagId: tag.id } } }));
  equal(untagged.data.tagId, tag.id);
}

async function withACheck(entityId: string, models: number) {
  const started = (await ok(client.POST("/entities/run-check", { body: { entityId } }))).data;
  equal(started.isProcessing, true);
  equal(started.questions, 4 * models);
  await finishedCheck(entityId);

  const responses = await ok(client.GET("/responses", { params: { query: { entityId, limit: 1 } } }));
  equal(responses.pagination.total, started.questions);
  const { responseId, prompt, citationsCount } = first(responses.data);
  const details = (await ok(client.GET("/responses/details", { params: { query: { responseId } } }))).data;
  equal(details.response.responseId, responseId);
  same([details.citations.length, details.summary.citationsCount], [citationsCount, citationsCount]);
  equal(details.response.state === "answered", details.response.responseText !== "");
  equal(details.prompt?.text, prompt);
  const trend = await ok(client.GET("/trends/visibility", { params: { query: { entityId, period: "7d" } } }));
  const answered = sum(trend.data.map((point) => point.responses));
  holds(0 < answered && answered <= started.questions);
}

/** Waits until the entity's check has ended. */
async function finishedCheck(entityId: string) {
  for (const end = Date.now() + 60_000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 500))) {
    const status = (await ok(client.GET("/entities/tracking-status", { params: { query: { entityId } } }))).data;
    if (!status.isProcessing && status.lastCheckCompletedAt !== null) {
      same([status.frequencyHours, status.problems], [12, []]);
      return;
    }
  }
  throw new Error("the check has not ended");
}

async function withNames(entityId: string) {
  const body = { entityId, suggestedName: "Southridge Tents", reason: "We are called so now." };
  const requested = (await ok(client.POST("/entities/name-request", { body }))).data;
  const found = (await ok(client.GET("/entities/name-request", { params: { query: { entityId } } }))).data;
  same(found, requested);
  same([found?.status, found?.reviewedAt], ["pending", null]);
  const [status, text] = await failed(client.POST("/entities/name-request", { body }));
  equal(status, 409);
  holds(text.includes("waits for its review"));
}

async function withAGroup(entity: Entity) {
  const plandriva = await demoEntity("Plandriva");
  const members = [entity.id, plandriva.id];
  const body = { primaryEntity: entity.id, entities: members, name: "TypeScript", entityId: entity.id };
  const group = (await ok(client.POST("/domain-groups", { body }))).data;
  same(group.entities.map((member) => member.entityId), members);
  same([group.primaryEntityUuid, group.entityTrackingId], [entity.entityUuid, entity.id]);
  const changes = { groupId: group.id, name: "TypeScript group" };
  equal((await ok(client.PATCH("/domain-groups", { body: changes }))).data.name, "TypeScript group");
  const params = { query: { groupId: group.id } };
  const listed = await ok(client.GET("/domain-groups", { params }));
  same([listed.count, listed.data[0]?.name], [1, "TypeScript group"]);
  equal((await ok(client.DELETE("/domain-groups", { params }))).data.groupId, group.id);
}

/** The figures of 30 days of the demo. */
async function withFigures() {
  const entity = await demoEntity("Plandriva");
  const entityId = entity.id;
  const days = (await ok(client.GET("/trends/visibility", { params: { query: { entityId, period: "14d" } } }))).data;
  equal(days.length, 14);
  for (const { score, mentions, responses, interval } of days) {
    holds(Math.abs(score - (100 * mentions) / responses) <= 0.005);
    const [low, high] = interval;
    holds(low !== undefined && high !== undefined && low <= score && score <= high);
  }
  const range = { entityId, startDate: first(days).date, endDate: days[1]?.date ?? "", models: entity.models };
  same((await ok(client.GET("/trends/visibility", { params: { query: range } }))).data, days.slice(0, 2));

  const verdicts: string[] = [];
  for (const name of ["Plandriva", "Kanboro", "Stridara"]) {
    const compared = (await demoEntity(name)).id;
    const query = { entityId: compared, period: "14d" as const, metrics: ["visibility" as const] };
    const { data } = await ok(client.GET("/trends/compare", { params: { query } }));
    same([data.shareOfVoice, data.citations, data.byModel.length], [null, null, 3]);
    holds(data.window.endDate > data.base.endDate);
    verdicts.push(data.comparison.verdict);
  }
  // The answers of the demo's own models differ in these ways. The built functions know other models.
  const hasDemoModels = (await ok(client.GET("/models"))).data.some((model) => model.name.endsWith("(demo)"));
  if (hasDemoModels) same(verdicts, ["down", "no_clear_change", "not_comparable"]);
  const overview = await ok(client.GET("/entities/overview", { params: { query: { period: "14d" } } }));
  const row = overview.data.find((row) => row.entityId === entityId);
  same(row?.trend, days);
  holds(row?.comparison.verdict === verdicts[0] && row.activeActionables >= 2 && row.status.problems.length === 0);
  equal(row?.visibility.responses, sum(days.map((day) => day.responses)));
  const everything = await ok(client.GET("/trends/compare", { params: { query: { entityId, period: "14d" } } }));
  equal(everything.data.shareOfVoice?.byRival[0]?.name, "Kanboro");

  const cited = await ok(client.GET("/entities/citations", { params: { query: { entityId, limit: 1 } } }));
  const { entityUuid, name, totalCitations } = first(cited.data);
  holds(cited.data.length === 1 && cited.pagination.total > 1);
  const details = { entityId, citedEntityUuid: entityUuid, limit: 100 };
  const urls = await ok(client.GET("/entities/citations/details", { params: { query: details } }));
  equal(sum(urls.data.map((url) => url.citationCount)), totalCitations);
  const trend = await ok(client.GET("/trends/citations", { params: { query: { entityId, topN: 1 } } }));
  same(trend.entities.map((row) => row.name), [name]);
  equal(sum(trend.data.map((point) => Number(point[name]))), totalCitations);

  const rivals = (await ok(client.GET("/entities/competitors", { params: { query: { entityId } } }))).data;
  same(rivals.filter((rival) => rival.isCurrentEntity).map((rival) => rival.name), ["Plandriva"]);
  holds(Math.abs(sum(rivals.map((rival) => rival.shareOfVoice ?? 0)) - 100) < 0.1);
  const search = { entityId, search: "BEST", limit: 5 };
  const fanouts = await ok(client.GET("/query-fanouts", { params: { query: search } }));
  holds(fanouts.data.length > 0 && fanouts.data.every((fanout) => fanout.query.toLowerCase().includes("best")));
  equal(fanouts.pagination.hasNextPage, fanouts.totalCount > 5);
}

async function withABoard() {
  const entityId = (await demoEntity("Plandriva")).id;
  const active = { entityId, status: "active" as const };
  const { data, counts } = await ok(client.GET("/entities/actions", { params: { query: active } }));
  equal(counts.actionables, data.actionables.length);
  holds(counts.actionables >= 2);
  for (const { metadata, sourceType } of data.actionables) {
    equal(metadata.rule, sourceType);
    // The type of the evidence follows from the rule.
    if (metadata.rule === "citation_gap") holds(metadata.citations > 0 && metadata.urls.length > 0);
    if (metadata.rule === "persistent_absence") holds(metadata.checks >= 3 && metadata.since < metadata.window.endDate);
    equal(metadata.query.parameters["entityId"], entityId);
  }

  const actionableId = first(data.actionables).id;
  const dismissed = first(data.actionables.slice(-1)).id;
  const assignees = [first((await ok(client.GET("/workspace/members"))).data).userId];
  const body = { actionableId, assignees };
  const task = (await ok(client.POST("/entities/actions/create-task", { body }))).data;
  same([task.actionableId, task.assignees, task.status], [actionableId, assignees, "not_started"]);
  const moved = { taskId: task.id, status: "in_review" as const };
  equal((await ok(client.POST("/entities/actions/update-status", { body: moved }))).success, true);
  const dismissal = { actionableId: dismissed };
  equal((await ok(client.POST("/entities/actions/dismiss", { body: dismissal }))).success, true);

  const board = (await ok(client.GET("/entities/actions", { params: { query: { entityId } } }))).data;
  const statuses = new Map(board.actionables.map((actionable) => [actionable.id, actionable.status]));
  same([statuses.get(actionableId), statuses.get(dismissed)], ["in_task", "dismissed"]);
  same(board.tasks.filter((known) => known.id === task.id).map((known) => known.status), ["in_review"]);
}

type Message = { body: string; headers: IncomingHttpHeaders };

/** Returns whether the Standard Webhooks library accepts the signature of a message. */
function verifies(secret: string | null, { body, headers }: Message): boolean {
  if (secret === null) throw new Error("only a repeated request gets none");
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

/** A receiver verifies its messages by the Standard Webhooks library, also while the secret is rotated. */
async function withAReceiver() {
  const messages: Message[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    messages.push({ body, headers: request.headers });
    response.writeHead(204).end();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const created = await ok(client.POST("/webhooks", { body: { url, events: ["check.completed"] } }));
  const webhookId = created.data.id;
  holds((await ok(client.GET("/webhooks"))).data.some((known) => known.id === webhookId));

  const latest = async () => {
    const query = { webhookId, limit: 1 };
    return (await ok(client.GET("/webhooks/deliveries", { params: { query } }))).data[0];
  };
  /** Sends a test, and returns the message once the log says that it was accepted. */
  const deliver = async () => {
    const { eventId } = (await ok(client.POST("/webhooks/test", { body: { webhookId } }))).data;
    for (let poll = 0; poll < 100; poll += 1) {
      const delivery = await latest();
      if (delivery?.eventId === eventId && delivery.state === "delivered") {
        return first(messages.filter(({ headers }) => headers["webhook-id"] === eventId));
      }
      await new Promise((later) => setTimeout(later, 100));
    }
    throw new Error(`${eventId} is not delivered`);
  };
  const rotate = async () => (await ok(client.POST("/webhooks/rotate-secret", { body: { webhookId } }))).secret;

  const message = await deliver();
  const secrets = [created.secret];
  holds(verifies(created.secret, message));
  holds(!verifies(created.secret, { ...message, body: message.body.replace("test", "Test") }));
  secrets.push(await rotate());
  const rotated = await deliver();
  same(secrets.map((secret) => verifies(secret, rotated)), [true, true]);
  secrets.push(await rotate());
  const again = await deliver();
  same(secrets.map((secret) => verifies(secret, again)), [false, true, true]);

  const delivery = first([await latest()].filter((known) => known !== undefined));
  const sent = await ok(client.POST("/webhooks/deliveries/redeliver", { body: { webhookId, deliveryId: delivery.id } }));
  equal(sent.data.eventId, delivery.eventId);
  equal((await ok(client.PATCH("/webhooks", { body: { webhookId, enabled: false } }))).data.enabled, false);
  equal((await ok(client.DELETE("/webhooks", { params: { query: { webhookId } } }))).data.webhookId, webhookId);
  server.close();
  server.closeAllConnections();
}

/** Calls the operations of a webhook whose host does not exist, so that its delivery stays pending and is not sent again. */
async function withoutAReceiver() {
  const create = (url: string) => client.POST("/webhooks", { body: { url, events: ["check.completed"] } });
  const [status, text] = await failed(create("http://127.0.0.1/hook"));
  equal(status, 400);
  holds(text.includes("public address"), text);
  const created = await ok(create("https://receiver.example/hook"));
  const webhookId = created.data.id;
  holds((await ok(client.GET("/webhooks"))).data.some((known) => known.id === webhookId));
  const { eventId } = (await ok(client.POST("/webhooks/test", { body: { webhookId } }))).data;
  const deliveries = async () => (await ok(client.GET("/webhooks/deliveries", { params: { query: { webhookId, limit: 1 } } }))).data;
  let latest = await deliveries();
  for (let poll = 0; latest.length === 0 && poll < 100; poll += 1) {
    await new Promise((later) => setTimeout(later, 100));
    latest = await deliveries();
  }
  const delivery = first(latest);
  same([delivery.eventId, delivery.state], [eventId, "pending"]);
  const again = client.POST("/webhooks/deliveries/redeliver", { body: { webhookId, deliveryId: delivery.id } });
  equal((await failed(again))[0], 409);
  const rotated = await ok(client.POST("/webhooks/rotate-secret", { body: { webhookId } }));
  holds(rotated.secret !== created.secret);
  equal((await ok(client.PATCH("/webhooks", { body: { webhookId, enabled: false } }))).data.enabled, false);
  equal((await ok(client.DELETE("/webhooks", { params: { query: { webhookId } } }))).data.webhookId, webhookId);
}

await inWorkspace();
await (receivers === "loopback" ? withAReceiver() : withoutAReceiver());
await withErrors();
await withAnEntity();
await withFigures();
await withABoard();
