//! Clauses that say after the name that nothing was found.

use super::clause::Token;
use super::endings::{ends, none_ends, none_then_end, skip_small};
use super::vocabulary as words;

/// How many words of a clause are read.
const WORDS: usize = 24;

/// Reads `after`, from the name on: `…: no results`, `… was not found`, `… returned nothing`.
pub(super) fn said_after(after: &[Token<'_>]) -> bool {
    match after {
        [Token::Sign(':' | '-' | '—'), rest @ ..] => none_then_end(rest) || not_found(rest),
        [Token::Word(word), rest @ ..] if words::ANSWERED.contains(word) => {
            none_then_end(skip_small(rest)) || skip_small(rest) == [Token::Word("empty")]
        }
        [
            Token::Word("came"),
            Token::Word("up"),
            Token::Word("empty"),
            rest @ ..,
        ] => ends(rest),
        [Token::Word(verb), rest @ ..] if words::APPEAR_FIRST.contains(verb) => not_there(rest),
        _ => not_found(skip_small(after)),
    }
}

/// `information about …`
pub(super) fn is_knowledge(before: &[Token<'_>]) -> bool {
    match before {
        [Token::Word(about), rest @ ..] if words::ABOUT.contains(about) => {
            matches!(skip_small(rest), [Token::Word(word), ..] if words::KNOWLEDGE.contains(word))
        }
        _ => false,
    }
}

/// `… is not available`, said of what is known.
pub(super) fn not_available(after: &[Token<'_>]) -> bool {
    match skip_small(after) {
        [Token::Word(word), rest @ ..] if words::MISSING.contains(word) => none_ends(rest),
        [Token::Word(word), rest @ ..] if words::NOT.contains(word) => {
            let last = rest
                .iter()
                .position(|token| matches!(token, Token::Word(word) if words::AVAILABLE.contains(word)));
            last.is_some_and(|i| rest.len() - skip_small(rest).len() >= i && none_ends(&rest[i + 1..]))
        }
        _ => false,
    }
}

/// `erscheint in den Ergebnissen nicht`, `n'apparaît pas dans la liste`: what follows the verb.
fn not_there(rest: &[Token<'_>]) -> bool {
    let place = |token: &Token<'_>| matches!(token, Token::Word(word) if [words::SMALL, words::TAIL_PLACE, words::SOURCES].iter().any(|list| list.contains(word)));
    let there = rest.iter().take_while(|token| place(token)).count();
    match &rest[there..] {
        [Token::Word(word), Token::Word(particle), rest @ ..]
            if words::NOT.contains(word) && words::PARTICLE.contains(particle) =>
        {
            none_ends(rest)
        }
        [Token::Word(word), rest @ ..] => words::NOT.contains(word) && none_ends(rest),
        _ => false,
    }
}

/// `search for …`, `for …,`: the clause is about a search for the name.
pub(super) fn is_searched(before: &[Token<'_>]) -> bool {
    match before {
        [Token::Word(word)] => words::TOPIC.contains(word),
        [Token::Word("for"), Token::Word("as")] => true,
        [Token::Word("for" | "of"), Token::Word(word), ..] => words::SEARCH.contains(word),
        _ => false,
    }
}

/// Reads `after` behind the subject of a search: `…, I found nothing`, `… and could not find anything`.
pub(super) fn denied(after: &[Token<'_>]) -> bool {
    let after = if let [Token::Sign(','), rest @ ..] = after {
        rest
    } else {
        after
    };
    let mut find = false;
    for (i, &token) in after.iter().enumerate().take(WORDS) {
        let Token::Word(word) = token else { return false };
        if none_then_end(&after[i..]) {
            return true;
        }
        if words::NOT.contains(&word) {
            let rest = skip_small(&after[i + 1..]);
            return match rest {
                [Token::Word(verb), Token::Word(thing), rest @ ..] if words::KNOWLEDGE.contains(thing) => {
                    words::FIND.contains(verb) && ends(rest)
                }
                [Token::Word(verb), rest @ ..] => words::FIND.contains(verb) && ends(rest),
                _ => false,
            };
        }
        find |= words::FIND.contains(&word) || words::ANSWERED.contains(&word);
        if !find && !words::SMALL.contains(&word) {
            return false;
        }
    }
    false
}

/// `not found`, `not mentioned`, `doesn't appear`; not `does not appear to …`.
pub(crate) fn not_found(rest: &[Token<'_>]) -> bool {
    let [Token::Word(word), rest @ ..] = rest else {
        return false;
    };
    let after = match skip_small(rest) {
        [
            Token::Word("show" | "come" | "turn"),
            Token::Word("up"),
            rest @ ..,
        ] => rest,
        [Token::Word(verb), rest @ ..] if words::APPEAR.contains(verb) => rest,
        _ => return false,
    };
    words::NOT.contains(word) && none_ends(after)
}
