// Calls every tool through the TypeScript SDK of the Model Context Protocol, and compares the columns of each table with the API's.
//
// Usage: tools.js BASE_URL WRITE_KEY READ_KEY
import assert from "node:assert/strict";

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const [baseUrl, writeKey, readKey] = process.argv.slice(2) as [string, string, string];
const host = baseUrl.replace(/\/v1$/, "");
const writes = new Set(["create_task", "move_task", "run_check", "add_prompts"]);

type Content = { query: string; columns?: string[]; rows?: unknown[][]; rowCount?: number; [field: string]: unknown };
type Mode = "legacy" | "auto";

async function connect(key: string, mode: Mode): Promise<Client> {
  const client = new Client({ name: "clients", version: "1.0.0" }, { versionNegotiation: { mode } });
  const headers = { Authorization: `Bearer ${key}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${host}/mcp`), { requestInit: { headers } }));
  return client;
}

class Tools {
  readonly called = new Set<string>();

  constructor(readonly client: Client) {}

  // The content of a result, whose columns the API's table must have as well.
  async call(name: string, args: Record<string, unknown> = {}): Promise<Content> {
    const result = await this.client.callTool({ name, arguments: args });
    assert.ok(!result.isError, JSON.stringify(result.content));
    this.called.add(name);
    const content = result.structuredContent as Content;
    if (!writes.has(name) && content.columns) {
      const path = content.query.replace(/^GET /, "");
      const response = await fetch(host + path, { headers: { Authorization: `Bearer ${writeKey}`, Accept: "text/csv" } });
      const table = await response.text();
      assert.equal(response.status, 200, table);
      const all = table.split("\r\n", 1)[0]?.split(",");
      // The evidence of recommendations is left out unless it is asked for.
      assert.deepEqual(name === "recommendations" ? all?.filter((one) => one !== "metadata") : all, content.columns, name);
      assert.equal(content.rows?.length, content.rowCount, name);
    }
    return content;
  }

  async refused(name: string, args: Record<string, unknown>): Promise<string> {
    const result = await this.client.callTool({ name, arguments: args });
    assert.ok(result.isError, name);
    return (result.content[0] as { text: string }).text;
  }
}

function column(content: Content, name: string): string[] {
  const place = content.columns?.indexOf(name) ?? -1;
  assert.ok(place >= 0, name);
  return (content.rows ?? []).map((row) => String(row[place]));
}

// Calls as assistants send them by mistake, with how each is refused.
function wrongCalls(entityId: string): [string, Record<string, unknown>, string][] {
  const number = "limit must be a whole number from 1 to 100";
  return [
    ["rivals", { entityId, limit: 0 }, number],
    ["rivals", { entityId, limit: "5" }, number],
    ["rivals", { entityId, limit: [5] }, number],
    ["rivals", { entityId, union: "false" }, "union must be true or false"],
    ["rivals", { entityId, models: JSON.stringify([]) }, "models must be an array of strings"],
    ["rivals", { entityId, models: ["gpt-6-luna"] }, "models[0] must be the uuid of a model from GET /models"],
    ["rivals", { entityId: { id: entityId } }, "entityId must be a string"],
    ["rivals", { entityId: null }, "entityId is required"],
    ["rivals", { entity: entityId }, "There is no argument entity"],
    ["add_prompts", { entityId, prompts: JSON.stringify(["Is this good?"]) }, "prompts must be an array of strings"],
    ["add_prompts", { entityId, prompts: [{ prompt: "Is this good?" }] }, "prompts[0] must be a string"],
    ["create_task", { actionableId: "x", assignees: "me" }, "assignees must be an array of strings"],
    ["run_check", { entityId: [entityId] }, "entityId must be a string"],
  ];
}

for (const mode of ["legacy", "auto"] as const) {
  const client = await connect(writeKey, mode);
  const { tools: listed } = await client.listTools();
  const tools = new Tools(client);
  await tools.call("whoami");
  const [entityId] = column(await tools.call("list_entities"), "id");
  for (const name of ["overview", "list_models", "list_tags"]) await tools.call(name);
  for (const name of ["list_prompts", "visibility", "compare", "citation_trend", "rivals", "searches", "tracking_status"]) {
    await tools.call(name, { entityId });
  }
  const [citedEntityUuid] = column(await tools.call("cited_domains", { entityId }), "entityUuid");
  await tools.call("cited_urls", { entityId, citedEntityUuid, limit: 2 });
  const [responseId] = column(await tools.call("list_answers", { entityId, limit: 1 }), "responseId");
  await tools.call("read_answer", { responseId });
  const board = await tools.call("recommendations", { entityId, status: "active" });
  const actionableId = column(board, "id")[column(board, "kind").indexOf("actionable")];
  const task = (await tools.call("create_task", { actionableId })) as unknown as { data: { id: string } };
  await tools.call("move_task", { taskId: task.data.id, status: "done" });
  await tools.call("add_prompts", { entityId, prompts: [`Which brand is best in TypeScript, ${mode}?`] });
  await tools.call("run_check", { entityId: column(await tools.call("list_entities"), "id").at(mode === "auto" ? 1 : 2) });
  assert.deepEqual([...tools.called].sort(), listed.map((tool) => tool.name).sort());
  for (const [name, args, refusal] of wrongCalls(entityId ?? "")) {
    const told = await tools.refused(name, args);
    assert.ok(told.startsWith(refusal), told);
  }
  console.log(`TypeScript, ${mode}: ${tools.called.size} tools`);
  await client.close();

  const reader = await connect(readKey, mode);
  const readable = (await reader.listTools()).tools.map((tool) => tool.name);
  assert.ok(!readable.some((name) => writes.has(name)));
  assert.equal(await new Tools(reader).refused("run_check", { entityId }), "This key may only read");
  await reader.close();
}
