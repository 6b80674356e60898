//! Clauses whose subject is the model, its sources or a list of brands.

use super::after_name::says_not_found;
use super::clause::Token;
use super::endings::{list_then_clause_ends, negation_ends, skip_function_words, skip_list};
use super::vocabulary as words;

/// Recognizes a model that does not know the name: `I'm not familiar with NAME`, `I have never heard of NAME`, `I cannot
/// find NAME`. The subject must be the first person: `if you have never heard of NAME` speaks of the reader.
pub(super) fn model_does_not_know(before: &[Token<'_>], after: &[Token<'_>]) -> bool {
    let mut rest = skip_function_words(before);
    if let [Token::Word(word), tail @ ..] = rest
        && words::NAMING.contains(word)
    {
        rest = skip_function_words(tail);
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
    let words_to_subject = subject.len() - skip_function_words(subject).len();
    words::NOT.contains(not)
        && subject[..words_to_subject]
            .iter()
            .any(|token| matches!(token, Token::Word(word) if words::FIRST_PERSON.contains(word)))
        && negation_ends(after)
}

/// Recognizes sources that do not mention the name: `none of the sources mention NAME`, `the list does not include NAME`.
pub(super) fn sources_do_not_mention(before: &[Token<'_>], after: &[Token<'_>]) -> bool {
    let [Token::Word(verb), rest @ ..] = before else {
        return false;
    };
    if !words::MENTION_VERBS.contains(verb) || !list_then_clause_ends(after) {
        return false;
    }
    let is_source =
        |token: Option<&Token<'_>>| matches!(token, Some(Token::Word(word)) if words::SOURCES.contains(word));
    match rest {
        // `results` and `search` are function words too.
        [Token::Word(not), rest @ ..] if words::NOT.contains(not) => {
            let function_words = rest.len() - skip_function_words(rest).len();
            (0..=function_words).any(|i| is_source(rest.get(i)))
        }
        [_, rest @ ..] if is_source(before.get(1)) => {
            let rest = match skip_function_words(rest) {
                [Token::Word("of"), rest @ ..] => rest,
                rest => rest,
            };
            matches!(rest, [Token::Word(word), ..] if words::NO.contains(word) || words::NOTHING.contains(word))
        }
        _ => false,
    }
}

/// Recognizes a clause that starts with a list of brands, including the name, and denies all of them: `Acme, Zendo and
/// NAME do not appear`, `neither Acme nor NAME was found`.
pub(super) fn denies_list(before: &[Token<'_>], after: &[Token<'_>]) -> bool {
    let is_conjunction = |token: &Token<'_>| match token {
        Token::Sign(',' | '/' | '&') => true,
        Token::Word(word) => [words::AND, words::OR, words::NEITHER]
            .iter()
            .any(|list| list.contains(word)),
        _ => false,
    };
    let is_list = before
        .iter()
        .all(|token| *token == Token::Name || is_conjunction(token));
    if !is_list || !before.first().is_none_or(is_conjunction) {
        return false;
    }
    let rest = skip_list(after);
    let neither = before
        .iter()
        .any(|token| matches!(token, Token::Word(word) if words::NEITHER.contains(word)));
    if neither {
        let verb = skip_function_words(rest);
        return matches!(verb, [Token::Word(word), rest @ ..] if words::APPEAR.contains(word) && negation_ends(rest));
    }
    says_not_found(skip_function_words(rest))
}
