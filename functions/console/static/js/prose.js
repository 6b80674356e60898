// The text of an answer: bold parts, headings and links of its Markdown, and the names in it. The result is a list of pieces, so that
// nothing of the text is ever read as markup.
import { mark } from "./marks.js";

const MARKDOWN = /\*\*([^*\n]+)\*\*|^#{1,6} +(.+)$|\[([^[\]\n]+)\]\((https?:\/\/[^\s()]+)\)/gm;

/** Returns pieces {text, isStrong, url, marks}, where `marks` are the pieces of `mark`. */
export function read(text, names) {
  const pieces = [];
  let done = 0;
  const add = (piece) => pieces.push({ isStrong: false, url: null, ...piece, marks: mark(piece.text, names) });
  for (const match of text.matchAll(MARKDOWN)) {
    if (match.index > done) add({ text: text.slice(done, match.index) });
    const [whole, bold, heading, label, url] = match;
    add(url ? { text: label, url } : { text: bold ?? heading, isStrong: true });
    done = match.index + whole.length;
  }
  if (done < text.length) add({ text: text.slice(done) });
  return pieces;
}
