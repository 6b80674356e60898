//! The names and aliases of brands: the form in which they are compared, and their parsing.

use std::collections::HashSet;

use caseless::Caseless;
use unicode_normalization::UnicodeNormalization;

use crate::error::InvalidField;
use crate::limits::{MAX_ALIASES, MAX_NAME_CHARS};
use crate::text::validate_text;

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

/// Parses a name: trims it and checks that it has 1 to 120 characters, at least one of them visible.
pub fn parse_name(field: &str, text: &str) -> Result<String, InvalidField> {
    let text = validate_text(field, text, MAX_NAME_CHARS, false)?;
    if fold_name(&text).is_empty() {
        return Err(InvalidField::new(field, "must contain a visible character"));
    }
    Ok(text)
}

/// Parses up to 20 aliases. Of aliases with equal folded forms it keeps the first.
pub fn parse_aliases(field: &str, texts: &[&str]) -> Result<Vec<String>, InvalidField> {
    if texts.len() > MAX_ALIASES {
        return Err(InvalidField::new(
            field,
            format!("must have at most {MAX_ALIASES} names"),
        ));
    }
    let mut seen = HashSet::new();
    let mut aliases = Vec::new();
    for (index, text) in texts.iter().enumerate() {
        let alias = parse_name(&format!("{field}[{index}]"), text)?;
        if seen.insert(fold_name(&alias)) {
            aliases.push(alias);
        }
    }
    Ok(aliases)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_name_is_trimmed_bounded_and_visible() {
        assert_eq!(parse_name("name", "  Ünï  ").unwrap(), "Ünï");
        assert!(parse_name("name", &"字".repeat(120)).is_ok());
        let refused = |text: &str| parse_name("name", text).unwrap_err().to_string();
        assert_eq!(refused(&"字".repeat(121)), "name must be 1 to 120 characters");
        assert_eq!(refused(" "), "name must be 1 to 120 characters");
        assert_eq!(refused("\u{200b}"), "name must contain a visible character");
        assert_eq!(refused("a\nb"), "name must not contain control characters");
    }

    #[test]
    fn each_alias_is_kept_once_in_its_first_spelling_and_position() {
        let given = ["Acme Inc", " ACME  inc ", "AI", "Ａcme Inc", "ai"];
        assert_eq!(parse_aliases("aliases", &given).unwrap(), ["Acme Inc", "AI"]);
        assert!(parse_aliases("aliases", &[]).unwrap().is_empty());
    }

    #[test]
    fn an_invalid_alias_is_named_by_its_index_and_too_many_are_an_error() {
        let refused = |given: &[&str]| parse_aliases("aliases", given).unwrap_err().to_string();
        assert_eq!(refused(&["a", ""]), "aliases[1] must be 1 to 120 characters");
        assert_eq!(
            refused(&["\u{200b}"]),
            "aliases[0] must contain a visible character"
        );
        assert!(parse_aliases("aliases", &["a"; 20]).is_ok());
        assert_eq!(refused(&["a"; 21]), "aliases must have at most 20 names");
    }

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
