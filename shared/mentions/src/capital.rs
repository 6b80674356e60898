//! What explains a capital: its place in the text, or the language.

use std::ops::Range;

use crate::fold::LINE_BREAK;
use crate::language::{Language, Roles};
use crate::prose::SpanKind;
use crate::text::Text;

/// The number of characters beside a word that are looked at.
const MAX_CHARS: usize = 64;
/// The maximum length of a title in bytes.
const MAX_TITLE_BYTES: usize = 300;

/// Returns whether the language always writes `word` with a capital: English weekdays, German nouns. Texts in
/// other languages have English weekdays too.
pub(crate) fn is_always_capitalized(text: Text<'_>, word: &str) -> bool {
    let lower = word.to_lowercase();
    let languages = [text.language, Language::ENGLISH];
    let is_capital = |language: &Language| language.lexicon().roles(&lower).has(Roles::CAPITAL);
    languages.iter().any(is_capital) || text.language.has_common_noun(word)
}

/// Returns whether `word` has a capital after its first letter, and small letters: `eBay`.
pub(crate) fn has_inner_capital(word: &str) -> bool {
    word.chars().skip(1).any(char::is_uppercase) && word.contains(char::is_lowercase)
}

/// Returns whether `word` has several capitals and no small letter: `IKEA`.
pub(crate) fn is_all_caps(word: &str) -> bool {
    word.chars().filter(|c| c.is_uppercase()).count() >= 2 && !word.contains(char::is_lowercase)
}

/// Returns the words directly before and after the prose bytes `range`, in the same line.
pub(crate) fn words_beside<'a>(text: Text<'a>, range: &Range<usize>) -> Vec<&'a str> {
    let is_edge = |c: char| c == '\n' || c == LINE_BREAK;
    let (before, after) = (text.before(range.start), text.after(range.end));
    let before = &before[before.ceil_char_boundary(before.len().saturating_sub(MAX_CHARS))..];
    let after = &after[..after.floor_char_boundary(MAX_CHARS)];
    let line_before = before.rsplit_once(is_edge).map_or(before, |(_, line)| line);
    let line_after = after.split_once(is_edge).map_or(after, |(line, _)| line);
    let is_gap = |c: char| !c.is_alphanumeric();
    let last = line_before.rsplit(is_gap).find(|word| !word.is_empty());
    let first = line_after.split(is_gap).find(|word| !word.is_empty());
    last.into_iter().chain(first).collect()
}

/// Returns whether most words of the heading, cell or label around the prose bytes `range` have capitals, or
/// there are no others.
pub(crate) fn is_in_title_case(text: Text<'_>, range: &Range<usize>) -> bool {
    let kinds = [SpanKind::Heading, SpanKind::TableCell, SpanKind::Bold];
    let Some(span) = kinds.iter().find_map(|&kind| text.span(kind, range)) else {
        return false;
    };
    if span.range.len() > MAX_TITLE_BYTES {
        return false;
    }
    let outside = [span.range.start..range.start, range.end..span.range.end];
    let others: Vec<&str> = outside
        .iter()
        .filter_map(|part| text.prose.get(part.clone()))
        .flat_map(|part| part.split(|c: char| !c.is_alphanumeric()))
        .filter(|word| word.chars().count() >= 4)
        .collect();
    let capitals = others
        .iter()
        .filter(|word| word.starts_with(char::is_uppercase))
        .count();
    (others.is_empty() && span.kind != SpanKind::Bold) || (capitals > 0 && capitals * 2 >= others.len())
}

/// Returns whether a sentence, line, cell, list item or label starts at the prose byte `at`.
pub(crate) fn starts_sentence(text: Text<'_>, at: usize) -> bool {
    let before = text.before(at);
    let mut spaced = false;
    for (i, c) in before.char_indices().rev().take(MAX_CHARS) {
        match c {
            '\n' | LINE_BREAK | '.' | '!' | '?' | '…' | ':' | ';' | '|' | '·' | '•' | '؟' | '।' => {
                return true;
            }
            '-' | '–' | '—' if spaced => return true,
            c if c.is_whitespace() => spaced = true,
            c if c.is_ascii_digit() => {
                let number = before[..=i].trim_end_matches(|c: char| c.is_ascii_digit());
                return number.is_empty() || number.ends_with(['\n', LINE_BREAK]);
            }
            c if c.is_alphanumeric() || matches!(c, ',' | '&' | '/' | '%' | '-' | ')') => return false,
            _ => {}
        }
    }
    true
}
