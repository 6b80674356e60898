//! Distinguishes a brand's name from the common words that it consists of.
//!
//! The words of an occurrence are compared with the common words of the answer's language. If all of them are
//! common, the occurrence is a name only if a capital proves it: one that the place of the word in its
//! sentence does not explain, and neither do the rules of the language. `evidence` decides about the others.

use std::ops::Range;

use unicode_normalization::char::is_combining_mark;

use crate::accent::{AccentDifference, compare_accents};
use crate::capital::{
    has_inner_capital, is_all_caps, is_always_capitalized, is_in_title_case, starts_sentence, words_beside,
};
use crate::fold::GAP;
use crate::item::is_unknown_word;
use crate::language::{Language, Roles};
use crate::script::{has_case, is_all_lowercase, is_unspaced, is_word};
use crate::slot::{Place, Slot};
use crate::spelling::Name;
use crate::text::Text;
use crate::unit::{is_counted, is_counted_unit, is_unit};
use crate::word_list::MAX_LETTERS;
use crate::word_parts::without_last_letters;

/// The number of characters beside an occurrence that are looked at.
const MAX_CHARS: usize = 64;

/// The meaning of an occurrence of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Usage {
    /// The occurrence is the name.
    Name,
    /// The occurrence is the name if something in the answer shows it.
    Unproven,
    /// The occurrence means the common words that the name consists of.
    CommonWords,
}

/// Returns the meaning of the occurrence of `name` at the folded bytes `range`. With the ending that inflects
/// it, it ends at `inflected_end`.
pub(crate) fn usage_at(text: Text<'_>, range: Range<usize>, inflected_end: usize, name: &Name) -> Usage {
    let occurrence = Written::new(text, range, inflected_end, name);
    let accents = occurrence.accents();
    if occurrence.is_tag() {
        return Usage::Name;
    }
    if occurrence.is_number_of_degrees() {
        return Usage::CommonWords;
    }
    if occurrence.is_small_word() {
        return if occurrence.is_among_names() || !occurrence.has_listed_word() {
            Usage::Unproven
        } else {
            Usage::CommonWords
        };
    }
    if occurrence.is_word_with_other_accents(accents)
        || occurrence.lacks_sign_of_name()
        || occurrence.is_lowercase_phrase()
    {
        return Usage::CommonWords;
    }
    if occurrence.is_lowercase_english() {
        return Usage::Unproven;
    }
    if !occurrence.consists_of_common_words() {
        return if occurrence.is_word_among_words() {
            Usage::Unproven
        } else {
            Usage::Name
        };
    }
    if occurrence.is_written_as_words() {
        return Usage::CommonWords;
    }
    if occurrence.has_case && is_proved_by_capital(text, &occurrence) {
        return Usage::Name;
    }
    if accents == AccentDifference::Added {
        return Usage::CommonWords;
    }
    Usage::Unproven
}

/// An occurrence of a name, as the answer writes it.
struct Written<'a> {
    text: Text<'a>,
    name: &'a Name,
    /// The range of folded bytes, without an ending that inflects the name.
    range: Range<usize>,
    /// The folded byte at which it ends with that ending.
    inflected_end: usize,
    written: &'a str,
    words: Vec<&'a str>,
    /// Whether it has letters of a script with capitals.
    has_case: bool,
    /// Whether it has small letters and no capital.
    is_lowercase: bool,
}

impl<'a> Written<'a> {
    fn new(text: Text<'a>, range: Range<usize>, inflected_end: usize, name: &'a Name) -> Self {
        let written = text.prose_of(range.clone());
        Self {
            text,
            name,
            words: words_of(text, range.clone()),
            range,
            inflected_end,
            written,
            has_case: has_case(written),
            is_lowercase: is_all_lowercase(written),
        }
    }

    fn is_inflected(&self) -> bool {
        self.inflected_end > self.range.end
    }

    fn has_capital_name(&self) -> bool {
        self.name.written.contains(char::is_uppercase)
    }

