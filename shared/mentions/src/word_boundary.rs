//! Decides whether an occurrence of a spelling consists of complete words.

use std::ops::Range;

use crate::fold::{Folded, GAP, LINE_BREAK, NOTE_MARK, SPACED, ZERO_WIDTH_SPACED};
use crate::inflection::Inflection;
use crate::language::Language;
use crate::longer_word::is_part_of_longer_word;
use crate::script::{is_continuation, is_unspaced, is_word};
use crate::spelling::Name;
use crate::text::Text;

/// The maximum length of a short name, in letters and digits. A short name must not touch signs that make
/// another word of it (`C++`, `AT&T`, `R_1`).
const MAX_SHORT_LETTERS: usize = 3;

/// Returns where the occurrence of `name` at the folded bytes `start..end` ends, with the ending that
/// inflects it, or `None` if it is part of other words.
pub(crate) fn complete_words_at(text: Text<'_>, start: usize, end: usize, name: &Name) -> Option<usize> {
    // Names with an English `and` are international.
    let languages = [text.language, Language::ENGLISH];
    let is_of_language = |word: &String| {
        let mut words = languages.iter().flat_map(|language| language.words_for_and());
        words.any(|known| known == word)
    };
    if !name.word_for_and.iter().all(is_of_language) {
        return None;
    }
    let inflection = Inflection::new(text, name);
    if !starts_at_boundary(text, start, end, name) && !inflection.has_prefix(start, end) {
        return None;
    }
    let is_split_elsewhere = |(i, flags): &(usize, &u8)| {
        *flags & GAP != 0
            && name.case_changes.binary_search(i).is_err()
            && name.word_breaks.binary_search(i).is_err()
    };
    let mut splits = text.folded.flags[start..end]
        .iter()
        .enumerate()
        .skip(1)
        .filter(is_split_elsewhere);
    let split = splits.next();
    if splits.next().is_some() || split.is_some_and(|(i, _)| !may_split(text, start..end, start + i)) {
        return None;
    }
    let ends_here = name.replaced_ending.is_none() && ends_at_boundary(text, start, end, name);
    if is_part_of_longer_word(text, start, end) {
        return None;
    }
    let inflected = inflection.end_of_ending(end);
    inflected.or_else(|| ends_here.then_some(end))
}

/// Returns whether a joined name may be written as two words that part at the folded byte `at`: both are long
/// enough and, in scripts with case, capitalized (`Cool Blue` for `Coolblue`), or the second one is a number
/// that is no mere digit (`N 11` for `n11`): `Step 2` of a guide is not the brand Step2, and `In Touch` is
/// not Intouch.
fn may_split(text: Text<'_>, name: Range<usize>, at: usize) -> bool {
    let (left, right) = (text.prose_of(name.start..at), text.prose_of(at..name.end));
    if left.starts_with(char::is_lowercase) || right.starts_with(char::is_lowercase) {
        return false;
    }
    let (left_length, right_length) = (left.chars().count(), right.chars().count());
    let (shortest, both) = (left_length.min(right_length), left_length + right_length);
    let is_caseless = !left.starts_with(char::is_uppercase) && left.starts_with(char::is_alphabetic);
    let is_numbered = text.folded.flags_at(at) & SPACED != 0
        && left.chars().all(char::is_alphabetic)
        && right.bytes().all(|b| b.is_ascii_digit())
        && (right_length >= 2 || is_caseless);
    let are_common = || {
        [left, right]
            .iter()
            .all(|word| text.language.has_common_word(word))
    };
    let is_long_enough = if is_caseless {
        both >= 5
    } else {
        both >= 7 && !are_common()
    };
    is_numbered || shortest >= 3 || (shortest == 2 && is_long_enough)
}

