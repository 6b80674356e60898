// The Markdown of an answer: bold parts, headings and links, and the names in them. The result is a list of pieces, so that nothing of
// the text is ever read as markup.
import { isOnlyAddresses, mark } from "./marks.js";

const MARKDOWN = /\*\*([^*\n]+)\*\*|^#{1,6} +(.+)$|\[([^[\]\n]+)\]\((https?:\/\/[^\s()]+)\)/gm;

/**
 * Splits a text into pieces {isStrong, url, isAddress, marks}. `url` is that of a link, or null, `isAddress` says whether its label is its
 * address, and `marks` are the pieces of `mark`. A label of addresses alone is no mention.
 */
export function readMarkdown(text, names) {
  const pieces = [];
  let done = 0;
  const add = (text, url = null) => pieces.push({ isStrong: false, url, isAddress: url !== null && isOwnAddress(text, url), marks: mark(text, url && isOnlyAddresses(text) ? [] : names) });
  for (const { 0: whole, 1: bold, 2: heading, 3: label, 4: url, index } of text.matchAll(MARKDOWN)) {
    if (index > done) add(text.slice(done, index));
    if (url) add(label, url);
    else for (const piece of readMarkdown(bold ?? heading, names)) pieces.push({ ...piece, isStrong: true });
    done = index + whole.length;
  }
  if (done < text.length) add(text.slice(done));
  return pieces;
}

/** Returns whether a label shows where its link leads. */
const isOwnAddress = (label, url) => [url, URL.parse(url)?.hostname].includes(label.trim());