    /// Returns whether the name is a tag or a handle, or starts one: `#acme`, `@AcmeHQ`.
    fn is_tag(&self) -> bool {
        let before = self.text.before(self.text.folded.source_offset(self.range.start));
        let is_sign =
            before.ends_with('@') || (before.ends_with('#') && self.written.contains(char::is_alphabetic));
        let sign = before.len().saturating_sub(1);
        is_sign && !before[..sign].ends_with(char::is_alphanumeric)
    }

    /// Returns whether one word in small letters stands where the name has a capital, and nothing inside it
    /// shows the name: no capital of the name, no digit and no sign.
    fn is_small_word(&self) -> bool {
        let has_inner_mark = has_inner_capital(&self.name.written)
            || !self
                .name
                .written
                .chars()
                .all(|c| c.is_alphabetic() || c == '\'' || c == '’');
        let is_whole_name = self.words.len() == 1 && !self.name.written.contains(char::is_whitespace);
        self.is_lowercase
            && self.has_capital_name()
            && is_whole_name
            && (!has_inner_mark || self.has_listed_word())
    }

    fn has_listed_word(&self) -> bool {
        let mut words = self.words.iter();
        words.any(|word| is_english(word) || is_common(self.text, word))
    }

    /// Returns whether the words stand where an item of a list does, or beside a comma or a bracket, as names
    /// in a list do: `slack, zoom and asana`.
    fn is_among_names(&self) -> bool {
        let range = self.text.prose_range(self.range.start..self.inflected_end);
        let before = self.text.before(range.start).trim_end_matches(' ');
        let after = self.text.after(range.end);
        self.slot().is_some_and(|slot| slot.place != Place::Bold)
            || before.ends_with([',', '(', '/', '、', '·'])
            || after.starts_with([',', '/', '、'])
            || after.starts_with(" ·")
            || self.is_beside_and(before, after)
    }

    /// Returns whether the word for "and", "or" or "vs" precedes or follows.
    fn is_beside_and(&self, before: &str, after: &str) -> bool {
        let lexicon = self.text.language.lexicon();
        let joins = |word: Option<&str>| {
            word.is_some_and(|word| {
                matches!(word, "vs" | "vs." | "&")
                    || lexicon
                        .roles(&word.to_lowercase())
                        .has(Roles::AND.union(Roles::OR))
            })
        };
        let last = before.rsplit(char::is_whitespace).next();
        joins(last)
            || joins(
                after
                    .strip_prefix(' ')
                    .and_then(|rest| rest.split_whitespace().next()),
            )
    }

    /// Returns whether the name is a number that counts degrees: `360 degrees`.
    fn is_number_of_degrees(&self) -> bool {
        self.written.bytes().all(|b| b.is_ascii_digit())
            && is_counted(char_prefix(
                self.text.after(self.text.prose_range(self.range.clone()).end),
            ))
    }

    /// Returns whether all words of the name are units, symbols or codes.
    fn is_unit(&self) -> bool {
        let before = || self.text.before(self.text.folded.source_offset(self.range.start));
        let is_unit = |word: &&str| is_unit(word) || is_counted_unit(word, before());
        !self.words.is_empty() && self.words.iter().all(is_unit)
    }

    fn accents(&self) -> AccentDifference {
        if self.is_inflected() || is_all_caps(self.written) {
            return AccentDifference::Same;
        }
        compare_accents(&self.words.concat(), &self.name.lower)
    }

    /// Returns whether the accents make it another word. A capital may show that added ones do not.
    fn is_word_with_other_accents(&self, accents: AccentDifference) -> bool {
        match accents {
            AccentDifference::Different => true,
            AccentDifference::Added => self.is_lowercase && self.has_capital_name(),
            AccentDifference::Same | AccentDifference::LeftOut => false,
        }
    }