/// Returns whether the full `domain` (in lower case) occurs at the folded byte `start`, alone or at the end
/// of one of its subdomains, but not as part of a longer domain or of an e-mail address.
pub(crate) fn is_domain_at(text: Text<'_>, start: usize, domain: &str) -> bool {
    let from = text.folded.source_offset(start);
    let Some(length) = domain_length(text.after(from), domain) else {
        return false;
    };
    let (before, after) = (&text.prose[..from], &text.prose[from + length..]);
    let mut left = before.chars().rev();
    let starts_domain = match left.next() {
        None => true,
        Some('-') => !left.next().is_some_and(|c| is_word(c) && !is_unspaced(c)),
        Some('_' | '@') => false,
        Some(c) => !is_word(c) || is_unspaced(c),
    };
    starts_domain && ends_domain(after)
}

/// Returns whether a domain ends before `after`.
fn ends_domain(after: &str) -> bool {
    let is_label = |c: char| (is_word(c) && !is_unspaced(c)) || c == '-' || c == '_';
    // This is the label of a link that did not parse: `[you.com](https://…`.
    if after.starts_with("](") || after.starts_with('@') {
        return false;
    }
    match after.chars().next() {
        Some('-') => {
            let rest = after.trim_start_matches(is_label);
            !rest
                .strip_prefix('.')
                .is_some_and(|rest| rest.starts_with(is_label))
        }
        Some('.') => {
            let mut next = after.chars().skip(1);
            let first = next.next().filter(|&c| is_label(c));
            first.is_none_or(|c| c.is_uppercase() && next.next().is_some_and(char::is_lowercase))
        }
        Some(c) => !is_label(c),
        None => true,
    }
}

/// Returns how many bytes at the start of `text` equal `domain`, ignoring case, or `None` if it does not
/// start with it.
fn domain_length(text: &str, domain: &str) -> Option<usize> {
    let mut expected = domain.chars();
    let mut length = 0;
    for c in text.chars() {
        if expected.as_str().is_empty() {
            break;
        }
        for lower in c.to_lowercase() {
            if expected.next() != Some(lower) {
                return None;
            }
        }
        length += c.len_utf8();
    }
    expected.as_str().is_empty().then_some(length)
}

/// Returns whether no word continues across the start of the occurrence.
fn starts_at_boundary(text: Text<'_>, start: usize, end: usize, name: &Name) -> bool {
    let folded = text.folded;
    let flags = folded.flags_at(start);
    let Some(before) = folded.char_before(start) else {
        return true;
    };
    if flags & (GAP | ZERO_WIDTH_SPACED) != 0 {
        return flags & (SPACED | ZERO_WIDTH_SPACED) != 0 || name.letter_count > 1;
    }
    let sign = start - before.len_utf8();
    if folded.flags_at(sign) & NOTE_MARK != 0 {
        return true;
    }
    let first = folded.char_at(start).unwrap_or(' ');
    if is_joined(before, first, first) {
        return false;
    }
    // The rest decides whether the sign joins the name to another word.
    let touches_word = folded.flags_at(sign) & GAP == 0
        && folded
            .char_before(sign)
            .is_some_and(|c| is_word(c) && !is_unspaced(c) && !is_unspaced(first));
    match before {
        '.' if touches_word && is_word(first) => starts_sentence(text, start) || starts_item(text, start),
        '\'' if touches_word => !["s", "t", "m", "d", "re", "ve", "ll"].contains(&&folded.text[start..end]),
        '&' | '_' => !touches_word || name.letter_count > MAX_SHORT_LETTERS,
        ',' | ':' if touches_word => {
            !(first.is_numeric() && folded.char_before(sign).is_some_and(char::is_numeric))
        }
        '$' | '€' | '£' => !first.is_numeric(),
        _ => true,
    }
}

