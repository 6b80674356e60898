//! Parsing of the names and aliases of brands that clients send.

use std::collections::HashSet;

use super::fold_name;
use crate::error::InvalidField;
use crate::limits::{MAX_ALIASES, MAX_NAME_CHARS};
use crate::text::validate_text;

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
}
