//! Clauses in which the negation precedes the name.

use super::clause::Token;
use super::endings::{clause_ends, is_set_off_by_commas, list_then_clause_ends};
use super::vocabulary as words;

/// The number of words of a clause that are read.
const MAX_WORDS: usize = 24;

/// The state of reading a clause backwards from the name.
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

/// The conclusion from a word of a clause.
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

    /// Reads the next word backwards and returns what the clause says with it.
    fn read_word(&mut self, word: &'a str, before: &[Token<'_>]) -> Step {
        if let Some(step) = self.read_negation(word, before) {
            return step;
        }
        if let Some(step) = self.read_preposition(word) {
            return step;
        }
        self.record_word(word);
        if self.belongs_to_denial(word) {
            Step::Continue
        } else {
            Step::Unrelated
        }
    }

    /// Returns what a negation says about the name, or `None` if `word` decides nothing.
    fn read_negation(&self, word: &str, before: &[Token<'_>]) -> Option<Step> {
        let is_in = |list: &[&str]| list.contains(&word);
        let has_about = self.about.is_some();
        if is_in(words::NOTHING) && has_about {
            // `none of Acme and Zendo` speaks of the brands, `none of the results mention Acme` does not.
            let mentions =
                matches!(before.first(), Some(Token::Word(word)) if words::MENTION_VERBS.contains(word));
            let is_part = self.last_is(words::PART_OF);
            return Some(if is_part && !mentions {
                Step::Unrelated
            } else {
                Step::DeniedIfLast
            });
        }
        let has_topic = self.has_information && has_about;
        if has_topic && (is_in(words::NO) || is_in(words::NOT)) {
            return Some(Step::Denied);
        }
        if !is_in(words::NOT) {
            return None;
        }
        if self.has_finding_verb && !has_about && is_in(words::NOT_BEFORE_NAME) {
            return Some(Step::DeniedIfLast);
        }
        // A negation may also be a function word (`n'ai pas trouvé`, `no se encontró`), or a second negation
        // may follow (`ничего не нашел о`).
        let may_continue = is_in(words::FUNCTION_WORDS) || (self.has_finding_verb && has_about);
        (!may_continue).then_some(Step::Unrelated)
    }

    /// Records a preposition that connects information with its topic. Returns [`Step::Unrelated`] if the name is the
    /// place of a clause about something else.
    fn read_preposition(&mut self, word: &'a str) -> Option<Step> {
        let has_about = self.about.is_some();
        // In `on Acme on LinkedIn` and `on this in LinkedIn`, the name is a place.
        if words::PLACE_PREPOSITIONS.contains(&word) && !has_about {
            return Some(Step::Unrelated);
        }
        // The `to` of `to find` is no preposition.
        let is_about = words::ABOUT.contains(&word)
            && !self.last_is(words::FIND)
            && !(self.has_finding_verb && self.has_information);
        if is_about && self.leads_to_place() {
            return Some(Step::Unrelated);
        }
        if is_about && !has_about {
            self.about = Some(word);
            self.is_joined = false;
        }
        None
    }

    /// Records which part of a denial `word` is.
    fn record_word(&mut self, word: &str) {
        // `no match for Acme` is praise, `no match was found for Acme` is not.
        self.has_information |=
            words::INFORMATION.contains(&word) || (self.has_finding_verb && words::MATCH.contains(&word));
        self.has_finding_verb |= words::FIND.contains(&word);
        self.is_joined |= words::OR.contains(&word);
    }

    /// Returns whether `word` may stand between the name and a negation.
    fn belongs_to_denial(&self, word: &str) -> bool {
        let lists = [
            words::INFORMATION,
            words::ABOUT,
            words::PLACE_PREPOSITIONS,
            words::FIND,
            words::CONTAIN,
            words::FUNCTION_WORDS,
            words::NOT,
        ];
        lists.iter().any(|list| list.contains(&word))
            || (self.has_finding_verb && words::MATCH.contains(&word))
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
