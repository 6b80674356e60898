//! Recognizes names that are inflected: `Teslas`, `Теслы`, `Tesla'nın`, `בטסלה`.
//!
//! An ending counts if it is one of the answer's language. `usage` decides whether the inflected form is a
//! common word. Of the names of fewer than four letters, only abbreviations are, by an s (`KLPs`), because
//! too many other words begin like them.

use crate::fold::{Folded, GAP};
use crate::language::Language;
use crate::script::{is_unspaced, is_word};
use crate::spelling::{MIN_INFLECTED_LETTERS, Name};
use crate::text::Text;

const MAX_ENDING_BYTES: usize = 24;

/// How the names of a language are inflected.
pub(crate) struct Inflection<'a> {
    text: Text<'a>,
    name: &'a Name,
}

impl<'a> Inflection<'a> {
    pub(crate) fn new(text: Text<'a>, name: &'a Name) -> Self {
        Self { text, name }
    }

    /// Returns whether only a prefix of the language is joined to the front of the name, as the article is in
    /// Arabic.
    pub(crate) fn has_prefix(&self, start: usize, end: usize) -> bool {
        let folded = self.text.folded;
        let mut from = start;
        while from > 0 && start - from < MAX_ENDING_BYTES && folded.flags_at(from) & GAP == 0 {
            match folded.char_before(from).filter(|&c| is_word(c)) {
                Some(c) => from -= c.len_utf8(),
                None => break,
            }
        }
        if from == start || self.name.letter_count < MIN_INFLECTED_LETTERS {
            return false;
        }
        self.text.language.lexicon().is_prefix(&folded.text[from..start]) && !self.is_common(from, end)
    }

    /// Returns where the ending of the name ends, or `None` if the name has none at the folded byte `end`.
    pub(crate) fn end_of_ending(&self, end: usize) -> Option<usize> {
        let folded = self.text.folded;
        // An ending of a foreign name may follow an apostrophe or a colon: `Tesla'nın`, `IKEA:n`.
        let sign = folded.char_at(end).filter(|&c| matches!(c, '\'' | ':'));
        let from = end + sign.map_or(0, char::len_utf8);
        let is_hyphened = folded.flags_at(from) & GAP != 0;
        if is_hyphened || (sign.is_some() && self.name.replaced_ending.is_some()) {
            return None;
        }
        let mut to = from;
        while to < folded.text.len()
            && to - from < MAX_ENDING_BYTES
            && (to == from || folded.flags_at(to) & GAP == 0)
        {
            match folded.char_at(to).filter(|&c| is_word(c)) {
                Some(c) => to += c.len_utf8(),
                None => break,
            }
        }
        let ending = &folded.text[from..to];
        if ending.is_empty() || ending.starts_with(is_unspaced) {
            return None;
        }
        let replaced = self.name.replaced_ending.as_deref();
        if sign.is_none() && replaced.is_none() && self.is_english_plural(from, to) {
            return Some(to);
        }
        if !self.text.language.lexicon().is_ending(ending, replaced) {
            return None;
        }
        let is_abbreviation = || {
            let letters = self.name.written.chars();
            letters.clone().count() >= 2
                && letters.clone().all(char::is_uppercase)
                && self.text.prose_of(from..to) == "s"
        };
        let counts = sign.is_some() || self.name.letter_count >= MIN_INFLECTED_LETTERS || is_abbreviation();
        counts.then_some(to)
    }

    /// Returns whether the ending makes the English plural of a name that is written with a capital: `two
    /// Teslas`. A plural that is a common word is none.
    fn is_english_plural(&self, from: usize, to: usize) -> bool {
        let Some(start) = from.checked_sub(Folded::of(&self.name.written).text.len()) else {
            return false;
        };
        self.text.language == Language::ENGLISH
            && self.name.letter_count >= MIN_INFLECTED_LETTERS
            && self.text.folded.text.get(from..to) == Some("s")
            && self.text.prose_of(start..from) == self.name.written
            && self.name.written.starts_with(char::is_uppercase)
            && !self.is_common(start, to)
    }

    fn is_common(&self, start: usize, end: usize) -> bool {
        let word = self.text.prose_of(start..end).to_lowercase();
        self.text.language.common_words().contains(&word)
    }
}
