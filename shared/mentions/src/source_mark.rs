//! Removes the marks with which pages of assistants name their sources: `capterra.com+2`, `TechRadar +2`,
//! `[Wirecutter+1]`, `Sources: TechRadar, CNET`.

use std::ops::Range;

use crate::bare_url::is_domain;
use crate::fold::{LINE_BREAK, REMOVED};
use crate::line::lines_with_offsets;
use crate::public_suffix::registrable_domain;

/// The number of bytes before a count in which its source is looked for.
const MAX_SOURCE_BYTES: usize = 160;
/// The maximum number of words of a source's name.
const MAX_WORDS: usize = 4;
/// The maximum number of digits of the number of further sources.
const MAX_DIGITS: usize = 2;
/// The number of bytes of a line in which its label is looked for.
const MAX_LABEL_BYTES: usize = 64;
/// The maximum length of a line of sources in bytes.
const MAX_LINE_BYTES: usize = 300;

/// The labels of hosts that belong to a source's host and not to the sentence before it.
const HOST_LABELS: [&str; 20] = [
    "www",
    "support",
    "help",
    "community",
    "blog",
    "blogs",
    "docs",
    "en",
    "m",
    "news",
    "shop",
    "store",
    "forum",
    "developer",
    "developers",
    "learn",
    "de",
    "fr",
    "us",
    "uk",
];

/// What introduces a list of sources, in small letters.
const SOURCES: [&str; 30] = [
    "sources",
    "source",
    "quellen",
    "quelle",
    "fuentes",
    "fuente",
    "fonti",
    "fonte",
    "fontes",
    "bronnen",
    "bron",
    "źródła",
    "źródło",
    "источники",
    "источник",
    "kaynaklar",
    "kaynak",
    "källor",
    "källa",
    "kilder",
    "lähteet",
    "zdroje",
    "források",
    "surse",
    "джерела",
    "πηγές",
    "出典",
    "来源",
    "출처",
    "sumber",
];

/// Replaces the marks of sources in `text` with as many bytes of [`REMOVED`], and appends them to `removed`,
/// one per line.
pub(crate) fn remove_marks(text: String, removed: &mut String) -> String {
    let mut found = counted_sources(&text);
    found.extend(lines_of_sources(&text));
    if found.is_empty() {
        return text;
    }
    found.sort_by_key(|range| range.start);
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for range in found {
        let start = range.start.max(done);
        if range.end <= start {
            continue;
        }
        out.push_str(&text[done..start]);
        removed.push_str(text[start..range.end].trim());
        removed.push('\n');
        // A line break stays, because it ends a sentence.
        for c in text[start..range.end].chars() {
            match c {
                '\n' | LINE_BREAK => out.push(c),
                c => out.extend(std::iter::repeat_n(REMOVED, c.len_utf8())),
            }
        }
        done = range.end;
    }
    out.push_str(&text[done..]);
    out
}

/// Returns the sources that are followed by the number of further ones.
fn counted_sources(text: &str) -> Vec<Range<usize>> {
    let counts = text.match_indices('+').filter_map(|(plus, _)| {
        let rest = &text[plus + 1..];
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let is_count =
            (1..=MAX_DIGITS).contains(&digits) && !rest[digits..].starts_with(char::is_alphanumeric);
        is_count.then_some(plus..plus + 1 + digits)
    });
    counts
        .filter_map(|count| Some(source_before(text, &count)?..count.end))
        .collect()
}

/// Returns where the source starts that the count follows, if it follows one.
fn source_before(text: &str, count: &Range<usize>) -> Option<usize> {
    // Without a limit, a hostile text of many counts takes quadratic time.
    let from = text.ceil_char_boundary(count.start.saturating_sub(MAX_SOURCE_BYTES));
    let near = &text[from..];
    let start = source_at_end(near, &(count.start - from..count.end - from))?;
    Some(from + start)
}

