//! Recognizes what marks a line as an item of a list.

use crate::script::{is_note_mark, is_word};

/// The maximum length of a label in brackets before an item, in bytes.
const MAX_LABEL_BYTES: usize = 24;
/// The number of letters of a list's marker: `iii)`.
pub(super) const MAX_MARKER_LETTERS: usize = 4;

/// Returns the length of what marks a line as an item: blanks, signs, emoji, a number or a letter of a list.
pub(super) fn marker_length(line: &str) -> usize {
    let mut done = 0;
    loop {
        let rest = &line[done..];
        let signs = rest.len() - rest.trim_start_matches(is_marker_sign).len();
        if let Some(label) = label_length(&rest[..signs], &rest[signs..]) {
            done += signs + label;
            continue;
        }
        let rest = &rest[signs..];
        let number = number_length(rest);
        let letters = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_alphabetic()).len();
        let word = if number > 0 {
            number
        } else if (1..=MAX_MARKER_LETTERS).contains(&letters) && is_list_letter(&rest[..letters]) {
            letters
        } else {
            0
        };
        let after = &rest[word..];
        let ends_marker = after.starts_with(['.', ')', '．', '）', '、', '\u{fe0f}', '\u{20e3}', ']'])
            || (number > 0
                && (after.starts_with(':')
                    || after.starts_with(" – ")
                    || line[..done + signs].ends_with('#')
                    || (rest[..number].contains('.') && after.starts_with(' '))));
        // The letters of `e.l.f.` are no markers.
        let is_inside_word = letters > 0
            && number == 0
            && after.starts_with('.')
            && !after[1..].starts_with([' ', '\t', '\u{a0}']);
        if word == 0 || !ends_marker || is_inside_word {
            return done + signs;
        }
        done += signs + word;
    }
}

/// Returns the length of a label that precedes an item, up to its end: the rest of `(free) ` or `[9 €] `, a
/// time of day, or an ordinal number.
fn label_length(signs: &str, rest: &str) -> Option<usize> {
    if signs.ends_with(['(', '[', '（', '【']) {
        let close = rest.find([')', ']', '）', '】'])?;
        let is_label = close <= MAX_LABEL_BYTES && !rest[..close].contains(['\n', '(', '[']);
        let after = &rest[close..];
        let end = close + after.chars().next().map_or(1, char::len_utf8);
        return (is_label && rest[end..].starts_with(' ')).then_some(end);
    }
    let word = rest.split(' ').next().unwrap_or(rest);
    let digits = word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let tail = &word[digits..];
    let is_time = tail.starts_with(':') && tail.len() == 3 && tail[1..].bytes().all(|b| b.is_ascii_digit());
    let is_ordinal = ["st", "nd", "rd", "th", "º", "ª", "位"].contains(&tail);
    (word.len() < rest.len() && (1..=2).contains(&digits) && (is_time || is_ordinal)).then_some(word.len())
}

/// Returns the length of the number at the start of `text`: `2` or `1.2`.
fn number_length(text: &str) -> usize {
    let digits = |text: &str| text.len() - text.trim_start_matches(char::is_numeric).len();
    let mut length = digits(text);
    while length > 0 && text[length..].starts_with('.') {
        let more = digits(&text[length + 1..]);
        if more == 0 {
            break;
        }
        length += 1 + more;
    }
    length
}

/// Returns whether a sign before an item belongs to its marker. The others may start a name.
pub(super) fn is_marker_sign(c: char) -> bool {
    is_note_mark(c)
        || matches!(c, '\u{fe0f}' | '\u{20e3}')
        || !is_word(c) && !matches!(c, '@' | '$' | '€' | '£')
}

/// Returns whether letters number an item: `b` or `iv`.
fn is_list_letter(letters: &str) -> bool {
    letters.len() == 1 || letters.bytes().all(|b| b"ivxIVX".contains(&b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_precedes_an_item_is_its_marker() {
        for (line, item) in [
            ("- Acme", "Acme"),
            ("1. Acme", "Acme"),
            ("1.2 Acme", "Acme"),
            ("b) Acme", "Acme"),
            ("iv. Acme", "Acme"),
            ("① Acme", "Acme"),
            ("１．Acme", "Acme"),
            ("1️⃣ Acme", "Acme"),
            ("**#2** Acme", "Acme"),
            ("(free) Acme", "Acme"),
            ("[9 €] Acme", "Acme"),
            ("10:00 Acme", "Acme"),
            ("2nd Acme", "Acme"),
            ("7-Eleven", "7-Eleven"),
            ("3M", "3M"),
            ("e.l.f.", "e.l.f."),
            ("@acme", "@acme"),
            ("", ""),
        ] {
            assert_eq!(&line[marker_length(line)..], item, "{line}");
        }
    }
}
