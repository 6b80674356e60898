//! Clauses in which the negation precedes the name.

use super::clause::Token;
use super::endings::{clause_ends, is_set_off_by_commas, list_then_clause_ends};
use super::vocabulary as words;

/// The number of words of a clause that are read.
const MAX_WORDS: usize = 24;

/// What has been read of a clause, from the name backwards.
#[derive(Default)]
struct ClauseReader<'a> {
    /// The token that was read last.
    last: Option<Token<'a>>,
    has_information: bool,
    has_finding_verb: bool,
    /// The preposition nearest to the name that connects information with its topic.
    about: Option<&'a str>,
    /// Whether a conjunction has been read since that preposition.
    is_joined: bool,
    /// Whether the name may continue a list, or open another clause.
    is_in_list: bool,
}

/// Recognizes `no information on NAME` and `couldn't find NAME`. `before` is read from the name backwards; `after`
/// follows the name.
pub(super) fn denies_before_name(before: &[Token<'_>], after: &[Token<'_>]) -> bool {
    // In Dutch, `of` means `or` and `en` means `and`.
    let is_dutch = before
        .iter()
        .any(|token| matches!(token, Token::Word("geen" | "niet" | "niets")));
    let is_set_off = before.first() == Some(&Token::Sign(',')) && is_set_off_by_commas(after);
    let mut reader = ClauseReader::default();
    for &token in before.iter().take(MAX_WORDS) {
        let goes_on = match token {
            Token::Name => true,
            Token::Sign(sign) => reader.read_sign(sign),
            Token::Word(word) if word == "of" && is_dutch => {
                reader.is_joined = true;
                true
            }
            Token::Word(word) if words::AND.contains(&word) || (word == "en" && is_dutch) => {
                reader.is_joined = true;
                reader.is_in_list |= !reader.has_information && !reader.has_finding_verb;
                true
            }
            Token::Word(word) => match reader.read_word(word, before) {
                Step::Continue => true,
                Step::Unrelated => false,
                Step::Denied => return !reader.is_in_list || (!is_set_off && list_then_clause_ends(after)),
                Step::DeniedIfLast => {
                    let found = matches!(after, [Token::Word(word), rest @ ..] if words::APPEAR.contains(word) && clause_ends(rest));
                    return !is_set_off && (found || list_then_clause_ends(after));
                }
            },
            Token::End => false,
        };
        if !goes_on {
            return false;
        }
        reader.last = Some(token);
    }
    false
}

/// What a word shows about a clause.
enum Step {
    /// The clause may still say that nothing was found.
    Continue,
    /// The clause says something else.
    Unrelated,
    /// The clause says that nothing was found about the name.
    Denied,
    /// The clause says that nothing was found about the name, unless it says more about the name.
    DeniedIfLast,
}

impl<'a> ClauseReader<'a> {
    fn read_sign(&mut self, sign: char) -> bool {
        match sign {
            // In `no information, on Acme there is plenty` and `no, I found Acme` a new clause starts.
            ',' if self.last_is(words::ABOUT) || (self.has_finding_verb && self.about.is_none()) => false,
            ',' | '&' => {
                self.is_in_list |= !self.has_information && !self.has_finding_verb;
                true
            }
            '/' => true,
            ':' => !self.has_information && !self.has_finding_verb,
            _ => false,
        }
    }

    fn read_word(&mut self, word: &'a str, before: &[Token<'_>]) -> Step {
        let is_in = |list: &[&str]| list.contains(&word);
        let has_about = self.about.is_some();
        if is_in(words::NOTHING) && has_about {
            // `none of Acme and Zendo` speaks of the brands, `none of the results mention Acme` does not.
            let mentions =
                matches!(before.first(), Some(Token::Word(word)) if words::MENTION_VERBS.contains(word));
            let is_part = self.last_is(words::PART_OF);
            return if is_part && !mentions {
                Step::Unrelated
            } else {
                Step::DeniedIfLast
            };
        }
        if is_in(words::NO) && self.has_information && has_about {
            return Step::Denied;
        }
        if is_in(words::NOT) {
            if self.has_information && has_about {
                return Step::Denied;
            }
            if self.has_finding_verb && !has_about && is_in(words::NOT_BEFORE_NAME) {
                return Step::DeniedIfLast;
            }
            // A negation may also be a function word (`n'ai pas trouvé`, `no se encontró`), or a second negation
            // may follow (`ничего не нашел о`).
            if !(is_in(words::FUNCTION_WORDS) || self.has_finding_verb && has_about) {
                return Step::Unrelated;
            }
        }
        // In `on Acme on LinkedIn` and `on this in LinkedIn`, the name is a place.
        if is_in(words::PLACE_PREPOSITIONS) && !has_about {
            return Step::Unrelated;
        }
        // The `to` of `to find` is no preposition.
        if is_in(words::ABOUT)
            && !self.last_is(words::FIND)
            && !(self.has_finding_verb && self.has_information)
        {
            if self.leads_to_place() {
                return Step::Unrelated;
            }
            if !has_about {
                self.about = Some(word);
                self.is_joined = false;
            }
        }
        // `no match for Acme` is praise, `no match was found for Acme` is not.
        self.has_information |= is_in(words::INFORMATION) || (self.has_finding_verb && is_in(words::MATCH));
        self.has_finding_verb |= is_in(words::FIND);
        self.is_joined |= is_in(words::OR);
        let lists = [
            words::INFORMATION,
            words::ABOUT,
            words::PLACE_PREPOSITIONS,
            words::FIND,
            words::CONTAIN,
            words::FUNCTION_WORDS,
        ];
        if lists.iter().any(|list| is_in(list))
            || is_in(words::NOT)
            || (self.has_finding_verb && is_in(words::MATCH))
        {
            Step::Continue
        } else {
            Step::Unrelated
        }
    }

    /// Returns whether the preposition nearest to the name leads to a place, now that another word of [`words::ABOUT`]
    /// was read. It does not if both form one preposition (`acerca de`), depend on each other (`evidence of mentions
    /// of`) or are joined by a conjunction.
    fn leads_to_place(&self) -> bool {
        self.about.is_some_and(|nearest| {
            !self.has_information
                && !self.is_joined
                && !words::NAMING.contains(&nearest)
                && self.last != Some(Token::Word(nearest))
        })
    }

    fn last_is(&self, list: &[&str]) -> bool {
        matches!(self.last, Some(Token::Word(word)) if list.contains(&word))
    }
}