    /// Returns whether the sign at the end of the name is left out and the rest means words: `Yahoo` is the
    /// name without its sign, `which` is not `Which?`.
    fn lacks_sign_of_name(&self) -> bool {
        let is_one_word = self.words.len() == 1;
        let is_listed = |word: &&str| is_english(word) || is_common(self.text, word);
        self.name.lacks_sign && (self.is_lowercase || is_one_word) && self.words.iter().all(is_listed)
    }

    /// Returns whether words in small letters are a phrase, although the name has a capital. Longer names are
    /// rarely written so. So one word that is listed is enough, if the others may be inflected: `dina
    /// försäkringar` (your insurances) are not `Dina Försäkringar`.
    fn is_lowercase_phrase(&self) -> bool {
        let text = self.text;
        let are_several = self.words.len() > 1;
        let is_listed = |word: &&str| is_common(text, word) || (are_several && is_compound(text, word));
        let may_be_listed = |word: &&str| is_listed(word) || (are_several && may_be_inflected(text, word));
        self.is_lowercase
            && self.has_capital_name()
            && self.words.iter().any(is_listed)
            && self.words.iter().all(may_be_listed)
    }

    /// Returns whether common English words are written in small letters, although the name has a capital:
    /// `hiking boots` in a text in another language.
    fn is_lowercase_english(&self) -> bool {
        let are_english = self.words.iter().all(|word| is_english(word));
        self.is_lowercase && self.has_capital_name() && !self.is_split_at_capital() && are_english
    }

    /// Returns whether there is a gap where a capital follows a small letter in the name: `Hub Spot`.
    fn is_split_at_capital(&self) -> bool {
        let is_gap = |i: &usize| self.text.folded.flags_at(self.range.start + i) & GAP != 0;
        self.name.case_changes.iter().any(is_gap)
    }

    /// Returns whether the name has a capital inside that the occurrence has too: `e-MAG` for `eMAG`.
    fn has_inner_capital_of_name(&self) -> bool {
        let joined = self.words.concat();
        let is_as_name = self.written == self.name.written || joined == self.name.written;
        is_as_name && self.name.written.split_whitespace().any(has_inner_capital)
    }

    /// Returns whether a word is in small letters that has a capital in the name: `Buy now` for `Buy Now`.
    fn lacks_capitals_of_name(&self) -> bool {
        let names = self.name.written.split_whitespace();
        let is_small = |(word, name): (&&str, &str)| {
            word.starts_with(char::is_lowercase) && name.starts_with(char::is_uppercase)
        };
        self.words.len() > 1
            && self.words.len() == names.clone().count()
            && self.words.iter().zip(names).any(is_small)
    }

    /// Returns whether all words of the occurrence or of the name are common, and no sign or script shows the
    /// name. An English word is common in every language: `Target audience` may be the head of a table.
    fn consists_of_common_words(&self) -> bool {
        let are_common = |words: &[&str]| words.iter().all(|word| is_common(self.text, word));
        let is_one_english_word = || matches!(*self.words, [word] if is_english(word));
        let is_inflected_word = || {
            let words_of_name: Vec<&str> = self.name.lower.split_whitespace().collect();
            self.is_inflected()
                && (are_common(&words_of(self.text, self.range.start..self.inflected_end))
                    || are_common(&words_of_name))
        };
        if self.is_unit() {
            return true;
        }
        (!is_written_with_sign(self.text, self.range.clone()) || self.is_step_or_question())
            && !mixes_scripts(self.written)
            && self.written.chars().any(char::is_alphabetic)
            && ((self.name.replaced_ending.is_none() && (are_common(&self.words) || is_one_english_word()))
                || is_inflected_word())
    }

