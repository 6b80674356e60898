// Prompts that somebody types or pastes: one per line, or a table from a spreadsheet.
import { ApiError, get, post } from "./api.js";

/** The names of the columns that are read. */
const PROMPT = /^(prompt|question)s?$/i;
const TAG = /^tags?$/i;

/** Splits a text into rows of cells. Spreadsheets separate cells by tabs, and quote those that have quotes, tabs or lines in them. */
function readRows(text) {
  // The file of a spreadsheet has commas or semicolons instead. A prompt has them, too, so only a first row of names tells.
  const separator = text.includes("\t") ? "\t" : /^\s*"?(?:prompts?|questions?|tags?)"?([,;])/i.exec(text)?.[1] ?? "\t";
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^${separator}\n]*))(${separator}|\n|$)`, "gy");
  const rows = [[]];
  for (const { 1: quoted, 2: plain, 3: end } of text.replaceAll(/\r\n?/g, "\n").matchAll(cell)) {
    rows.at(-1).push((quoted?.replaceAll('""', '"') ?? plain).replaceAll(/\s*[\t\n]\s*/g, " ").trim());
    if (end === "") break;
    if (end === "\n") rows.push([]);
  }
  return rows.filter((row) => row.some(Boolean));
}

const quote = (names) => names.map((name) => `“${name}”`).join(" and ");

/** Returns {prompts, problem}: the prompts are {text, tags}, where tags are names. The problem says why the text cannot be read. */
function readTable(text) {
  const rows = readRows(text);
  const used = [...Array(Math.max(0, ...rows.map((row) => row.length))).keys()].filter((column) => rows.some((row) => row[column]));
  const refuse = (problem) => ({ prompts: [], problem });
  const [names = []] = rows;
  const isTable = used.length > 1;
  const isNamed = (isTable || rows.length > 1) && names.some((name) => PROMPT.test(name) || TAG.test(name));
  if (isTable && !isNamed) return refuse(`There are ${used.length} columns, but no first row that names them. Name the column of the prompts “Prompt” and that of their tags “Tag”, or paste the prompts alone.`);
  const find = (name) => used.find((column) => name.test(names[column] ?? ""));
  const [promptColumn, tagColumn] = isNamed ? [find(PROMPT), find(TAG)] : [used[0], undefined];
  if (rows.length > 0 && promptColumn === undefined) return refuse("No column is named “Prompt”.");
  const others = used.filter((column) => ![promptColumn, tagColumn].includes(column));
  if (others.length > 0) return refuse(`Only the columns “Prompt” and “Tag” can be added here. Leave out ${quote(others.map((column) => names[column] || `column ${column + 1}`))}.`);
  const prompts = rows.slice(isNamed ? 1 : 0).filter((row) => row[promptColumn]);
  return { prompts: prompts.map((row) => ({ text: row[promptColumn], tags: (row[tagColumn] ?? "").split(/[,;]/).map((tag) => tag.trim()).filter(Boolean) })), problem: null };
}

const fold = (text) => text.normalize("NFC").replaceAll(/\s+/g, " ").toLowerCase();

/**
 * Reads the prompts of a text. Leaves out how many are `repeated`, whose tags go to the first of them, and how many are `present`,
 * because they are among the known texts. Returns {prompts, problem, repeated, present}.
 */
export function readPrompts(text, known = []) {
  const { prompts, problem } = readTable(text);
  const texts = new Set(known.map(fold));
  const first = new Map();
  let present = 0;
  for (const { text, tags } of prompts) {
    const key = fold(text);
    if (texts.has(key)) present += 1;
    else first.set(key, first.has(key) ? { ...first.get(key), tags: [...first.get(key).tags, ...tags] } : { text, tags });
  }
  return { prompts: [...first.values()], problem, repeated: prompts.length - present - first.size, present };
}

/** Names of tags are the same regardless of case, accents and spaces. */
const foldTag = (name) => name.normalize("NFKD").replaceAll(/[\p{M}\s]/gu, "").toLowerCase();

/** Returns the prompts as the API takes them. Creates the tags that do not exist. */
export async function toNewPrompts(prompts) {
  if (prompts.every(({ tags }) => tags.length === 0)) return prompts.map(({ text }) => text);
  const ids = new Map((await get("/tags")).data.map(({ id, name }) => [foldTag(name), id]));
  for (const name of prompts.flatMap(({ tags }) => tags).filter((name) => !ids.has(foldTag(name)))) {
    if (!ids.has(foldTag(name))) ids.set(foldTag(name), await createTag(name));
  }
  return prompts.map(({ text, tags }) => (tags.length === 0 ? text : { prompt: text, tags: [...new Set(tags.map((name) => ids.get(foldTag(name))))] }));
}

async function createTag(name) {
  try {
    return (await post("/tags", { name })).data.id;
  } catch (error) {
    throw error.status === 403 ? new ApiError(403, `There is no tag “${name}”, and it cannot be created: ${error.message}`) : error;
  }
}
