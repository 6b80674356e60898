//! The heads of an answer: bold texts, headings, and the first words of list items and of table rows.
//!
//! A name whose words are common is a brand among heads that are brands.

use std::cell::OnceCell;
use std::ops::Range;

use crate::fold::{BRAND_NAME, LINE_BREAK, MAYBE_BRAND_NAME};
use crate::language::Language;
use crate::prose::{Span, SpanKind};
use crate::text::Text;
use crate::word_list::MAX_LETTERS;
use crate::word_parts::without_last_letters;

/// The maximum length of a head in bytes.
const MAX_HEAD_BYTES: usize = 200;

/// The number of spans before the words in which the start of their list or table is looked for.
const MAX_SPANS: usize = 256;

/// The number of bytes before a list, or of the head of a column, that are read.
const MAX_TITLE_BYTES: usize = 80;

/// The kinds of spans that have heads.
const KINDS: [SpanKind; 4] = [
    SpanKind::Bold,
    SpanKind::ListItem,
    SpanKind::TableCell,
    SpanKind::Heading,
];

/// What most of the heads of each kind are. It is computed when it is needed first.
#[derive(Default)]
pub(crate) struct Heads([OnceCell<HeadSummary>; KINDS.len()]);

/// What at least half of the heads of a kind are, without one of them, or those of any of several kinds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct HeadSummary {
    /// Certain names, or words that are not common.
    pub are_brands: bool,
    /// Brands, or common words that may be a brand's name.
    pub may_be_brands: bool,
    /// Common words only.
    pub are_common: bool,
}

impl Heads {
    /// Returns what the other heads are of the kinds of head that the prose bytes `name` start.
    pub(crate) fn summarize_others(&self, text: Text<'_>, name: &Range<usize>) -> HeadSummary {
        let of_kinds = KINDS.iter().zip(&self.0).filter(|(kind, _)| {
            let span = text.span(**kind, name);
            span.is_some_and(|span| starts_head(text, span, name))
        });
        of_kinds.fold(HeadSummary::default(), |all, (&kind, heads)| {
            let heads = heads.get_or_init(|| summarize_heads(text, kind));
            HeadSummary {
                are_brands: all.are_brands || heads.are_brands,
                may_be_brands: all.may_be_brands || heads.may_be_brands,
                are_common: all.are_common || heads.are_common,
            }
        })
    }
}

/// Returns the range of prose that names what the list or the column around the prose bytes `words` contains:
/// the end of the text before the list, or the cell of the table's head.
pub(crate) fn title_of_list_or_column(text: Text<'_>, words: &Range<usize>) -> Option<Range<usize>> {
    if let Some(row) = text.span(SpanKind::TableRow, words) {
        let mut cells = cells_of(text, row).take(MAX_SPANS);
        let column = cells.position(|cell| cell.range.start <= words.start && words.end <= cell.range.end)?;
        let before = text
            .spans
            .partition_point(|span| span.range.start < row.range.start);
        let mut nearest = text.spans[..before].iter().rev().take(MAX_SPANS);
        let head = nearest.find(|span| span.kind == SpanKind::TableHead)?;
        let title = cells_of(text, head).nth(column)?.range.clone();
        let end = text
            .prose
            .floor_char_boundary(title.end.min(title.start + MAX_TITLE_BYTES));
        return Some(title.start..end);
    }
    intro_of_list(text, words, MAX_TITLE_BYTES)
}

/// Returns the range of prose of the last bytes before the list around the prose bytes `words`, at most
/// `max_bytes`. Nothing is before a list that starts too far away.
pub(crate) fn intro_of_list(text: Text<'_>, words: &Range<usize>, max_bytes: usize) -> Option<Range<usize>> {
    let item = text.span(SpanKind::ListItem, words)?;
    let before = text
        .spans
        .partition_point(|span| span.range.start < item.range.start);
    let nearest = before.saturating_sub(MAX_SPANS)..before;
    let mut first = item.range.start;
    let mut is_start_seen = nearest.start == 0;
    for previous in text.spans[nearest].iter().rev() {
        if previous.kind != SpanKind::ListItem {
            continue;
        }
        // Only blanks separate the items of a list. One that the list is nested in contains its items.
        let gap = text.prose.get(previous.range.end.min(first)..first);
        let is_of_list =
            previous.range.end <= item.range.start && gap.is_some_and(|gap| gap.trim().is_empty());
        if !is_of_list {
            is_start_seen = true;
            break;
        }
        first = previous.range.start;
    }
    if !is_start_seen {
        return None;
    }
    let end = text.prose[..first].trim_end().len();
    let start = text.prose.floor_char_boundary(end.saturating_sub(max_bytes));
    (start < end).then_some(start..end)
}

fn cells_of<'a>(text: Text<'a>, row: &Span) -> impl Iterator<Item = &'a Span> {
    let spans = text.spans_in(&row.range).iter();
    spans.filter(|span| span.kind == SpanKind::TableCell)
}

/// Returns what at least half of the heads of a kind are, without the one in question, whose words are
/// common.
fn summarize_heads(text: Text<'_>, kind: SpanKind) -> HeadSummary {
    let heads: Vec<Range<usize>> = text
        .spans
        .iter()
        .filter(|span| span.kind == kind && is_first_cell(text, span))
        .map(|span| head_of(text, span))
        .filter(|head| !head.is_empty())
        .collect();
    let others = heads.len().saturating_sub(1);
    let is_most = |count: usize| count > 0 && count * 2 >= others;
    let brands = |flags: u8| {
        heads
            .iter()
            .filter(|head| is_brand_head(text, head, flags))
            .count()
    };
    let common = heads.iter().filter(|head| is_common_head(text, head)).count();
    HeadSummary {
        are_brands: is_most(brands(BRAND_NAME)),
        may_be_brands: is_most(brands(BRAND_NAME | MAYBE_BRAND_NAME).saturating_sub(1)),
        are_common: is_most(common.saturating_sub(1)),
    }
}

