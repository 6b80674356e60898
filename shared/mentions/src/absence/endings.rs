//! How clauses that say that nothing was found go on behind the name, and where they end.

use super::clause::Token;
use super::vocabulary as words;

/// `no results`, `nothing found`, and then no more than where.
pub(super) fn none_then_end(rest: &[Token<'_>]) -> bool {
    match rest {
        [Token::Word(word), rest @ ..] if words::NOTHING.contains(word) => none_ends(rest),
        [Token::Word(word), rest @ ..] if words::NO.contains(word) => {
            let thing = skip_small(rest);
            let results = rest.len() - thing.len();
            match thing {
                [Token::Word(word), rest @ ..]
                    if words::KNOWLEDGE.contains(word) || words::MATCH.contains(word) =>
                {
                    none_ends(rest)
                }
                // `results` is a small word too.
                _ => results > 0 && rest[results - 1] == Token::Word("results") && none_ends(thing),
            }
        }
        _ => false,
    }
}

/// Whether all is said behind `nothing`: not in `nothing but praise`, nor in `nothing at this price beats it`.
pub(super) fn none_ends(rest: &[Token<'_>]) -> bool {
    match rest.first() {
        Some(Token::Word("but")) => false,
        Some(Token::Word(word)) if words::TAIL_PLACE.contains(word) => rest
            .iter()
            .any(|token| matches!(token, Token::Word(word) if words::SOURCES.contains(word))),
        _ => ends(rest),
    }
}

/// Whether the clause ends here, or goes on with no more than where and that nothing was found.
pub(super) fn ends(rest: &[Token<'_>]) -> bool {
    match rest.first() {
        None | Some(Token::End | Token::Sign(',' | '—' | '-')) => true,
        Some(Token::Word(word)) if words::TAIL_VERB.contains(word) => {
            let found = skip_small(rest);
            let small = &rest[..rest.len() - found.len()];
            match found.first() {
                Some(Token::Word(word)) if words::FIND.contains(word) || words::APPEAR.contains(word) => true,
                Some(Token::Word(word)) => {
                    words::ANSWERED.contains(word)
                        || (words::TAIL.contains(word) && small.contains(&Token::Word("available")))
                }
                _ => small.contains(&Token::Word("available")),
            }
        }
        Some(Token::Word(word)) => words::TAIL.contains(word) || words::TAIL_PLACE.contains(word),
        _ => false,
    }
}

/// Whether behind a name the list it stands in goes on, and the clause ends with the list: not in
/// `… on Acme, Zendo is good`.
pub(super) fn list_ends(after: &[Token<'_>]) -> bool {
    let rest = skip_list(skip(after, |token| token == Token::Name));
    match skip_joint(rest) {
        // `… and others`, `… or the like`
        (next, true) => (0..=2).any(|n| {
            next[..n.min(next.len())]
                .iter()
                .all(|token| matches!(token, Token::Word(_)))
                && ends(&next[n.min(next.len())..])
        }),
        _ => ends(rest),
    }
}

/// What follows the list that goes on behind a name.
pub(super) fn skip_list<'t, 'a>(after: &'t [Token<'a>]) -> &'t [Token<'a>] {
    let mut rest = after;
    loop {
        let (next, _) = skip_joint(rest);
        if next.len() == rest.len() || next.first() != Some(&Token::Name) {
            return rest;
        }
        rest = skip(next, |token| token == Token::Name);
    }
}

/// What follows a comma, `and` or `or`, and whether there was a word.
fn skip_joint<'t, 'a>(rest: &'t [Token<'a>]) -> (&'t [Token<'a>], bool) {
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

/// Whether the name is set off by commas from what follows it: `…, Zendo, however, …`.
pub(super) fn is_set_off(after: &[Token<'_>]) -> bool {
    match skip(after, |token| token == Token::Name) {
        [Token::Sign(','), Token::Word(word), ..] => !words::AND.contains(word) && !words::OR.contains(word),
        _ => false,
    }
}

pub(super) fn skip_small<'t, 'a>(tokens: &'t [Token<'a>]) -> &'t [Token<'a>] {
    skip(
        tokens,
        |token| matches!(token, Token::Word(word) if words::SMALL.contains(&word)),
    )
}

fn skip<'t, 'a>(tokens: &'t [Token<'a>], wanted: impl Fn(Token<'a>) -> bool) -> &'t [Token<'a>] {
    let count = tokens.iter().take_while(|&&token| wanted(token)).count();
    &tokens[count..]
}
