//! Validation and shortening of texts.

use crate::error::InvalidField;

/// Trims a text, and checks that it has 1 to `max_chars` characters and no control characters.
///
/// If `allow_lines` is true, line breaks and tabs are allowed. If not, the text is a name, in which
/// bidirectional control characters are not allowed either: they can make a name look like another one.
pub fn validate_text(
    field: &str,
    text: &str,
    max_chars: usize,
    allow_lines: bool,
) -> Result<String, InvalidField> {
    let text = text.trim();
    let count = text.chars().count();
    if count == 0 || count > max_chars {
        return Err(InvalidField::new(
            field,
            format!("must be 1 to {max_chars} characters"),
        ));
    }
    reject_control_characters(field, text, allow_lines)?;
    Ok(text.to_owned())
}

/// Trims and checks a text as [`validate_text`] does, but allows an empty text, line breaks and tabs.
pub fn validate_optional_text(field: &str, text: &str, max_chars: usize) -> Result<String, InvalidField> {
    let text = text.trim();
    if text.chars().count() > max_chars {
        return Err(InvalidField::new(
            field,
            format!("must be at most {max_chars} characters"),
        ));
    }
    reject_control_characters(field, text, true)?;
    Ok(text.to_owned())
}

/// Returns the text in one line of at most `max_chars` characters, with single spaces between words.
///
/// A text that is too long is cut and ends with `…`. It is cut between words if its second half has a word
/// boundary.
pub fn excerpt(text: &str, max_chars: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= max_chars {
        return line;
    }
    let cut: String = line.chars().take(max_chars.saturating_sub(1)).collect();
    let boundary = cut.rfind(' ').filter(|index| *index >= cut.len() / 2);
    format!("{}…", &cut[..boundary.unwrap_or(cut.len())])
}

fn reject_control_characters(field: &str, text: &str, allow_lines: bool) -> Result<(), InvalidField> {
    let is_forbidden = |c: char| c.is_control() && !(allow_lines && matches!(c, '\n' | '\r' | '\t'));
    if text.chars().any(is_forbidden) {
        return Err(InvalidField::new(field, "must not contain control characters"));
    }
    if !allow_lines && text.chars().any(is_bidirectional_control) {
        let rule = "must not contain bidirectional control characters";
        return Err(InvalidField::new(field, rule));
    }
    Ok(())
}

/// Returns whether a character has the Unicode property `Bidi_Control`.
fn is_bidirectional_control(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_trimmed_and_counted_in_characters() {
        assert_eq!(validate_text("name", "  Ünï  ", 3, false).unwrap(), "Ünï");
        assert_eq!(
            validate_text("name", "four", 3, false).unwrap_err().to_string(),
            "name must be 1 to 3 characters"
        );
        assert!(validate_text("name", " \u{a0} ", 3, false).is_err());
    }

    #[test]
    fn a_long_text_is_cut_between_words_if_it_has_any() {
        assert_eq!(excerpt(" Which\n tool? ", 11), "Which tool?");
        assert_eq!(excerpt("Which tool is best?", 13), "Which tool…");
        assert_eq!(excerpt("Which tool is best?", 10), "Which…");
        assert_eq!(excerpt("A Donaudampfschifffahrt", 10), "A Donauda…");
        assert_eq!(excerpt("どのツールが一番いいですか", 5), "どのツー…");
        assert_eq!(excerpt("ab", 0), "…");
    }

    #[test]
    fn control_characters_are_invalid() {
        assert!(validate_text("name", "a\u{0}b", 9, true).is_err());
        assert!(validate_text("name", "a\nb", 9, false).is_err());
        assert!(validate_text("prompt", "a\nb", 9, true).is_ok());
        assert_eq!(
            validate_text("name", "moc.\u{202e}emca", 9, false)
                .unwrap_err()
                .to_string(),
            "name must not contain bidirectional control characters"
        );
        assert!(validate_text("prompt", "\u{2067}שלום\u{2069}", 9, true).is_ok());
    }

    #[test]
    fn an_optional_text_can_be_empty_and_has_a_largest_length() {
        assert_eq!(validate_optional_text("description", "  ", 3).unwrap(), "");
        assert_eq!(
            validate_optional_text("description", "four", 3)
                .unwrap_err()
                .to_string(),
            "description must be at most 3 characters"
        );
    }
}