/// Returns where the source starts that the count follows, in a text that begins not far before it.
fn source_at_end(text: &str, count: &Range<usize>) -> Option<usize> {
    let before = text[..count.start].trim_end_matches([' ', '\u{a0}']);
    let (is_alone, before) = match before.strip_suffix(['\n', LINE_BREAK]) {
        Some(line) => (true, line.trim_end()),
        None => (false, before),
    };
    let token = before
        .rfind(|c: char| c.is_whitespace() || matches!(c, '(' | '[' | ',' | LINE_BREAK | REMOVED))
        .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
    if let Some(host) = host_at_end(&before[token..]) {
        return Some(list_start(text, token + host));
    }
    let line = before
        .rfind(['\n', LINE_BREAK, '[', '('])
        .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
    let is_bracketed = before[..line].ends_with(['[', '(']);
    let name = before[line..].trim();
    let ends = text[count.end..].trim_start_matches([' ', '\u{a0}']);
    let is_whole = if is_bracketed {
        ends.starts_with([']', ')'])
    } else {
        ends.is_empty() || ends.starts_with(['\n', LINE_BREAK])
    };
    let is_name = !name.is_empty()
        && name.split_whitespace().count() <= MAX_WORDS
        && name.starts_with(|c: char| c.is_alphanumeric())
        && !name.ends_with(['.', '!', '?', ':', ';', '%', '€', '$'])
        && !name.starts_with(|c: char| c.is_ascii_digit());
    (is_whole && is_name && (is_alone || is_bracketed || !name.contains(char::is_numeric))).then_some(line)
}

/// Returns where a host starts that ends `token`, with the labels that belong to it. The word of a sentence
/// before it does not: `plan.support.capterra.com`.
fn host_at_end(token: &str) -> Option<usize> {
    let lower = token.to_lowercase();
    if lower.len() != token.len() || !is_domain(&lower) {
        return None;
    }
    let domain = registrable_domain(&lower)?;
    let mut start = token.len() - domain.len();
    while let Some(rest) = token[..start].strip_suffix('.') {
        let label = rest.rsplit('.').next().unwrap_or(rest);
        if !HOST_LABELS.contains(&label.to_lowercase().as_str()) {
            break;
        }
        start = rest.len() - label.len();
    }
    Some(start)
}

/// Returns where a list of hosts in brackets starts, whose last one starts at `last`, or `last`.
fn list_start(text: &str, last: usize) -> usize {
    let before = &text[..last];
    let Some(open) = before.rfind(['(', '[']) else {
        return last;
    };
    let inside = &before[open + 1..];
    let are_hosts = inside
        .split([',', ' '])
        .filter(|part| !part.is_empty())
        .all(is_domain);
    if are_hosts && !inside.trim().is_empty() {
        open + 1
    } else {
        last
    }
}

/// Returns what follows the words for sources and a colon in a line.
fn lines_of_sources(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for (start, line) in lines_with_offsets(text) {
        let near = &line[..line.floor_char_boundary(MAX_LABEL_BYTES)];
        if let Some((label, rest)) = near.split_once([':', '：'])
            && line.len() <= MAX_LINE_BYTES
            && SOURCES.contains(
                &label
                    .trim_matches(|c: char| !c.is_alphanumeric())
                    .to_lowercase()
                    .as_str(),
            )
        {
            found.push(start + near.len() - rest.len()..start + line.len());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_sources_are_removed_and_the_sentence_stays() {
        for (text, rest) in [
            ("a plan.support.capterra.com+2 Next", "a plan. Next"),
            ("fine. capterra.com +2\nNext", "fine. \nNext"),
            ("good\nTechRadar\n+2\nNext", "good\n\n\nNext"),
            ("Reddit +4", ""),
            ("• Acme – best [Wirecutter+1]\nb", "• Acme – best []\nb"),
            ("good (rtings.com, whathifi.com+1).", "good ()."),
            (
                "Acme is good.\nSources: Zendo, Velmora",
                "Acme is good.\nSources:",
            ),
            ("出典：価格.com、Acme", "出典："),
            ("Acme for 5 +2 people", "Acme for 5 +2 people"),
            ("Acme + 2 more, C++20", "Acme + 2 more, C++20"),
            ("4.6 +2", "4.6 +2"),
            ("Sources: ", "Sources:"),
            ("+1", "+1"),
            ("é+1", ""),
        ] {
            let mut removed = String::new();
            let out = remove_marks(text.to_owned(), &mut removed);
            assert_eq!(out.len(), text.len(), "{text}");
            assert_eq!(out.replace(REMOVED, ""), rest, "{text}");
        }
    }
}
