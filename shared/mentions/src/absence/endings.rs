//! Decides whether a clause ends, and skips the parts of it that do not matter.

use super::clause::Token;
use super::vocabulary as words;

/// Recognizes `no results` or `nothing found` at the end of a clause. Only the place that was searched may follow.
pub(super) fn says_no_results(rest: &[Token<'_>]) -> bool {
    match rest {
        [Token::Word(word), rest @ ..] if words::NOTHING.contains(word) => negation_ends(rest),
        [Token::Word(word), rest @ ..] if words::NO.contains(word) => {
            let thing = skip_function_words(rest);
            let skipped = rest.len() - thing.len();
            match thing {
                [Token::Word(word), rest @ ..]
                    if words::INFORMATION.contains(word) || words::MATCH.contains(word) =>
                {
                    negation_ends(rest)
                }
                // `results` is a function word too.
                _ => skipped > 0 && rest[skipped - 1] == Token::Word("results") && negation_ends(thing),
            }
        }
        _ => false,
    }
}

/// Returns whether nothing that matters follows a negation. `nothing but praise` and `nothing at this price beats it`
/// continue, `nothing in the sources` ends.
pub(super) fn negation_ends(rest: &[Token<'_>]) -> bool {
    match rest.first() {
        Some(Token::Word("but")) => false,
        Some(Token::Word(word)) if words::TAIL_PREPOSITIONS.contains(word) => rest
            .iter()
            .any(|token| matches!(token, Token::Word(word) if words::SOURCES.contains(word))),
        _ => clause_ends(rest),
    }
}

/// Returns whether the clause ends here, or only continues with words such as `found` or with the place that was searched.
pub(super) fn clause_ends(rest: &[Token<'_>]) -> bool {
    match rest.first() {
        None | Some(Token::End | Token::Sign(',' | '—' | '-')) => true,
        Some(Token::Word(word)) if words::TAIL_VERBS.contains(word) => {
            let found = skip_function_words(rest);
            let function_words = &rest[..rest.len() - found.len()];
            match found.first() {
                Some(Token::Word(word)) if words::FIND.contains(word) || words::APPEAR.contains(word) => true,
                Some(Token::Word(word)) => {
                    words::RETURNED.contains(word)
                        || (words::TAIL.contains(word) && function_words.contains(&Token::Word("available")))
                }
                _ => function_words.contains(&Token::Word("available")),
            }
        }
        Some(Token::Word(word)) => words::TAIL.contains(word) || words::TAIL_PREPOSITIONS.contains(word),
        _ => false,
    }
}

/// Returns whether only the rest of a list of names follows a name, and the clause ends with the list. In
/// `on Acme, Zendo is good` it does not.
pub(super) fn list_then_clause_ends(after: &[Token<'_>]) -> bool {
    let rest = skip_list(skip(after, |token| token == Token::Name));
    match skip_conjunction(rest) {
        // `and others`, `or the like`
        (next, true) => (0..=2).any(|n| {
            next[..n.min(next.len())]
                .iter()
                .all(|token| matches!(token, Token::Word(_)))
                && clause_ends(&next[n.min(next.len())..])
        }),
        _ => clause_ends(rest),
    }
}

/// Skips the rest of the list of names that a name is part of.
pub(super) fn skip_list<'t, 'a>(after: &'t [Token<'a>]) -> &'t [Token<'a>] {
    let mut rest = after;
    loop {
        let (next, _) = skip_conjunction(rest);
        if next.len() == rest.len() || next.first() != Some(&Token::Name) {
            return rest;
        }
        rest = skip(next, |token| token == Token::Name);
    }
}

/// Skips a comma, `and` or `or`. Also returns whether there was a word.
fn skip_conjunction<'t, 'a>(rest: &'t [Token<'a>]) -> (&'t [Token<'a>], bool) {
    let rest = match rest {
        [Token::Sign(',' | '/' | '&'), rest @ ..] => rest,
        _ => rest,
    };
    match rest {
        [Token::Word(word), rest @ ..] if words::AND.contains(word) || words::OR.contains(word) => {
            (rest, true)
        }
        _ => (rest, false),
    }
}

/// Returns whether a comma separates the name from a following word, as in `, Zendo, however`.
pub(super) fn is_set_off_by_commas(after: &[Token<'_>]) -> bool {
    match skip(after, |token| token == Token::Name) {
        [Token::Sign(','), Token::Word(word), ..] => !words::AND.contains(word) && !words::OR.contains(word),
        _ => false,
    }
}

/// Skips function words.
pub(super) fn skip_function_words<'t, 'a>(tokens: &'t [Token<'a>]) -> &'t [Token<'a>] {
    skip(
        tokens,
        |token| matches!(token, Token::Word(word) if words::FUNCTION_WORDS.contains(&word)),
    )
}

fn skip<'t, 'a>(tokens: &'t [Token<'a>], matches: impl Fn(Token<'a>) -> bool) -> &'t [Token<'a>] {
    let count = tokens.iter().take_while(|&&token| matches(token)).count();
    &tokens[count..]
}
