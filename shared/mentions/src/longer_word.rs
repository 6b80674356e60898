//! Recognizes longer words that contain a name, in scripts without spaces between words.
//!
//! `小米粥` (millet porridge) does not mention `小米`, and `ラインナップ` (lineup) does not mention `ライン`.

use crate::script::{is_katakana, is_unspaced};
use crate::text::Text;

/// The maximum number of katakana beside a name that are read.
const MAX_KATAKANA: usize = 16;

/// The maximum number of characters of a longer word on each side of the name.
const MAX_CHARS: usize = 5;

/// The maximum number of characters of a name that a longer word contains. Longer words are rare in these
/// scripts.
const MAX_NAME_CHARS: usize = 4;

/// Returns whether a common word of the answer's language covers the folded bytes `start..end` and is longer.
pub(crate) fn is_part_of_longer_word(text: Text<'_>, start: usize, end: usize) -> bool {
    let range = text.prose_range(start..end);
    let name = text.slice(&range);
    if !name.starts_with(is_unspaced) {
        return false;
    }
    let (before, after) = (text.before(range.start), text.after(range.end));
    let is_near = |&(_, c): &(usize, char)| is_unspaced(c);
    let near = before.char_indices().rev().take(MAX_CHARS).take_while(is_near);
    let starts: Vec<usize> = std::iter::once(range.start).chain(near.map(|(i, _)| i)).collect();
    let near = after.char_indices().take(MAX_CHARS).take_while(is_near);
    let near = near.map(|(i, c)| range.end + i + c.len_utf8());
    let ends: Vec<usize> = std::iter::once(range.end).chain(near).collect();
    let words = text.language.common_words();
    if text.language.lexicon().is_derivation(after) {
        return true;
    }
    if name.chars().count() > MAX_NAME_CHARS {
        return continues_katakana(before, name, after, |rest| words.contains(rest));
    }
    let is_listed =
        |from: usize, to: usize| text.prose.get(from..to).is_some_and(|word| words.contains(word));
    let is_longer = |from: usize, to: usize| (from, to) != (range.start, range.end);
    let in_listed = starts
        .iter()
        .any(|&from| ends.iter().any(|&to| is_longer(from, to) && is_listed(from, to)));
    // `完美的` is `完美` and `的`, not `美的`.
    let crosses = text.language.code() == "zh"
        && starts.iter().skip(1).any(|&from| {
            let inside = name.char_indices().skip(1).map(|(i, _)| range.start + i);
            inside.into_iter().any(|to| is_listed(from, to))
        });
    crosses || in_listed || continues_katakana(before, name, after, |rest| words.contains(rest))
}

/// Returns whether a word in katakana continues beyond the name, and the rest is no word of its own:
/// `ガストロノミー` contains `ガスト`, but `ソニーストア` is a shop of `ソニー`.
fn continues_katakana(before: &str, name: &str, after: &str, is_word: impl Fn(&str) -> bool) -> bool {
    let is_near = |c: &char| is_katakana(*c);
    let head = before.chars().rev().take(MAX_KATAKANA).take_while(is_near);
    let head = &before[before.len() - head.map(char::len_utf8).sum::<usize>()..];
    let tail = after.chars().take(MAX_KATAKANA).take_while(is_near);
    let tail = &after[..tail.map(char::len_utf8).sum()];
    let is_part = |rest: &str| !rest.is_empty() && !is_word(rest);
    (name.starts_with(is_katakana) && is_part(head)) || (name.ends_with(is_katakana) && is_part(tail))
}
