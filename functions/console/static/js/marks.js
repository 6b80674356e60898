// Marks where names occur in a text. The result is a list of pieces, so that nothing of the text is ever read as markup.

const WORD = /[\p{L}\p{N}_]/u;
/** URLs, domains and e-mail addresses. */
const ADDRESS = /(?:[a-z][a-z0-9+.-]*:\/\/|www\.)\S+|(?:[\p{L}\p{N}._%+-]+@)?(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?:\/[^\s()]*)?/giu;

/** Returns whether a text is nothing but addresses. */
export const isOnlyAddresses = (text) => !WORD.test(text.replace(ADDRESS, ""));

/**
 * Splits a text into pieces {text, kind}. `names` are [{name, kind}]; of names that overlap, the first and then the longest wins. A
 * name counts only as a whole word, in any case of its letters, and in an address only if it is all of it: links are no mentions.
 */
export function mark(text, names) {
  const wanted = names.filter(({ name }) => name).toSorted((a, b) => b.name.length - a.name.length);
  if (wanted.length === 0) return [{ text, kind: null }];
  const escaped = wanted.map(({ name }) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+"));
  // A name that ends in a letter ends before another one only as part of a longer word.
  const bounded = escaped.map((name, index) => `${WORD.test(wanted[index].name[0]) ? "(?<![\\p{L}\\p{N}_])" : ""}(${name})${WORD.test(wanted[index].name.at(-1)) ? "(?![\\p{L}\\p{N}_])" : ""}`);
  const pattern = new RegExp(bounded.join("|"), "giu");
  const addresses = [...text.matchAll(ADDRESS)].map(({ index, 0: address }) => ({ start: index, end: index + address.length }));
  const isInAddress = (start, end) => addresses.some((address) => start < address.end && end > address.start && (start > address.start || end < address.end));
  const pieces = [];
  let done = 0;
  for (const match of text.matchAll(pattern)) {
    if (isInAddress(match.index, match.index + match[0].length)) continue;
    if (match.index > done) pieces.push({ text: text.slice(done, match.index), kind: null });
    pieces.push({ text: match[0], kind: wanted[match.slice(1).findIndex((group) => group !== undefined)].kind });
    done = match.index + match[0].length;
  }
  if (done < text.length) pieces.push({ text: text.slice(done), kind: null });
  return pieces;
}
