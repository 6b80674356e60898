//! Clauses that say that nothing was found about a brand.
//!
//! A clause is read word by word from the name outwards. Only words known to belong to such a clause may
//! stand between the name and the negation, so `no information on Acme` is one and `no tool better than
//! Acme` is not. What is in doubt is a mention.

use super::absence_words as words;
use super::boundary::Text;
use super::clause::{Token, floor, tokens};
use super::fold::{Folded, LINED};

/// How far a clause is read to each side, in bytes of folded text and in words.
const REACH: usize = 200;
const WORDS: usize = 24;

/// Knows the clauses; made once.
pub(super) struct Absence {
    before_zh: Vec<String>,
    link_zh: Vec<char>,
    after_topic: Vec<String>,
    after_none: Vec<String>,
}

impl Absence {
    pub(super) fn new() -> Self {
        let fold = |list: &[&str]| list.iter().map(|text| Folded::of(text).text).collect();
        Self {
            before_zh: fold(words::BEFORE_ZH),
            link_zh: words::LINK_ZH.to_vec(),
            after_topic: fold(words::AFTER_TOPIC),
            after_none: fold(words::AFTER_NONE),
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
        (!owner && said_before(&before))
            || said_after(&after)
            || (is_searched(&before) && denied(&after))
            || self.is_said_unspaced(&folded[low..start], &folded[end..high])
    }

    fn is_said_unspaced(&self, before: &str, after: &str) -> bool {
        let ends = |c: char| matches!(c, '。' | ',' | '、' | '!' | '?' | ';' | '\n');
        let before = before.rsplit(ends).next().unwrap_or_default();
        let before = before.trim_end_matches(self.link_zh.as_slice());
        let after = after
            .split(ends)
            .next()
            .unwrap_or_default()
            .trim_start_matches(['」', '』', '"', '\'']);
        self.before_zh.iter().any(|none| before.ends_with(none.as_str()))
            || (self
                .after_topic
                .iter()
                .any(|topic| after.starts_with(topic.as_str()))
                && self.after_none.iter().any(|none| after.contains(none.as_str())))
    }
}

/// Reads `before`, from the name backwards: `no information on …`, `couldn't find …`.
fn said_before(before: &[Token<'_>]) -> bool {
    let (mut knowledge, mut about, mut place, mut find) = (false, false, false, false);
    for &token in before.iter().take(WORDS) {
        match token {
            Token::Name | Token::Sign(',' | '/' | '&') => {}
            Token::Sign(':') if !knowledge && !find => {}
            Token::Word(word) => {
                let of = |list: &[&str]| list.contains(&word);
                if of(words::NOTHING) && about {
                    return true;
                }
                if of(words::NO) && knowledge && about {
                    return true;
                }
                if of(words::NOT) {
                    let direct = find && !about && !place && of(words::NOT_DIRECT);
                    if direct || (knowledge && about) {
                        return true;
                    }
                    // `n'ai pas trouvé`, `no se encontró`: the same word may be small.
                    if !of(words::SMALL) {
                        return false;
                    }
                }
                knowledge |= of(words::KNOWLEDGE);
                about |= of(words::ABOUT) && !(find && knowledge);
                place |= of(words::WHERE);
                find |= of(words::FIND);
                let lists = [
                    words::KNOWLEDGE,
                    words::ABOUT,
                    words::WHERE,
                    words::FIND,
                    words::SMALL,
                ];
                if !lists.iter().any(|list| list.contains(&word)) {
                    return false;
                }
            }
            Token::Sign(_) | Token::End => return false,
        }
    }
    false
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
        _ => not_found(skip_small(after)),
    }
}

/// `search for …`, `for …,`: the clause is about a search for the name.
fn is_searched(before: &[Token<'_>]) -> bool {
    match before {
        [Token::Word(word)] => words::TOPIC.contains(word),
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

/// `no results`, `nothing found`, and then no more than where.
fn none_then_end(rest: &[Token<'_>]) -> bool {
    match rest {
        [Token::Word(word), rest @ ..] if words::NOTHING.contains(word) => ends(rest),
        [Token::Word(word), rest @ ..] if words::NO.contains(word) => {
            let thing = skip_small(rest);
            let results = rest.len() - thing.len();
            match thing {
                [Token::Word(word), rest @ ..] if words::KNOWLEDGE.contains(word) => ends(rest),
                // `results` is a small word too.
                _ => results > 0 && rest[results - 1] == Token::Word("results") && ends(thing),
            }
        }
        _ => false,
    }
}

/// `not found`, `not mentioned`, `doesn't appear`; not `does not appear to …`.
fn not_found(rest: &[Token<'_>]) -> bool {
    let [Token::Word(word), rest @ ..] = rest else {
        return false;
    };
    match skip_small(rest) {
        [Token::Word(verb), rest @ ..] if words::APPEAR.contains(verb) => {
            words::NOT.contains(word) && ends(rest)
        }
        _ => false,
    }
}

fn ends(rest: &[Token<'_>]) -> bool {
    match rest.first() {
        None | Some(Token::End | Token::Sign(',' | '—' | '-')) => true,
        Some(Token::Word(word)) => words::TAIL.contains(word),
        _ => false,
    }
}

fn skip_small<'t, 'a>(tokens: &'t [Token<'a>]) -> &'t [Token<'a>] {
    let small = |token: &Token<'_>| matches!(token, Token::Word(word) if words::SMALL.contains(word));
    let count = tokens.iter().take_while(|&token| small(token)).count();
    &tokens[count..]
}
