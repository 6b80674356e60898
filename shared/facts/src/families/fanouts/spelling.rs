//! The spelling of queries, and the form in which they are compared.

use caseless::Caseless;

/// Returns the query without white space at its ends and with single spaces inside.
pub(crate) fn spelling(query: &str) -> String {
    let mut spelling = String::with_capacity(query.len());
    for word in query.split_whitespace() {
        if !spelling.is_empty() {
            spelling.push(' ');
        }
        spelling.push_str(word);
    }
    spelling
}

/// Returns the case-folded form of a spelling. Spellings with equal forms are one query.
pub(crate) fn folded(spelling: &str) -> String {
    if spelling.is_ascii() {
        spelling.to_ascii_lowercase()
    } else {
        spelling.chars().default_case_fold().collect()
    }
}

/// Returns the text that a folded query must contain to match a search: the folded search, in which each run
/// of white space, including those at the ends, is one space.
pub(crate) fn needle(search: &str) -> String {
    let mut collapsed = String::with_capacity(search.len());
    let mut after_space = false;
    for c in search.chars() {
        let space = c.is_whitespace();
        if !space {
            collapsed.push(c);
        } else if !after_space {
            collapsed.push(' ');
        }
        after_space = space;
    }
    folded(&collapsed)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_spelling_keeps_its_case_and_has_single_spaces() {
        assert_eq!(spelling("  Best\t CRM\u{a0}\n 2025 "), "Best CRM 2025");
        assert_eq!(spelling("\u{2003} \n"), "");
    }

    #[test]
    fn case_is_folded_and_nothing_else() {
        assert_eq!(folded("Best CRM"), "best crm");
        assert_eq!(folded("STRASSE"), folded("straße"));
        assert_eq!(folded("ΟΔΟΣ"), folded("οδος"));
        assert_eq!(folded("ΟΔΟΣ"), folded("οδοσ"));
        assert_eq!(folded("İ"), "i\u{307}");
        // Accents and full-width letters are not folded.
        assert_ne!(folded("café"), folded("cafe"));
        assert_ne!(folded("ＡＢＣ"), folded("ABC"));
        assert_eq!(folded("🦀 Crab"), "🦀 crab");
    }

    #[test]
    fn a_search_keeps_the_spaces_at_its_ends() {
        assert_eq!(needle(" CRM\t  for "), " crm for ");
        assert_eq!(needle(""), "");
    }

    proptest! {
        #[test]
        fn a_spelling_is_its_own_spelling_and_found_by_itself(query in "[a-zA-ZßİΣ \t\u{a0}]{0,20}") {
            let spelled = spelling(&query);
            prop_assert_eq!(spelling(&spelled), spelled.clone());
            prop_assert_eq!(needle(&spelled), folded(&spelled));
        }
    }
}