    /// Returns whether words stand where an item of a list does, among items of common words only. No list
    /// has all words, so only a digit, a capital or a sign inside shows that they are a name.
    fn is_word_among_words(&self) -> bool {
        let is_plain = |word: &&str| {
            let mut letters = word.trim_matches(['?', '¿', '？', '!', '.']).chars();
            letters.all(|c| c.is_alphabetic() || is_combining_mark(c) || matches!(c, '-' | '\'' | '’'))
                && (!has_inner_capital(word) || is_all_caps(word))
        };
        self.name.replaced_ending.is_none()
            && !mixes_scripts(self.written)
            && self.words.iter().all(is_plain)
            && self.slot().is_some_and(|slot| {
                let siblings = self.text.siblings_of(slot);
                let is_unknown = self.words.iter().any(|word| is_unknown_word(self.text, word));
                // A column's head beside `Criterion` is often the name of a brand.
                siblings.are_common()
                    && !(is_unknown && (slot.place == Place::HeadCell || siblings.common < 2))
            })
    }

    /// Returns the place of an item that the name begins.
    fn slot(&self) -> Option<&'a Slot> {
        self.text.slot_of(&self.text.prose_range(self.range.clone()))
    }

    /// Returns whether the name is the number of a step, or a question: `Step 1`, `How much is it?`.
    fn is_step_or_question(&self) -> bool {
        let is_number = |word: &str| word.bytes().all(|b| b.is_ascii_digit());
        let rest = self.text.after(self.text.prose_range(self.range.clone()).end);
        self.slot().is_some()
            && (self.words.iter().any(|word| is_number(word))
                || rest.starts_with(['?', '？'])
                || self.written.ends_with(['?', '？']))
    }

    /// Returns whether small letters, a gap or a sign left out show that common words are meant.
    fn is_written_as_words(&self) -> bool {
        // A brand that writes itself in small letters may be meant: `dm`.
        let may_be_lowercase_name = !self.has_capital_name() && self.words.len() == 1;
        if self.name.lacks_sign || (self.is_lowercase && !may_be_lowercase_name) {
            return true;
        }
        let starts_with_digit = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
        let is_capitalized = |word: &&str| word.starts_with(char::is_uppercase);
        self.has_case
            && self.is_split_at_capital()
            && !self.has_inner_capital_of_name()
            && !self.words.iter().any(starts_with_digit)
            && !self.words.iter().all(is_capitalized)
    }
}

/// Returns whether a word consists of two listed words of at least four letters: `kirjakauppa` (bookshop).
fn is_compound(text: Text<'_>, word: &str) -> bool {
    const MIN_LETTERS: usize = 4;
    if !["da", "de", "fi", "hu", "nl", "no", "sv"].contains(&text.language.code()) {
        return false;
    }
    let lower = word.to_lowercase();
    let ends = lower.char_indices().map(|(i, _)| i).skip(MIN_LETTERS);
    ends.take(MAX_LETTERS).any(|at| {
        let (first, second) = lower.split_at(at);
        second.chars().count() >= MIN_LETTERS
            && text.language.has_common_word(first)
            && text.language.has_common_word(second)
    })
}

/// Returns whether a word may be a form of a listed word: a listed word starts as it does, or the lists have
/// none of its length, because it is short or long.
fn may_be_inflected(text: Text<'_>, word: &str) -> bool {
    const MIN_LETTERS: usize = 7;
    let lower = word.to_lowercase();
    let length = lower.chars().count();
    let starts_listed_word = || {
        let stem = without_last_letters(&lower, 3);
        text.language.common_words().contains_prefix(stem)
    };
    length <= 3 || length > MAX_LETTERS || (length >= MIN_LETTERS && starts_listed_word())
}

/// Returns whether a sign of the name shows that it is no common word: one at its start (`.NET`), inside
/// (`Toys "R" Us`) or at its end (`C++`). A mark that ends a sentence does so only if the sentence goes on:
/// `Yahoo! is`.
fn is_written_with_sign(text: Text<'_>, range: Range<usize>) -> bool {
    let folded = &text.folded.text[range.clone()];
    let is_sign = |c: char| !is_word(c) && c != '\'';
    let inside = folded.trim_end_matches(['!', '?', '.']);
    let goes_on = || {
        let rest = text.after(text.prose_range(range).end).strip_prefix(' ');
        rest.is_some_and(|rest| rest.starts_with(char::is_lowercase))
    };
    inside.contains(is_sign) || (inside.len() < folded.len() && goes_on())
}

