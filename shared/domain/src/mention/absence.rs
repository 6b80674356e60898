//! Clauses that say that nothing was found about a brand.
//!
//! A clause is read word by word from the name outwards. Only words known to belong to such a clause may
//! stand between the name and the negation, so `no information on Acme` is one and `no tool better than
//! Acme` is not. What is in doubt is a mention.

use super::absence_before::said_before;
use super::absence_ends::{ends, none_ends, none_then_end, skip_small};
use super::absence_subject::{said_of_itself, said_of_list, said_of_sources};
use super::absence_unspaced::Unspaced;
use super::absence_words as words;
use super::boundary::Text;
use super::clause::{Token, floor, tokens};
use super::fold::LINED;

/// How far a clause is read to each side, in bytes of folded text and in words.
const REACH: usize = 200;
const WORDS: usize = 24;

/// Knows the clauses; made once.
pub(super) struct Absence {
    unspaced: Unspaced,
}

impl Absence {
    pub(super) fn new() -> Self {
        Self {
            unspaced: Unspaced::new(),
        }
    }

    /// Whether the clause says that nothing was found about the name at the folded bytes `start..end`. All
    /// names in the text carry the flag `NAMED`.
    pub(super) fn is_said(&self, text: Text<'_>, start: usize, end: usize) -> bool {
        let folded = &text.folded.text;
        let low = floor(folded, start.saturating_sub(REACH));
        let high = floor(folded, end.saturating_add(REACH).min(folded.len()));
        let mut before = tokens(text, low, start);
        if let Some(last) = before.iter().rposition(|&token| token == Token::End) {
            before.drain(..=last);
        }
        if text.folded.flags_at(start) & LINED != 0 {
            before.clear();
        }
        before.reverse();
        let mut after = tokens(text, end, high);
        if let Some(first) = after.iter().position(|&token| token == Token::End) {
            after.truncate(first);
        }
        let owner = matches!(
            after.as_slice(),
            [Token::Word("'s"), Token::Word(_) | Token::Name, ..]
        );
        let said_here = !owner
            && (said_before(&before, &after)
                || said_of_itself(&before, &after)
                || said_of_sources(&before, &after));
        said_here
            || said_after(&after)
            || said_of_list(&before, &after)
            || (is_knowledge(&before) && not_available(&after))
            || (is_searched(&before) && denied(&after))
            || self.unspaced.is_said(&folded[low..start], &folded[end..high])
    }
}

/// Reads `after`, from the name on: `…: no results`, `… was not found`, `… returned nothing`.
fn said_after(after: &[Token<'_>]) -> bool {
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
fn is_knowledge(before: &[Token<'_>]) -> bool {
    match before {
        [Token::Word(about), rest @ ..] if words::ABOUT.contains(about) => {
            matches!(skip_small(rest), [Token::Word(word), ..] if words::KNOWLEDGE.contains(word))
        }
        _ => false,
    }
}

/// `… is not available`, said of what is known.
fn not_available(after: &[Token<'_>]) -> bool {
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
fn is_searched(before: &[Token<'_>]) -> bool {
    match before {
        [Token::Word(word)] => words::TOPIC.contains(word),
        [Token::Word("for"), Token::Word("as")] => true,
        [Token::Word("for" | "of"), Token::Word(word), ..] => words::SEARCH.contains(word),
        _ => false,
    }
}

/// Reads `after` behind the subject of a search: `…, I found nothing`, `… and could not find anything`.
fn denied(after: &[Token<'_>]) -> bool {
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
pub(super) fn not_found(rest: &[Token<'_>]) -> bool {
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
