// The client of the public API. A failed request is an ApiError, whose message is a sentence for people.
import { session } from "./session.js";

const BASE = "/v1";
/** The most rows of a page, and the most pages that are read of a list. */
const PAGE = 100;
const MAX_PAGES = 50;

export class ApiError extends Error {
  /** status is 0 if there was no response. retryAfter is in seconds, or null. */
  constructor(status, message, retryAfter = null) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** Returns the path with the query. Lists are joined by commas, and what is null, undefined or empty is left out. */
export function address(path, query = {}) {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const text = Array.isArray(value) ? value.join(",") : value;
    if (text !== null && text !== undefined && text !== "") parameters.set(name, text);
  }
  const text = parameters.toString();
  return text ? `${path}?${text}` : path;
}

async function send(method, path, { query, body, headers = {}, signal } = {}) {
  const request = { method, signal, cache: "no-store", headers: { ...headers, Authorization: `Bearer ${session.key()}` } };
  if (body !== undefined) {
    request.headers["Content-Type"] = "application/json";
    request.body = JSON.stringify(body);
  }
  let response;
  try {
    response = await fetch(BASE + address(path, query), request);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, "The service cannot be reached. Check the connection, then try again.");
  }
  if (response.ok) return response;
  const { error, message } = await response.json().catch(() => ({}));
  const seconds = Number(response.headers.get("retry-after"));
  throw new ApiError(response.status, explain(response.status, error ?? message), seconds > 0 ? seconds : null);
}

function explain(status, text) {
  const said = text ? `${text.replace(/\.$/, "")}.` : "";
  if (status === 401) return "This key is not valid, or not any more. Sign in with another one.";
  if (status === 429) return `There were too many requests. ${said}`.trim();
  if (status >= 500) return `The service could not do this. ${said || "Try again in a moment."}`;
  return said || `The service refused the request (${status}).`;
}

export const get = async (path, query, signal) => (await send("GET", path, { query, signal })).json();
export const post = async (path, body) =>
  (await send("POST", path, { body, headers: { "Idempotency-Key": crypto.randomUUID() } })).json();
export const patch = async (path, body) => (await send("PATCH", path, { body })).json();
export const remove = async (path, query) => (await send("DELETE", path, { query })).json();

/** Reads all pages of a list. */
export async function getAll(path, query, signal) {
  const rows = [];
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { data, pagination } = await get(path, { ...query, limit: PAGE, offset: rows.length }, signal);
    rows.push(...data);
    if (data.length < PAGE || rows.length >= (pagination.total ?? pagination.totalCount)) break;
  }
  return rows;
}

/** Saves a list or trend as a table that spreadsheets read. */
export async function downloadTable(path, query, name) {
  const response = await send("GET", path, { query, headers: { Accept: "text/csv" } });
  saveFile(await response.blob(), `${name}.csv`);
}

/** Offers a file to the person in front of the page. */
export function saveFile(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
