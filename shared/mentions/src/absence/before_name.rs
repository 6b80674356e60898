//! Clauses that say before the name that nothing was found.

use super::clause::Token;
use super::endings::{ends, is_set_off, list_ends};
use super::vocabulary as words;

/// How many words of a clause are read.
const WORDS: usize = 24;

/// What was read so far, from the name backwards.
#[derive(Default)]
struct Seen<'a> {
    last: Option<Token<'a>>,
    knowledge: bool,
    find: bool,
    /// The word nearest to the name that leads to what the knowledge is about.
    about: Option<&'a str>,
    /// `or` or `and` stood since.
    joined: bool,
    /// The name goes on a list, or opens another clause.
    list: bool,
}

/// Reads `before`, from the name backwards: `no information on …`, `couldn't find …`; `after` is what follows
/// the name.
pub(super) fn said_before(before: &[Token<'_>], after: &[Token<'_>]) -> bool {
    // In Dutch `of` is `or` and `en` is `and`.
    let dutch = before
        .iter()
        .any(|token| matches!(token, Token::Word("geen" | "niet" | "niets")));
    let set_off = before.first() == Some(&Token::Sign(',')) && is_set_off(after);
    let mut seen = Seen::default();
    for &token in before.iter().take(WORDS) {
        let goes_on = match token {
            Token::Name => true,
            Token::Sign(sign) => seen.sign(sign),
            Token::Word(word) if word == "of" && dutch => {
                seen.joined = true;
                true
            }
            Token::Word(word) if words::AND.contains(&word) || (word == "en" && dutch) => {
                seen.joined = true;
                seen.list |= !seen.knowledge && !seen.find;
                true
            }
            Token::Word(word) => match seen.word(word, before) {
                Read::On => true,
                Read::Other => false,
                Read::None => return !seen.list || (!set_off && list_ends(after)),
                Read::NoneAtAll => {
                    let found = matches!(after, [Token::Word(word), rest @ ..] if words::APPEAR.contains(word) && ends(rest));
                    return !set_off && (found || list_ends(after));
                }
            },
            Token::End => false,
        };
        if !goes_on {
            return false;
        }
        seen.last = Some(token);
    }
    false
}

/// What a word makes of a clause.
enum Read {
    /// It may still say it.
    On,
    /// It says something else.
    Other,
    /// It says that nothing is known about the name.
    None,
    /// The same, if no more is said of the name.
    NoneAtAll,
}

impl<'a> Seen<'a> {
    fn sign(&mut self, sign: char) -> bool {
        match sign {
            // `no information, on Acme …`; `no, I found Acme …`
            ',' if self.last_is(words::ABOUT) || (self.find && self.about.is_none()) => false,
            ',' | '&' => {
                self.list |= !self.knowledge && !self.find;
                true
            }
            '/' => true,
            ':' => !self.knowledge && !self.find,
            _ => false,
        }
    }

    fn word(&mut self, word: &'a str, before: &[Token<'_>]) -> Read {
        let of = |list: &[&str]| list.contains(&word);
        let about = self.about.is_some();
        if of(words::NOTHING) && about {
            // `none of Acme and …` speaks of them, `none of the results mention …` does not.
            let mentions =
                matches!(before.first(), Some(Token::Word(word)) if words::MENTIONS.contains(word));
            let part = self.last_is(words::PART);
            return if part && !mentions {
                Read::Other
            } else {
                Read::NoneAtAll
            };
        }
        if of(words::NO) && self.knowledge && about {
            return Read::None;
        }
        if of(words::NOT) {
            if self.knowledge && about {
                return Read::None;
            }
            if self.find && !about && of(words::NOT_DIRECT) {
                return Read::NoneAtAll;
            }
            // `n'ai pas trouvé`, `no se encontró`: the same word may be small, or a second negation follow
            // (`ничего не нашел о`).
            if !(of(words::SMALL) || self.find && about) {
                return Read::Other;
            }
        }
        // In `on Acme on LinkedIn` and `on this in LinkedIn` the name is a place.
        if of(words::WHERE) && !about {
            return Read::Other;
        }
        // `to find` leads to nothing.
        if of(words::ABOUT) && !self.last_is(words::FIND) && !(self.find && self.knowledge) {
            if self.is_place() {
                return Read::Other;
            }
            if !about {
                self.about = Some(word);
                self.joined = false;
            }
        }
        // `no match for Acme` praises it, `no match was found for Acme` does not.
        self.knowledge |= of(words::KNOWLEDGE) || (self.find && of(words::MATCH));
        self.find |= of(words::FIND);
        self.joined |= of(words::OR);
        let lists = [
            words::KNOWLEDGE,
            words::ABOUT,
            words::WHERE,
            words::FIND,
            words::GIVE,
            words::SMALL,
        ];
        if lists.iter().any(|list| of(list)) || of(words::NOT) || (self.find && of(words::MATCH)) {
            Read::On
        } else {
            Read::Other
        }
    }

    /// Whether, with another word of [`words::ABOUT`] now read, the nearest one leads to a place. Two may
    /// also be one (`acerca de`), lead to one another (`evidence of mentions of`) or be joined.
    fn is_place(&self) -> bool {
        self.about.is_some_and(|nearest| {
            !self.knowledge
                && !self.joined
                && !words::NAMING.contains(&nearest)
                && self.last != Some(Token::Word(nearest))
        })
    }

    fn last_is(&self, list: &[&str]) -> bool {
        matches!(self.last, Some(Token::Word(word)) if list.contains(&word))
    }
}
