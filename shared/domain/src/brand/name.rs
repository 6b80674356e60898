//! Names of a brand that clients send.

use std::collections::HashSet;

use super::fold_name;
use crate::error::InvalidField;
use crate::limits::{MAX_ALIASES, MAX_NAME_CHARS};
use crate::text::bounded;

/// A name of 1 to 120 characters, one of them visible; trimmed.
pub fn name(field: &str, text: &str) -> Result<String, InvalidField> {
    let text = bounded(field, text, MAX_NAME_CHARS, false)?;
    if fold_name(&text).is_empty() {
        return Err(InvalidField::new(field, "must contain a visible character"));
    }
    Ok(text)
}

/// Up to 20 names; of those that fold alike the first.
pub fn aliases(field: &str, given: &[&str]) -> Result<Vec<String>, InvalidField> {
    if given.len() > MAX_ALIASES {
        return Err(InvalidField::new(
            field,
            format!("must have at most {MAX_ALIASES} names"),
        ));
    }
    let mut seen = HashSet::new();
    let mut aliases = Vec::new();
    for (place, text) in given.iter().enumerate() {
        let alias = name(&format!("{field}[{place}]"), text)?;
        if seen.insert(fold_name(&alias)) {
            aliases.push(alias);
        }
    }
    Ok(aliases)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_trimmed_bounded_and_visible() {
        assert_eq!(name("name", "  Ünï  ").unwrap(), "Ünï");
        assert!(name("name", &"字".repeat(120)).is_ok());
        let refused = |text: &str| name("name", text).unwrap_err().to_string();
        assert_eq!(refused(&"字".repeat(121)), "name must be 1 to 120 characters");
        assert_eq!(refused(" "), "name must be 1 to 120 characters");
        assert_eq!(refused("\u{200b}"), "name must contain a visible character");
        assert_eq!(refused("a\nb"), "name must not contain control characters");
    }

    #[test]
    fn each_alias_is_kept_once_in_its_first_spelling_and_place() {
        let given = ["Acme Inc", " ACME  inc ", "AI", "Ａcme Inc", "ai"];
        assert_eq!(aliases("aliases", &given).unwrap(), ["Acme Inc", "AI"]);
        assert!(aliases("aliases", &[]).unwrap().is_empty());
    }

    #[test]
    fn a_bad_alias_is_named_by_its_place_and_too_many_are_refused() {
        let refused = |given: &[&str]| aliases("aliases", given).unwrap_err().to_string();
        assert_eq!(refused(&["a", ""]), "aliases[1] must be 1 to 120 characters");
        assert_eq!(
            refused(&["\u{200b}"]),
            "aliases[0] must contain a visible character"
        );
        assert!(aliases("aliases", &["a"; 20]).is_ok());
        assert_eq!(refused(&["a"; 21]), "aliases must have at most 20 names");
    }
}
