//! Texts that clients send: trimmed, bounded, free of control characters.

use crate::error::Invalid;

/// Trims `text` and checks that it has 1 to `most` characters and no control characters.
/// Line breaks and tabs are allowed where `lines` says so.
pub fn bounded(field: &str, text: &str, most: usize, lines: bool) -> Result<String, Invalid> {
    let text = text.trim();
    let count = text.chars().count();
    if count == 0 || count > most {
        return Err(Invalid::new(field, format!("must be 1 to {most} characters")));
    }
    plain(field, text, lines)?;
    Ok(text.to_owned())
}

/// Like [`bounded`], but the empty text is allowed.
pub fn bounded_or_empty(field: &str, text: &str, most: usize) -> Result<String, Invalid> {
    if text.trim().is_empty() {
        Ok(String::new())
    } else {
        bounded(field, text, most, true)
    }
}

fn plain(field: &str, text: &str, lines: bool) -> Result<(), Invalid> {
    let bad = |c: char| c.is_control() && !(lines && matches!(c, '\n' | '\r' | '\t'));
    if text.chars().any(bad) {
        return Err(Invalid::new(field, "must not contain control characters"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_trimmed_and_counted_in_characters() {
        assert_eq!(bounded("name", "  Ünï  ", 3, false).unwrap(), "Ünï");
        assert_eq!(
            bounded("name", "four", 3, false).unwrap_err().to_string(),
            "name must be 1 to 3 characters"
        );
        assert!(bounded("name", " \u{a0} ", 3, false).is_err());
    }

    #[test]
    fn control_characters_are_refused() {
        assert!(bounded("name", "a\u{0}b", 9, true).is_err());
        assert!(bounded("name", "a\nb", 9, false).is_err());
        assert!(bounded("prompt", "a\nb", 9, true).is_ok());
    }
}