/// Returns whether the head of `span` is the name, with at most two more capitalized words.
fn starts_head(text: Text<'_>, span: &Span, name: &Range<usize>) -> bool {
    let head = head_of(text, span);
    let rest = text.slice(&(name.end..head.end.max(name.end)));
    let is_capitalized = |word: &str| !word.starts_with(char::is_lowercase);
    head.start == name.start
        && name.end <= head.end
        && rest.split_whitespace().count() <= 2
        && rest.split_whitespace().all(is_capitalized)
}

/// Returns whether `span` is no cell, or the first cell of its row.
fn is_first_cell(text: Text<'_>, span: &Span) -> bool {
    span.kind != SpanKind::TableCell
        || text.span(SpanKind::TableRow, &span.range).is_some_and(|row| {
            let first = cells_of(text, row).next();
            first.is_some_and(|first| first.range == span.range)
        })
}

/// Returns the first words of a span, up to a separator such as `:` or ` – `.
fn head_of(text: Text<'_>, span: &Span) -> Range<usize> {
    let whole = text.slice(&span.range);
    let chars = whole.chars().take(MAX_HEAD_BYTES);
    let blank = chars.take_while(|c| c.is_whitespace());
    let start = blank.map(char::len_utf8).sum::<usize>();
    let rest = &whole[start..];
    let rest = &rest[..rest.floor_char_boundary(MAX_HEAD_BYTES)];
    const ENDS: [char; 10] = [':', '：', '(', '（', '\n', ',', '—', '–', '|', LINE_BREAK];
    let end = rest.find(ENDS).unwrap_or(rest.len());
    let end = rest[..end].find(" - ").unwrap_or(end);
    let head = rest[..end].trim_end();
    span.range.start + start..span.range.start + start + head.len()
}

/// Returns whether a head of at most three words has one of `name_flags` or a word that is not common.
fn is_brand_head(text: Text<'_>, head: &Range<usize>, name_flags: u8) -> bool {
    let words = text.slice(head);
    let mut flags = text.folded.flags[text.folded_range(head)].iter();
    let has_name = flags.any(|flags| flags & name_flags != 0);
    let is_short = words.split_whitespace().count() <= 3;
    let has_unknown_word = words
        .split(|c: char| !c.is_alphanumeric())
        .any(|word| word.starts_with(char::is_uppercase) && is_unknown_word(text, word));
    is_short && (has_name || has_unknown_word)
}

fn is_common_head(text: Text<'_>, head: &Range<usize>) -> bool {
    text.slice(head).split_whitespace().all(|word| {
        let word = word.trim_matches(|c: char| c.is_ascii_punctuation());
        word.is_empty() || text.language.has_common_word(word)
    })
}

/// Returns whether `word` is in no form a common word of the answer's language. It is not, if it is longer
/// than the words of the lists.
pub(crate) fn is_unknown_word(text: Text<'_>, word: &str) -> bool {
    // In German, an unknown word with a capital is a noun.
    if text.language.code() == "de" {
        return false;
    }
    let lower = word.to_lowercase();
    // The lists have few inflected forms.
    let stem = without_last_letters(&lower);
    let is_inflected = stem.chars().count() >= 4
        && text.language != Language::ENGLISH
        && text.language.common_words().contains_prefix(stem);
    (3..=MAX_LETTERS).contains(&lower.chars().count())
        && !text.language.has_common_word(word)
        && !is_inflected
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fold::Folded;
    use crate::prose::Prose;

    /// Returns the introduction of the list around `word`.
    fn intro_of(answer: &str, word: &str) -> Option<String> {
        let prose = Prose::parse(answer);
        let folded = Folded::of(&prose.text);
        let text = Text {
            prose: &prose.text,
            folded: &folded,
            spans: &prose.spans,
            language: Language::ENGLISH,
        };
        let at = prose.text.find(word)?;
        let intro = intro_of_list(text, &(at..at + word.len()), MAX_TITLE_BYTES)?;
        Some(prose.text[intro].trim().to_owned())
    }

    #[test]
    fn the_introduction_of_a_list_is_the_text_before_its_first_item() {
        let nested = "Some banks:\n\n- Acmera\n  - free\n  - fast\n- Zendo\n  - cheap\n- Finchly";
        for (answer, word, intro) in [
            ("Some banks:\n\n- Acmera\n- Zendo", "Acmera", Some("Some banks:")),
            ("Some banks:\n\n- Acmera\n- Zendo", "Zendo", Some("Some banks:")),
            (nested, "Zendo", Some("Some banks:")),
            (nested, "Finchly", Some("Some banks:")),
            ("- Acmera\n- Zendo", "Zendo", None),
            ("Some banks: Acmera", "Acmera", None),
        ] {
            assert_eq!(intro_of(answer, word).as_deref(), intro, "{word} in {answer}");
        }
        let before_nested = intro_of(nested, "fast").unwrap();
        assert!(before_nested.ends_with("Acmera"), "{before_nested}");
    }

    #[test]
    fn a_list_that_starts_too_far_away_has_no_introduction() {
        let list = |items: usize| format!("Some banks:\n\n{}- Zendo", "- Acmera\n".repeat(items));
        assert_eq!(intro_of(&list(200), "Zendo").as_deref(), Some("Some banks:"));
        assert_eq!(intro_of(&list(300), "Zendo"), None);
    }
}
