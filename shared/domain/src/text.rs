//! Texts that clients send: trimmed, bounded, free of control characters.

use crate::error::InvalidField;

/// Trims `text` and checks that it has 1 to `most` characters and no control characters.
/// Line breaks and tabs are allowed where `lines` says so.
pub fn bounded(field: &str, text: &str, most: usize, lines: bool) -> Result<String, InvalidField> {
    let text = text.trim();
    let count = text.chars().count();
    if count == 0 || count > most {
        return Err(InvalidField::new(
            field,
            format!("must be 1 to {most} characters"),
        ));
    }
    plain(field, text, lines)?;
    Ok(text.to_owned())
}

/// Like [`bounded`], but the empty text is allowed.
pub fn bounded_or_empty(field: &str, text: &str, most: usize) -> Result<String, InvalidField> {
    if text.trim().is_empty() {
        Ok(String::new())
    } else {
        bounded(field, text, most, true)
    }
}

/// The text in one line of at most `most` characters: what is too long ends with `…`, after a whole word if there
/// is one in its second half.
pub fn shortened(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= most {
        return line;
    }
    let cut: String = line.chars().take(most.saturating_sub(1)).collect();
    let word = cut.rfind(' ').filter(|at| *at >= cut.len() / 2);
    format!("{}…", &cut[..word.unwrap_or(cut.len())])
}

fn plain(field: &str, text: &str, lines: bool) -> Result<(), InvalidField> {
    let bad = |c: char| c.is_control() && !(lines && matches!(c, '\n' | '\r' | '\t'));
    if text.chars().any(bad) {
        return Err(InvalidField::new(field, "must not contain control characters"));
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
    fn a_long_text_is_shown_short_in_whole_words_where_it_has_some() {
        assert_eq!(shortened(" Which\n tool? ", 11), "Which tool?");
        assert_eq!(shortened("Which tool is best?", 13), "Which tool…");
        assert_eq!(shortened("Which tool is best?", 10), "Which…");
        assert_eq!(shortened("A Donaudampfschifffahrt", 10), "A Donauda…");
        assert_eq!(shortened("どのツールが一番いいですか", 5), "どのツー…");
        assert_eq!(shortened("ab", 0), "…");
    }

    #[test]
    fn control_characters_are_refused() {
        assert!(bounded("name", "a\u{0}b", 9, true).is_err());
        assert!(bounded("name", "a\nb", 9, false).is_err());
        assert!(bounded("prompt", "a\nb", 9, true).is_ok());
    }
}