/// Returns whether `written` has Latin letters or several digits beside letters of a script without capitals:
/// `G마켓`, `58同城`.
fn mixes_scripts(written: &str) -> bool {
    let has_latin = written.contains(|c: char| c.is_ascii_alphabetic());
    let digits = written.chars().filter(char::is_ascii_digit).count();
    written.contains(is_unspaced) && (has_latin || digits >= 2)
}

/// Returns the words of the prose between the separators of the folded bytes `range`.
fn words_of(text: Text<'_>, range: Range<usize>) -> Vec<&str> {
    let mut edges = vec![range.start];
    edges.extend((range.start + 1..range.end).filter(|&i| text.folded.flags_at(i) & GAP != 0));
    edges.push(range.end);
    edges
        .windows(2)
        .filter_map(|edge| match edge {
            [from, to] => Some(text.prose_of(*from..*to)),
            _ => None,
        })
        .collect()
}

/// Returns whether `word` is a common English word. Texts in other languages use many.
fn is_english(word: &str) -> bool {
    Language::ENGLISH.common_words().contains(&word.to_lowercase())
}

/// Returns whether `word` is a common word, a single ASCII letter or a plain number. A word with a sign
/// inside is a name.
fn is_common(text: Text<'_>, word: &str) -> bool {
    let word = word.trim_matches(|c: char| !is_word(c));
    if word.len() <= 1 || word.bytes().all(|b| b.is_ascii_digit()) {
        return true;
    }
    let words = text.language.common_words();
    let lower = word.to_lowercase();
    // An article or preposition may be joined to the word.
    let without_prefix = (1..=3).filter_map(|n| {
        let (prefix, rest) = lower.split_at(lower.char_indices().nth(n)?.0);
        (rest.chars().count() > 2 && text.language.lexicon().is_prefix(prefix)).then_some(rest)
    });
    text.language.has_common_word(word)
        || is_always_capitalized(text, word)
        || words.contains(&lower.replace('ё', "е"))
        || without_prefix.into_iter().any(|rest| words.contains(rest))
}

/// Returns whether a capital proves the name: neither its place in the text nor the rules of the language
/// explain it.
fn is_proved_by_capital(text: Text<'_>, occurrence: &Written<'_>) -> bool {
    let written = occurrence.written;
    let is_capitalized = |word: &&str| word.starts_with(char::is_uppercase);
    let is_number = |word: &&str| word.bytes().all(|b| b.is_ascii_digit());
    let has_number = occurrence.words.iter().any(is_number);
    let words = occurrence.words.iter().copied();
    let words: Vec<&str> = words.filter(|word| word.contains(char::is_alphabetic)).collect();
    if occurrence.has_inner_capital_of_name() {
        return true;
    }
    if occurrence.is_unit() || occurrence.lacks_capitals_of_name() {
        return false;
    }
    // `Step 1` may be an item's head, but `7-Eleven` is none.
    let is_in_slot = occurrence.slot().is_some();
    let starts_with_number = occurrence.words.first().is_some_and(is_number);
    if has_number && words.iter().any(is_capitalized) && (!is_in_slot || starts_with_number) {
        return true;
    }
    if is_in_slot {
        return false;
    }
    let range = text.prose_range(occurrence.range.clone());
    if !words.first().is_some_and(is_capitalized)
        || words.iter().any(|word| is_always_capitalized(text, word))
    {
        return false;
    }
    if is_all_caps(written) {
        return !words_beside(text, &range).iter().any(|word| is_all_caps(word));
    }
    if is_in_title_case(text, &range) {
        return false;
    }
    let is_single = words.len() == 1;
    if starts_sentence(text, range.start) {
        return !is_single && words.iter().all(is_capitalized);
    }
    is_single || words.iter().all(is_capitalized) || text.language.code() != "de"
}

/// Returns the first characters of a text.
fn char_prefix(text: &str) -> &str {
    &text[..text.floor_char_boundary(MAX_CHARS)]
}
