//! The normalisation in which names are compared.

use caseless::Caseless;
use unicode_normalization::UnicodeNormalization;

/// Returns a name in the form in which names are compared. Two names are equal if their folded forms are
/// equal.
///
/// The form is NFKC normalised and case folded, has no invisible characters, and has single spaces between
/// words.
pub fn fold_name(name: &str) -> String {
    // Case folding can undo the normalisation, and normalisation can produce characters that fold, so both
    // run twice.
    let folded: String = name
        .chars()
        .filter(|c| !is_invisible(*c))
        .nfd()
        .default_case_fold()
        .nfkc()
        .default_case_fold()
        .nfkc()
        .collect();
    let words: Vec<&str> = folded.split_whitespace().collect();
    words.join(" ")
}

/// Returns whether a character changes neither the appearance nor the meaning of a name.
///
/// These are the soft hyphen, the zero-width space, direction marks, the word joiner and the byte order mark.
/// Zero-width joiners are kept, because they change words in some scripts.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2060}' | '\u{feff}'
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_that_look_alike_fold_alike() {
        assert_eq!(fold_name("  ACME \u{a0}\t Straße\u{200b} "), "acme strasse");
        assert_eq!(fold_name("ＡＣＭＥ"), fold_name("acme"));
        assert_eq!(fold_name("Cafe\u{301}"), fold_name("CAFÉ"));
        assert_ne!(fold_name("Cafe"), fold_name("Café"));
        assert_eq!(fold_name("\u{feff} "), "");
    }

    proptest! {
        #[test]
        fn a_folded_name_is_a_fixed_point(name in "\\PC{0,20}") {
            let folded = fold_name(&name);
            prop_assert_eq!(fold_name(&folded), folded);
        }

        #[test]
        fn upper_and_lower_case_fold_alike(name in "[a-zA-Zäöüéñçßøłæ αβγΣσабвАБВ]{0,20}") {
            prop_assert_eq!(fold_name(&name.to_uppercase()), fold_name(&name.to_lowercase()));
        }
    }
}
