//! Reads series of short items in a line: `A, B and C`, `A / B`, `A → B`.

use std::ops::Range;

use crate::fold::REMOVED;
use crate::language::Roles;
use crate::text::Text;

/// The maximum length of a series, of an item and of a bracket behind an item, in bytes.
const MAX_BYTES: usize = 400;
const MAX_ITEM_BYTES: usize = 90;
const MAX_BRACKET_BYTES: usize = 80;
/// The maximum number of words of an item.
const MAX_ITEM_WORDS: usize = 4;
/// Words that separate two items that are compared.
const VERSUS: [&str; 3] = [" vs. ", " vs ", " VS "];

/// Returns the ranges of the items of the series at the start of the prose bytes `range`, and where it ends.
/// A series ends with a sentence, a bracket or a line. It has no items if one of them is not short, or begins
/// with a small letter.
pub(super) fn series_at(text: Text<'_>, range: &Range<usize>) -> (Vec<Range<usize>>, usize) {
    let none = (Vec::new(), range.start);
    let written = text.slice(range);
    let written = &written[..written.floor_char_boundary(MAX_BYTES)];
    let mut items = Vec::new();
    let (mut start, mut at, mut words) = (0, 0, 0);
    // Where the bracket behind an item begins.
    let mut bracket = None;
    loop {
        let rest = &written[at..];
        // Letters and digits separate nothing. Most texts are no series, and are left after a few words.
        let letters = rest.find(|c: char| !is_like_letter(c)).unwrap_or(rest.len());
        if letters > 0 {
            words += 1;
            at += letters;
            let is_small = words == 1 && rest.starts_with(char::is_lowercase);
            if bracket.is_some() || is_small || words > 2 * MAX_ITEM_WORDS || at - start > MAX_ITEM_BYTES {
                return none;
            }
            continue;
        }
        if rest.starts_with(['(', '（']) {
            let length = bracket_length(rest);
            if length == 0 || at == start {
                return none;
            }
            bracket = bracket.or(Some(at));
            at += length;
            continue;
        }
        // What precedes a colon is the label of the series, and what is cut off is none.
        let is_cut_off = rest.is_empty() && written.len() < range.len();
        if is_cut_off || rest.starts_with([':', '：']) {
            return none;
        }
        let joint = joint_length(text, rest, &written[start..at], !items.is_empty());
        let is_end = ends_series(rest);
        if joint == 0 && !is_end {
            let c = rest.chars().next().unwrap_or(' ');
            if at - start > MAX_ITEM_BYTES || (bracket.is_some() && !c.is_whitespace()) {
                return none;
            }
            at += c.len_utf8();
            continue;
        }
        let part = &written[start..bracket.unwrap_or(at)];
        let item = part.trim_matches(is_edge);
        if !item.is_empty() {
            let is_item = item.split_whitespace().count() <= MAX_ITEM_WORDS
                && !item.starts_with(char::is_lowercase)
                && !item.contains(REMOVED);
            if !is_item {
                return none;
            }
            let from = range.start + start + (part.len() - part.trim_start_matches(is_edge).len());
            items.push(from..from + item.len());
        }
        if is_end {
            return (items, range.start + at);
        }
        (at, bracket, words) = (at + joint, None, 0);
        start = at;
    }
}

/// Returns the length of what separates two items at the start of `rest`, or 0. `before` is the item before.
fn joint_length(text: Text<'_>, rest: &str, before: &str, is_in_series: bool) -> usize {
    if let Some(word) = VERSUS.iter().find(|word| rest.starts_with(**word)) {
        return word.len();
    }
    let Some(c) = rest.chars().next() else {
        return 0;
    };
    let is_spaced = before.ends_with(char::is_whitespace);
    match c {
        ',' | '/' | '·' | '・' | '|' | '、' | '，' | ';' | '；' | '→' | '•' => c.len_utf8(),
        // They are inside of names too: `H&M`.
        '&' | '+' | '>' | '›' if is_spaced => c.len_utf8(),
        ' ' if is_in_series => {
            let word = rest[1..].split(' ').next().unwrap_or("");
            let roles = text.language.lexicon().roles(&word.to_lowercase());
            if roles.has(Roles::AND.union(Roles::OR)) {
                1 + word.len()
            } else {
                0
            }
        }
        _ => 0,
    }
}

/// Returns whether `c` is no sign that an item may begin or end with.
fn is_like_letter(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    !c.is_whitespace()
        && !is_edge(c)
        && !matches!(
            c,
            '·' | '・'
                | '、'
                | '，'
                | '；'
                | '：'
                | '→'
                | '•'
                | '›'
                | '–'
                | '—'
                | '（'
                | '）'
                | '。'
                | '？'
                | '！'
                | REMOVED
        )
}

/// Returns whether a series ends before `rest`.
fn ends_series(rest: &str) -> bool {
    let mut letters = rest.chars();
    match letters.next() {
        None | Some(')' | '）' | '。' | '？' | '！') => true,
        Some('.' | '!' | '?') => letters.next().is_none_or(char::is_whitespace),
        Some(' ') => rest.starts_with(" – ") || rest.starts_with(" — ") || rest.starts_with(" - "),
        Some(_) => false,
    }
}

/// Returns the length of the bracket that opens at the start of `rest`, or 0 if it does not close soon.
fn bracket_length(rest: &str) -> usize {
    let near = &rest[..rest.floor_char_boundary(MAX_BRACKET_BYTES)];
    let end = near.find([')', '）']);
    end.map_or(0, |end| {
        end + near[end..].chars().next().map_or(1, char::len_utf8)
    })
}

/// Returns whether a sign at the edge of an item does not belong to it: blanks, quotation marks, full stops
/// and the raised numbers of notes.
fn is_edge(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '.' | '"'
                | '“'
                | '”'
                | '„'
                | '«'
                | '»'
                | '「'
                | '」'
                | '『'
                | '』'
                | '…'
                | '¹'
                | '²'
                | '³'
                | '⁴'
        )
}
