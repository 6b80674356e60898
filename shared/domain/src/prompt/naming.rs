//! Detection of brand names in generated prompts.

use crate::brand::fold_name;

/// Returns whether a text contains a name as complete words, in any case. The words of either can be joined,
/// hyphenated or separate.
///
/// In scripts without spaces between words, any occurrence counts. A name without letters, digits and signs
/// is in no text. This function filters generated prompts, where a false positive costs little. Mentions are
/// counted by other rules.
pub fn names_brand(text: &str, name: &str) -> bool {
    let (text, name) = (fold_name(text), fold_name(name));
    let joined: String = words(&name).collect();
    if joined.is_empty() {
        return false;
    }
    let words: Vec<&str> = words(&text).collect();
    if joined.chars().any(is_unspaced) {
        return words.concat().contains(&joined);
    }
    (0..words.len()).any(|start| starts_with(&words[start..], &joined))
}

/// Returns whether one or more of the first words, joined, equal `joined`.
fn starts_with(words: &[&str], joined: &str) -> bool {
    let mut rest = joined;
    for word in words {
        match rest.strip_prefix(word) {
            Some("") => return true,
            Some(left) => rest = left,
            None => return false,
        }
    }
    false
}

fn words(folded: &str) -> impl Iterator<Item = &str> {
    folded
        .split(|c| !is_word_character(c))
        .filter(|word| !word.is_empty())
}

/// Returns whether a character is a letter, a digit, or a sign that occurs in names such as `C++` or `H&M`.
fn is_word_character(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '+' | '#' | '&')
}

/// Returns whether a character belongs to a script that puts no spaces between words or attaches particles to
/// them: Thai to Burmese, Khmer, kana, Han, and Hangul.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1100}'..='\u{11ff}' | '\u{1780}'..='\u{17ff}'
        | '\u{3005}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_name_is_found_as_complete_words() {
        for (text, name) in [
            ("Is ACME any good?", "Acme"),
            ("What is Acme's price?", "acme"),
            ("Is demand-iq worth it?", "Demand IQ"),
            ("Is DemandIQ worth it?", "Demand IQ"),
            ("Is Demand IQ worth it?", "DemandIQ"),
            ("Where do H & M sew?", "H&M"),
            ("Is Yahoo down?", "Yahoo!"),
            ("任天堂のゲームは？", "任天堂"),
            ("삼성은 어때?", "삼성"),
        ] {
            assert!(names_brand(text, name), "{name} in {text}");
        }
    }

    #[test]
    fn a_part_of_a_word_is_not_the_name() {
        for (text, name) in [
            ("Which scheme is best?", "Hem"),
            ("Acmeists of Russia", "Acme"),
            ("Is C a good language?", "C++"),
            ("Is demand high? IQ tests", "Demand High Co"),
            ("", "Acme"),
            ("What?!", "!"),
            ("What?", ""),
        ] {
            assert!(!names_brand(text, name), "{name} in {text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "\\PC{0,30}", name in "\\PC{0,8}") {
            let _ = names_brand(&text, &name);
        }

        #[test]
        fn a_name_between_words_is_found(before in "[a-z ]{0,10}", name in "[a-zA-Z0-9äé]{1,5}([ -][a-zA-Z]{1,5}){0,2}", after in "[a-z ]{0,10}") {
            let text = format!("{before} {name}? {after}");
            prop_assert!(names_brand(&text, &name));
        }
    }
}
