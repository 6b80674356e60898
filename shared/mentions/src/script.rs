//! Character classes, by script.

use unicode_normalization::char::is_combining_mark;

/// Returns whether `c` is part of a word: a letter, a digit or a combining mark.
pub(crate) fn is_word(c: char) -> bool {
    if c.is_ascii() {
        c.is_ascii_alphanumeric()
    } else {
        is_frequent_letter(c) || (!is_frequent_sign(c) && (c.is_alphanumeric() || is_combining_mark(c)))
    }
}

/// Returns whether `c` is one of the letters of which most texts consist that are not ASCII. The tables of
/// all letters take much longer.
fn is_frequent_letter(c: char) -> bool {
    matches!(u32::from(c),
        0x00C0..=0x00D6 | 0x00D8..=0x00F6 | 0x00F8..=0x02AF | 0x0300..=0x036F // Latin, marks
        | 0x0386 | 0x0388..=0x038A | 0x038E..=0x03A1 | 0x03A3..=0x03CE // Greek
        | 0x0400..=0x0481 // Cyrillic
        | 0x05D0..=0x05EA | 0x0620..=0x0652 | 0x0900..=0x094D // Hebrew, Arabic, Devanagari
        | 0x0E01..=0x0E3A | 0x0E40..=0x0E4E // Thai
        | 0x3041..=0x3096 | 0x30A1..=0x30FA | 0x30FC..=0x30FE | 0x4E00..=0x9FFF | 0xAC00..=0xD7A3)
}

/// Returns whether `c` is one of the signs of which most texts have some that are not ASCII.
fn is_frequent_sign(c: char) -> bool {
    matches!(u32::from(c),
        0x00A0..=0x00A9 | 0x00AB..=0x00B1 | 0x00B4 | 0x00B6..=0x00B8 | 0x00BB | 0x2000..=0x206F | 0x20A0..=0x20BF
        | 0x2190..=0x22FF | 0x2500..=0x25FF | 0x3000..=0x3004 | 0x3008..=0x3020 | 0x30FB
        | 0xFF01..=0xFF0F | 0xFF1A..=0xFF20 | 0xFF3B..=0xFF40 | 0xFF5B..=0xFF65 | 0x1F300..=0x1F9FF)
}

/// Returns whether `c` belongs to a script without spaces between words, or, like Hangul, with particles
/// directly after a name.
pub(crate) fn is_unspaced(c: char) -> bool {
    // Most letters are before all ranges.
    c >= '\u{E00}'
        && matches!(u32::from(c),
        0x0E00..=0x0EFF // Thai, Lao
        | 0x1000..=0x109F | 0xA9E0..=0xA9FF | 0xAA60..=0xAA7F // Myanmar
        | 0x1780..=0x17FF // Khmer
        | 0x1950..=0x19DF | 0x1A20..=0x1AAF // Tai Le, New Tai Lue, Tai Tham
        | 0xA980..=0xA9DF | 0x1B00..=0x1B7F // Javanese, Balinese
        | 0x1100..=0x11FF | 0x3130..=0x318F | 0xA960..=0xA97F | 0xAC00..=0xD7FF // Hangul
        | 0x2E80..=0x2FDF | 0x3005..=0x3007 | 0x3021..=0x3029 | 0x3038..=0x303B // Han
        | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF
        | 0x3040..=0x30FF | 0x31F0..=0x31FF | 0x1B000..=0x1B16F // kana
        | 0x3100..=0x312F | 0x31A0..=0x31BF // Bopomofo
        | 0xA000..=0xA4CF) // Yi
}

/// Returns whether `c` continues the written character before it: a combining mark, or a vowel or final
/// consonant of a decomposed Hangul syllable. A name never ends directly before one.
pub(crate) fn is_continuation(c: char) -> bool {
    !c.is_ascii() && (is_combining_mark(c) || matches!(u32::from(c), 0x1160..=0x11FF | 0xD7B0..=0xD7FF))
}

/// Returns whether combining marks on `c` (decomposed and case folded) are accents that folding removes: on
/// Latin, Greek and Cyrillic letters, and on digits and signs that a keycap or a stroke may cover.
pub(crate) fn takes_accents(c: char) -> bool {
    c.is_ascii()
        || matches!(u32::from(c),
            0x00A0..=0x02FF | 0x0370..=0x052F | 0x1C80..=0x1C8F | 0x1D00..=0x1DBF | 0x1E00..=0x1FFF
            | 0x2C60..=0x2C7F | 0x2DE0..=0x2DFF | 0xA640..=0xA69F | 0xA720..=0xA7FF | 0xAB30..=0xAB6F)
}

/// Returns whether the combining mark `c` may be left out in writing: the vowel signs of Arabic and Hebrew,
/// the hamza and the madda of an alif, and the nukta of Devanagari.
pub(crate) fn is_optional_mark(c: char) -> bool {
    matches!(u32::from(c), 0x0591..=0x05C7 | 0x064B..=0x0655 | 0x0670 | 0x093C)
}

/// Returns whether `c` is invisible and does not matter for matching: soft hyphens, joiners, direction marks
/// and variation selectors.
pub(crate) fn is_ignorable(c: char) -> bool {
    matches!(u32::from(c),
        0x00AD | 0x034F | 0x061C | 0x180B..=0x180F | 0x200C..=0x200F | 0x202A..=0x202E | 0x2060..=0x206F
        | 0xFE00..=0xFE0F | 0xFEFF | 0xE0000..=0xE0FFF)
}

/// Returns whether `c` is a superscript, subscript or circled digit, which is a note mark if it follows a
/// name.
pub(crate) fn is_note_mark(c: char) -> bool {
    matches!(u32::from(c), 0x00B2 | 0x00B3 | 0x00B9 | 0x2070..=0x2089 | 0x2460..=0x24FF | 0x2776..=0x2793)
}

/// Returns whether `text` has a letter of a script with capitals.
pub(crate) fn has_case(text: &str) -> bool {
    text.contains(|c: char| c.is_lowercase() || c.is_uppercase())
}

/// Returns whether `text` has small letters and no capital.
pub(crate) fn is_all_lowercase(text: &str) -> bool {
    text.contains(char::is_lowercase) && !text.contains(char::is_uppercase)
}

/// Returns whether `c` is katakana or the mark that lengthens its vowels.
pub(crate) fn is_katakana(c: char) -> bool {
    matches!(u32::from(c), 0x30A1..=0x30FA | 0x30FC..=0x30FE | 0x31F0..=0x31FF | 0xFF66..=0xFF9F)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequent_letters_and_signs_are_told_as_the_tables_tell_them() {
        for c in '\0'..=char::MAX {
            let is_word_of_tables = c.is_alphanumeric() || is_combining_mark(c);
            assert_eq!(is_word(c), is_word_of_tables, "{c:?}");
        }
    }
}