/// Returns whether no word continues across the end of the occurrence.
fn ends_at_boundary(text: Text<'_>, start: usize, end: usize, name: &Name) -> bool {
    let folded = text.folded;
    let flags = folded.flags_at(end);
    let Some(after) = folded.char_at(end) else {
        return true;
    };
    if is_continuation(after) {
        return false;
    }
    if flags & (GAP | ZERO_WIDTH_SPACED) != 0 {
        return flags & (SPACED | ZERO_WIDTH_SPACED) != 0 || name.letter_count > 1;
    }
    if flags & NOTE_MARK != 0 {
        return true;
    }
    let last = folded.char_before(end).filter(|_| end > start).unwrap_or(' ');
    if is_joined(last, after, last) {
        return continues_tag(text, start, end);
    }
    let next = end + after.len_utf8();
    let touches_word = folded.flags_at(next) & GAP == 0
        && folded
            .char_at(next)
            .is_some_and(|c| is_word(c) && !is_unspaced(c) && !is_unspaced(last));
    match after {
        '.' if touches_word => starts_sentence(text, next),
        '\'' if touches_word => !["t", "m", "re", "ve"].contains(&word_at(folded, next)),
        '&' | '_' => !touches_word || name.letter_count > MAX_SHORT_LETTERS,
        '+' | '#' => name.letter_count > MAX_SHORT_LETTERS,
        ',' | ':' if touches_word => {
            !(last.is_numeric() && folded.char_at(next).is_some_and(char::is_numeric))
        }
        '%' | '€' => !last.is_numeric(),
        _ => true,
    }
}

/// Returns whether another word follows the name in a tag or handle that is written in camel case:
/// `#AcmeChallenge`, `@AcmeHQ`.
fn continues_tag(text: Text<'_>, start: usize, end: usize) -> bool {
    let (from, to) = (text.folded.source_offset(start), text.folded.source_offset(end));
    text.before(from).ends_with(['#', '@'])
        && text.before(to).ends_with(char::is_lowercase)
        && text.after(to).starts_with(char::is_uppercase)
}

/// Returns whether the characters on both sides of the edge of a name belong to one word. A `sign` at the
/// edge of a name (`.NET`, `C++`) is part of the name, so it must not touch another word either.
fn is_joined(left: char, right: char, sign: char) -> bool {
    let is_inside_word = |c: char| is_word(c) || c == sign;
    is_inside_word(left) && is_inside_word(right) && !is_unspaced(left) && !is_unspaced(right)
}

/// Returns whether the dot before the folded byte `i` ends a sentence that no space follows (`by Acme.The
/// next`), and is not inside a word (`Node.js`). A small letter must precede the dot, and a capital and a
/// small letter must follow.
fn starts_sentence(text: Text<'_>, i: usize) -> bool {
    let at = text.folded.source_offset(i);
    let (before, after) = text.prose.split_at(at);
    let mut next = after.chars();
    let is_capitalized =
        next.next().is_some_and(char::is_uppercase) && next.next().is_some_and(char::is_lowercase);
    is_capitalized && before.chars().rev().nth(1).is_some_and(char::is_lowercase)
}

/// Returns whether a number at the start of a line and a dot precede the folded byte `i`: `1.Acme`.
fn starts_item(text: Text<'_>, i: usize) -> bool {
    let before = text.before(text.folded.source_offset(i));
    let marker = before.rsplit(['\n', LINE_BREAK]).next().unwrap_or(before);
    let number = marker.trim_start().strip_suffix(['.', '．']);
    number.is_some_and(|number| {
        (1..=2).contains(&number.chars().count()) && number.chars().all(char::is_numeric)
    })
}

/// Returns the folded word that starts at byte `i`.
fn word_at(folded: &Folded, i: usize) -> &str {
    let rest = &folded.text[i..];
    let starts_after_gap = |&(k, _): &(usize, char)| k > 0 && folded.flags_at(i + k) & GAP != 0;
    let end = rest
        .char_indices()
        .find(|at| starts_after_gap(at) || !is_word(at.1))
        .map_or(rest.len(), |(k, _)| k);
    &rest[..end]
}
