//! The words around a name, for `absence`.

use super::vocabulary as words;
use crate::fold::{FILLER, GAP, LINED, NAMED};
use crate::script::is_word;
use crate::word_boundary::Text;

/// A part of a clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Word(&'a str),
    /// A known brand, or a capitalised word, which may be an unknown one.
    Name,
    Sign(char),
    /// The clause ends.
    End,
}

/// The parts of the folded bytes `low..high`; quotes, brackets and what was taken out are left out.
pub(super) fn tokens(text: Text<'_>, low: usize, high: usize) -> Vec<Token<'_>> {
    let folded = text.folded;
    let mut tokens = Vec::new();
    let mut i = low;
    while let Some(c) = folded.text[i..high].chars().next() {
        let flags = folded.flags_at(i);
        if flags & LINED != 0 {
            tokens.push(Token::End);
        }
        let mut next = i + c.len_utf8();
        if flags & NAMED != 0 {
            while next < high && folded.flags_at(next) & NAMED != 0 {
                next += 1;
            }
            next = folded.text.floor_char_boundary(next);
            tokens.push(Token::Name);
        } else if is_word(c) || c == '\'' {
            while let Some(c) = folded.text[next..high].chars().next() {
                if folded.flags_at(next) & (GAP | NAMED) != 0 || !(is_word(c) || c == '\'') {
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
                '"' | FILLER | '[' | ']' | '(' | ')' => {}
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
    // `l'information`, `there's`: what follows the apostrophe; `I've`: what stands before; `couldn't` is one word.
    let word = match word.split_once('\'') {
        Some(_) if word.ends_with("n't") => word,
        Some((person, _)) if words::FIRST_PERSON.contains(&person) => person,
        _ => word.rsplit('\'').next().unwrap_or(word),
    };
    if word.is_empty() {
        return;
    }
    let capital = text.prose[text.folded.source(start)..].starts_with(char::is_uppercase);
    tokens.push(if capital && !is_known(word) {
        Token::Name
    } else {
        Token::Word(word)
    });
}

/// Whether `word` may also stand with a capital, at the start of a clause or as a German noun, and be no name.
fn is_known(word: &str) -> bool {
    [
        words::NOTHING,
        words::NO,
        words::NOT,
        words::KNOWLEDGE,
        words::MATCH,
        words::ABOUT,
        words::FIND,
        words::SMALL,
        words::SOURCES,
        words::NEITHER,
    ]
    .iter()
    .any(|list| list.contains(&word))
}
