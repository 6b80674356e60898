//! Clauses in which the negation follows the name.

use super::clause::Token;
use super::endings::{clause_ends, negation_ends, says_no_results, skip_function_words};
use super::vocabulary as words;

/// The number of words of a clause that are read.
const MAX_WORDS: usize = 24;

/// Recognizes `NAME: no results`, `NAME was not found` and `NAME returned nothing`.
pub(super) fn denies_after_name(after: &[Token<'_>]) -> bool {
    match after {
        [Token::Sign(':' | '-' | '—'), rest @ ..] => says_no_results(rest) || says_not_found(rest),
        [Token::Word(word), rest @ ..] if words::RETURNED.contains(word) => {
            says_no_results(skip_function_words(rest)) || skip_function_words(rest) == [Token::Word("empty")]
        }
        [
            Token::Word("came"),
            Token::Word("up"),
            Token::Word("empty"),
            rest @ ..,
        ] => clause_ends(rest),
        [Token::Word(verb), rest @ ..] if words::APPEAR_THEN_NOT.contains(verb) => says_not_there(rest),
        _ => says_not_found(skip_function_words(after)),
    }
}

/// Recognizes the start of a clause about what is known: `information about NAME`.
pub(super) fn is_information_about(before: &[Token<'_>]) -> bool {
    match before {
        [Token::Word(about), rest @ ..] if words::ABOUT.contains(about) => {
            matches!(skip_function_words(rest), [Token::Word(word), ..] if words::INFORMATION.contains(word))
        }
        _ => false,
    }
}

/// Recognizes `is not available` after `information about NAME`.
pub(super) fn says_unavailable(after: &[Token<'_>]) -> bool {
    match skip_function_words(after) {
        [Token::Word(word), rest @ ..] if words::MISSING.contains(word) => negation_ends(rest),
        [Token::Word(word), rest @ ..] if words::NOT.contains(word) => {
            let last = rest
                .iter()
                .position(|token| matches!(token, Token::Word(word) if words::AVAILABLE.contains(word)));
            last.is_some_and(|i| {
                rest.len() - skip_function_words(rest).len() >= i && negation_ends(&rest[i + 1..])
            })
        }
        _ => false,
    }
}

/// Recognizes the rest of a clause whose verb precedes its negation: `[erscheint] in den Ergebnissen nicht`,
/// `[n'apparaît] pas dans la liste`.
fn says_not_there(rest: &[Token<'_>]) -> bool {
    let is_place = |token: &Token<'_>| matches!(token, Token::Word(word) if [words::FUNCTION_WORDS, words::TAIL_PREPOSITIONS, words::SOURCES].iter().any(|list| list.contains(word)));
    let place_words = rest.iter().take_while(|token| is_place(token)).count();
    match &rest[place_words..] {
        [Token::Word(word), Token::Word(particle), rest @ ..]
            if words::NOT.contains(word) && words::PARTICLES.contains(particle) =>
        {
            negation_ends(rest)
        }
        [Token::Word(word), rest @ ..] => words::NOT.contains(word) && negation_ends(rest),
        _ => false,
    }
}

/// Recognizes the start of a clause about a search: `search for NAME`, `for NAME,`.
pub(super) fn is_search_topic(before: &[Token<'_>]) -> bool {
    match before {
        [Token::Word(word)] => words::TOPIC.contains(word),
        [Token::Word("for"), Token::Word("as")] => true,
        [Token::Word("for" | "of"), Token::Word(word), ..] => words::SEARCHED.contains(word),
        _ => false,
    }
}

/// Recognizes the result after `search for NAME`: `, I found nothing`, `and could not find anything`.
pub(super) fn search_found_nothing(after: &[Token<'_>]) -> bool {
    let after = if let [Token::Sign(','), rest @ ..] = after {
        rest
    } else {
        after
    };
    let mut has_verb = false;
    for (i, &token) in after.iter().enumerate().take(MAX_WORDS) {
        let Token::Word(word) = token else { return false };
        if says_no_results(&after[i..]) {
            return true;
        }
        if words::NOT.contains(&word) {
            let rest = skip_function_words(&after[i + 1..]);
            return match rest {
                [Token::Word(verb), Token::Word(thing), rest @ ..] if words::INFORMATION.contains(thing) => {
                    words::FIND.contains(verb) && clause_ends(rest)
                }
                [Token::Word(verb), rest @ ..] => words::FIND.contains(verb) && clause_ends(rest),
                _ => false,
            };
        }
        has_verb |= words::FIND.contains(&word) || words::RETURNED.contains(&word);
        if !has_verb && !words::FUNCTION_WORDS.contains(&word) {
            return false;
        }
    }
    false
}

/// Recognizes `not found`, `not mentioned` and `doesn't appear`, but not `does not appear to [have]`.
pub(crate) fn says_not_found(rest: &[Token<'_>]) -> bool {
    let [Token::Word(word), rest @ ..] = rest else {
        return false;
    };
    let after = match skip_function_words(rest) {
        [
            Token::Word("show" | "come" | "turn"),
            Token::Word("up"),
            rest @ ..,
        ] => rest,
        [Token::Word(verb), rest @ ..] if words::APPEAR.contains(verb) => rest,
        _ => return false,
    };
    words::NOT.contains(word) && negation_ends(after)
}
