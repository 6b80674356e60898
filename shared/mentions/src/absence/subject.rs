//! Clauses that say by their subject that nothing was found: the model, the sources, a list of brands.

use super::after_name::not_found;
use super::clause::Token;
use super::endings::{list_ends, none_ends, skip_list, skip_small};
use super::vocabulary as words;

/// The model does not know the name: `I'm not familiar with …`, `I have never heard of …`, `I cannot find …`. Of
/// a reader the same words say no such thing: `if you have never heard of …`.
pub(super) fn said_of_itself(before: &[Token<'_>], after: &[Token<'_>]) -> bool {
    let mut rest = skip_small(before);
    if let [Token::Word(word), then @ ..] = rest
        && words::NAMING.contains(word)
    {
        rest = skip_small(then);
    }
    let ([
        Token::Word("with"),
        Token::Word("familiar"),
        Token::Word(not),
        subject @ ..,
    ]
    | [
        Token::Word("of"),
        Token::Word("aware" | "heard" | "know"),
        Token::Word(not),
        subject @ ..,
    ]
    | [
        Token::Word("know" | "find" | "locate"),
        Token::Word(not),
        subject @ ..,
    ]) = rest
    else {
        return false;
    };
    let person = subject.len() - skip_small(subject).len();
    words::NOT.contains(not)
        && subject[..person]
            .iter()
            .any(|token| matches!(token, Token::Word(word) if words::FIRST_PERSON.contains(word)))
        && none_ends(after)
}

/// The sources are silent: `none of the sources mention …`, `the list does not include …`.
pub(super) fn said_of_sources(before: &[Token<'_>], after: &[Token<'_>]) -> bool {
    let [Token::Word(verb), rest @ ..] = before else {
        return false;
    };
    if !words::MENTIONS.contains(verb) || !list_ends(after) {
        return false;
    }
    let source =
        |token: Option<&Token<'_>>| matches!(token, Some(Token::Word(word)) if words::SOURCES.contains(word));
    match rest {
        // `results` and `search` are small words too.
        [Token::Word(not), rest @ ..] if words::NOT.contains(not) => {
            let small = rest.len() - skip_small(rest).len();
            (0..=small).any(|i| source(rest.get(i)))
        }
        [_, rest @ ..] if source(before.get(1)) => {
            let rest = match skip_small(rest) {
                [Token::Word("of"), rest @ ..] => rest,
                rest => rest,
            };
            matches!(rest, [Token::Word(word), ..] if words::NO.contains(word) || words::NOTHING.contains(word))
        }
        _ => false,
    }
}

/// The clause starts with a list of brands, the name among them, and denies them all: `Acme, Zendo and … do not
/// appear`, `neither Acme nor … was found`.
pub(super) fn said_of_list(before: &[Token<'_>], after: &[Token<'_>]) -> bool {
    let joins = |token: &Token<'_>| match token {
        Token::Sign(',' | '/' | '&') => true,
        Token::Word(word) => [words::AND, words::OR, words::NEITHER]
            .iter()
            .any(|list| list.contains(word)),
        _ => false,
    };
    let is_list = before.iter().all(|token| *token == Token::Name || joins(token));
    if !is_list || !before.first().is_none_or(joins) {
        return false;
    }
    let rest = skip_list(after);
    let neither = before
        .iter()
        .any(|token| matches!(token, Token::Word(word) if words::NEITHER.contains(word)));
    if neither {
        let verb = skip_small(rest);
        return matches!(verb, [Token::Word(word), rest @ ..] if words::APPEAR.contains(word) && none_ends(rest));
    }
    not_found(skip_small(rest))
}
