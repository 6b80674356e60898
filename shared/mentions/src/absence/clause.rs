//! Splits the text around a name into tokens.

use super::vocabulary as words;
use crate::fold::{BRAND_NAME, GAP, LINE_BROKEN, REMOVED};
use crate::script::is_word;
use crate::word_boundary::Text;

/// A token of a clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// A folded word.
    Word(&'a str),
    /// A known brand, or a capitalized word, which may be an unknown brand.
    Name,
    /// Punctuation inside a clause.
    Sign(char),
    /// The end of a clause.
    End,
}

/// Returns the tokens of the folded bytes `low..high`, without quotes, brackets and removed text.
pub(super) fn tokens(text: Text<'_>, low: usize, high: usize) -> Vec<Token<'_>> {
    let folded = text.folded;
    let mut tokens = Vec::new();
    let mut i = low;
    while let Some(c) = folded.text[i..high].chars().next() {
        let flags = folded.flags_at(i);
        if flags & LINE_BROKEN != 0 {
            tokens.push(Token::End);
        }
        let mut next = i + c.len_utf8();
        if flags & BRAND_NAME != 0 {
            while next < high && folded.flags_at(next) & BRAND_NAME != 0 {
                next += 1;
            }
            next = folded.text.floor_char_boundary(next);
            tokens.push(Token::Name);
        } else if is_word(c) || c == '\'' {
            while let Some(c) = folded.text[next..high].chars().next() {
                if folded.flags_at(next) & (GAP | BRAND_NAME) != 0 || !(is_word(c) || c == '\'') {
                    break;
                }
                next += c.len_utf8();
            }
            push_word(text, i, next, &mut tokens);
        } else {
            let spaced = folded.flags_at(next) & GAP != 0 || next >= folded.text.len();
            match c {
                '.' if !spaced => {}
                '.' | '!' | '?' | ';' | '\n' | '。' => tokens.push(Token::End),
                '"' | REMOVED | '[' | ']' | '(' | ')' => {}
                c => tokens.push(Token::Sign(c)),
            }
        }
        i = next.max(i + c.len_utf8());
    }
    tokens
}

fn push_word<'a>(text: Text<'a>, start: usize, end: usize, tokens: &mut Vec<Token<'a>>) {
    let word = &text.folded.text[start..end];
    if word == "'s" {
        tokens.push(Token::Word(word));
        return;
    }
    let word = word.trim_matches('\'');
    // The word is after the apostrophe in `l'information` and before it in `I've`. `couldn't` is one word.
    let word = match word.split_once('\'') {
        Some(_) if word.ends_with("n't") => word,
        Some((person, _)) if words::FIRST_PERSON.contains(&person) => person,
        _ => word.rsplit('\'').next().unwrap_or(word),
    };
    if word.is_empty() {
        return;
    }
    let is_capitalized = text.prose[text.folded.source_offset(start)..].starts_with(char::is_uppercase);
    tokens.push(if is_capitalized && !is_known_word(word) {
        Token::Name
    } else {
        Token::Word(word)
    });
}

/// Returns whether `word` is no name even if it is capitalized, at the start of a clause or as a German noun.
fn is_known_word(word: &str) -> bool {
    [
        words::NOTHING,
        words::NO,
        words::NOT,
        words::INFORMATION,
        words::MATCH,
        words::ABOUT,
        words::FIND,
        words::FUNCTION_WORDS,
        words::SOURCES,
        words::NEITHER,
    ]
    .iter()
    .any(|list| list.contains(&word))
}
