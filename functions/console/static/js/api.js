// The client of the public API. A failed request is an ApiError, whose message is a sentence for people.
import { session } from "./session.js";

const BASE = "/v1";
/** The most rows of a page, and the most pages that are read of a list. */
const PAGE = 100;
const MAX_PAGES = 50;
export const UNREACHABLE = "The service cannot be reached. Check the connection, then try again.";

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

let tellRefusedKey = null;
/** Calls `tell` with the reason and the key when the service does not accept it. Returns what ends that. */
export function onRefusedKey(tell) {
  tellRefusedKey = tell;
  return () => { tellRefusedKey = null; };
}

async function send(method, path, { query, body, headers = {}, signal } = {}) {
  const key = session.key();
  // The session can end while a view that is about to go still wants something.
  if (key === null) throw new ApiError(401, explain(401));
  const request = { method, signal, cache: "no-store", headers: { ...headers, Authorization: `Bearer ${key}` } };
  if (body !== undefined) {
    request.headers["Content-Type"] = "application/json";
    request.body = JSON.stringify(body);
  }
  let response;
  try {
    response = await fetch(BASE + address(path, query), request);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, UNREACHABLE);
  }
  if (response.ok) return response;
  const { error, message } = await response.json().catch(() => ({}));
  const seconds = Number(response.headers.get("retry-after"));
  const failure = new ApiError(response.status, explain(response.status, error ?? message), seconds > 0 ? seconds : null);
  if (failure.status === 401) tellRefusedKey?.(failure.message, key);
  throw failure;
}

function explain(status, text) {
  const said = text ? `${text.replace(/\.$/, "")}.` : "";
  if (status === 401) return "This key is not valid, or not any more. Sign in with another one.";
  if (status === 429) return `There were too many requests. ${said}`.trim();
  if (status >= 500) return `The service could not do this. ${said || "Try again in a moment."}`;
  return said || `The service refused the request (${status}).`;
}

/** Returns the body of a response, which can break off like the request. */
async function bodyOf(response) {
  try {
    return await response.json();
  } catch (error) {
    throw error.name === "AbortError" ? error : new ApiError(0, UNREACHABLE);
  }
}

export const get = async (path, query, signal) => bodyOf(await send("GET", path, { query, signal }));
export const patch = async (path, body) => bodyOf(await send("PATCH", path, { body }));
export const remove = async (path, query) => bodyOf(await send("DELETE", path, { query }));

/** The idempotency keys of requests whose outcome is unknown, so that sending one again does nothing twice. */
const unanswered = new Map();
export async function post(path, body) {
  const request = path + JSON.stringify(body);
  if (!unanswered.has(request)) unanswered.set(request, crypto.randomUUID());
  try {
    const answer = await bodyOf(await send("POST", path, { body, headers: { "Idempotency-Key": unanswered.get(request) } }));
    unanswered.delete(request);
    return answer;
  } catch (error) {
    if (error.status >= 400 && error.status < 500) unanswered.delete(request);
    throw error;
  }
}

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
