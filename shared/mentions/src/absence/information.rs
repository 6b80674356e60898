//! Clauses that deny information about a name: `no information on Acme`, `zu Acme liegen mir keine Angaben vor`.

use super::scope::{Clause, Part};
use crate::clause::TokenKind;
use crate::language::Roles;

/// The maximum number of qualifying words between a negator and its noun.
const MAX_QUALIFIERS: usize = 3;

/// Returns whether the clause denies information about its names.
pub(super) fn is_denied(clause: &Clause<'_>) -> bool {
    if says_more_about_name(clause) {
        return false;
    }
    let Some(topic) = Topic::of(clause) else {
        return false;
    };
    !clause.any(Roles::PSEUDO)
        && (topic.is_denied_by_naming(clause)
            || topic.is_denied_by_neither(clause)
            || topic.is_denied_by_noun(clause)
            || topic.is_denied_by_pronoun(clause)
            || topic.is_denied_by_predicate(clause))
}

/// Returns whether the words after the name make something else the topic: `Acme's prices`, `Acme pricing`.
fn says_more_about_name(clause: &Clause<'_>) -> bool {
    let Some(next) = clause.after().first() else {
        return false;
    };
    let is_possessive = next.token.kind == TokenKind::Word("'s") && clause.after().len() > 1;
    is_possessive || next.is_other
}

/// How the names are connected to what can be known about them.
struct Topic {
    /// The index of the first word that connects them.
    index: usize,
    /// Whether it precedes the names.
    is_before: bool,
}

impl Topic {
    fn of(clause: &Clause<'_>) -> Option<Self> {
        let names = &clause.parts[clause.names.clone()];
        if names.iter().any(|part| part.token.has(Roles::ABOUT)) {
            let index = clause.names.start;
            return Some(Self {
                index,
                is_before: true,
            });
        }
        let links = |part: &Part<'_>| {
            (part.has(Roles::GENERIC.union(Roles::FUNCTION)) && !part.has(Roles::PLACE)) || part.is_name
        };
        let is_about = |part: &Part<'_>| part.has(Roles::ABOUT);
        let before = clause.before();
        let skipped = before
            .iter()
            .rev()
            .take(5)
            .take_while(|part| links(part) && !is_about(part))
            .count();
        let preposition = |skipped: usize| {
            before
                .len()
                .checked_sub(skipped + 1)
                .filter(|&i| is_about(&before[i]))
        };
        // One noun may say what the brand is: `сведений о каршеринге Acme`.
        let is_apposition = |part: &&Part<'_>| part.is_other;
        let in_apposition = || {
            before.last().filter(is_apposition)?;
            let articles = before[..before.len() - 1]
                .iter()
                .rev()
                .take(2)
                .take_while(|part| links(part) && !is_about(part));
            preposition(articles.count() + 1)
        };
        if let Some(index) = preposition(skipped).or_else(in_apposition) {
            return (!narrows_topic(before, index)).then_some(Self {
                index,
                is_before: true,
            });
        }
        let after = clause.after();
        let follows = |part: &&Part<'_>| {
            part.has(Roles::GENERIC.union(Roles::TOPIC).union(Roles::FUNCTION))
                && !part.has(Roles::ABOUT_AFTER.union(Roles::INFORMATION))
        };
        let skipped = after.iter().take(3).take_while(follows).count();
        let next = after.get(skipped)?;
        // The case of a noun after the name may mean `about`: `a Solvexia inverterekről`.
        let has_case = clause.language.is_verb_final() && next.has(Roles::ABOUT);
        (has_case || next.has(Roles::ABOUT_AFTER.union(Roles::INFORMATION))).then_some(Self {
            index: clause.names.end + skipped,
            is_before: false,
        })
    }

    /// Recognizes `no [reliable] information [fiable] about`, also if the names come first.
    fn is_denied_by_noun(&self, clause: &Clause<'_>) -> bool {
        let (names, language) = (&clause.names, clause.language);
        let negators = Roles::NO.union(Roles::NOT).union(Roles::NEITHER);
        clause.find(negators).any(|negator| {
            let mut nouns = clause
                .find(Roles::INFORMATION)
                .filter(|&noun| noun > negator || (noun == negator && clause.language.is_unspaced()));
            nouns.any(|noun| {
                let qualifiers = clause.others_in((negator + 1).min(noun)..noun);
                let between = if self.is_before && self.index > noun {
                    clause.parts[noun + 1..self.index]
                        .iter()
                        .filter(|part| part.is_other)
                        .count()
                } else if names.end <= negator {
                    clause.others_in(names.end..negator).saturating_sub(2)
                } else {
                    0
                };
                // `no trace of a publisher called Acme`
                let is_naming = clause.parts[self.index].has(Roles::GENERIC);
                let may_qualify = if language.has_adjectives_after_nouns() || is_naming {
                    2
                } else {
                    0
                };
                qualifiers <= MAX_QUALIFIERS && between <= may_qualify && ends_well(clause)
            })
        })
    }

    /// Recognizes `there is no [small] company called`.
    fn is_denied_by_naming(&self, clause: &Clause<'_>) -> bool {
        let is_naming =
            self.is_before && self.index < clause.names.start && clause.parts[self.index].has(Roles::GENERIC);
        let denies = |negator: usize| {
            let nouns = negator + 1..self.index.max(negator + 1);
            let has_noun = nouns.clone().any(|i| clause.parts[i].has(Roles::GENERIC));
            negator < self.index && self.index - negator <= 5 && has_noun && clause.others_in(nouns) <= 2
        };
        is_naming && clause.find(Roles::NO).any(denies) && ends_well(clause)
    }

    /// Recognizes `neither the press nor the reviews write about`.
    fn is_denied_by_neither(&self, clause: &Clause<'_>) -> bool {
        let pairs = clause
            .find(Roles::NEITHER.union(Roles::OR))
            .filter(|&i| i < clause.names.start)
            .count();
        let verb = clause
            .find(Roles::NEITHER)
            .next()
            .is_some_and(|i| i < clause.names.start);
        verb && pairs >= 2 && self.is_before && ends_well(clause)
    }

    /// Recognizes `nothing [was found] about` and `zu … habe ich nichts gefunden`.
    fn is_denied_by_pronoun(&self, clause: &Clause<'_>) -> bool {
        let names = &clause.names;
        clause.find(Roles::NOTHING).any(|pronoun| {
            let rest = clause.others_in(pronoun + 1..clause.parts.len());
            if pronoun < names.start {
                // `none of Acme and Zendo` speaks of the brands.
                let is_part = self.is_before && self.index == pronoun + 1 && self.index + 1 == names.start;
                let is_of = clause.parts[self.index].has(Roles::GENERIC);
                let has_finding = clause.any(
                    Roles::FIND
                        .union(Roles::KNOW)
                        .union(Roles::INFORMATION)
                        .union(Roles::AVAILABLE),
                );
                (!is_part || has_finding || !is_of)
                    && clause.others_in(pronoun + 1..names.start) <= 1
                    && ends_well(clause)
            } else {
                let has_verb = clause.any(
                    Roles::FIND
                        .union(Roles::KNOW)
                        .union(Roles::AVAILABLE)
                        .union(Roles::SEARCH),
                );
                has_verb && clause.others_in(names.end..pronoun) <= 2 && rest <= 1
            }
        })
    }

    /// Recognizes `information about … is not available`, `… hakkında bilgi bulamadım` and `not aware of`.
    fn is_denied_by_predicate(&self, clause: &Clause<'_>) -> bool {
        let verbs = Roles::AVAILABLE.union(Roles::FIND).union(Roles::KNOW);
        let has_noun = clause.any(Roles::INFORMATION);
        let last = clause.parts.len();
        let from = clause.names.start.min(self.index);
        let is_missing = clause.find(Roles::MISSING).any(|predicate| {
            let range = from.min(predicate)..last;
            let may_qualify = if clause.language.is_unspaced() { 0 } else { 2 };
            has_noun && clause.others_in(range) <= may_qualify
        });
        let is_negated = clause.find(Roles::NOT).any(|negator| {
            let mut near = clause.find(verbs).filter(|&verb| verb.abs_diff(negator) <= 6);
            near.any(|verb| {
                let is_known = clause.parts[verb].has(Roles::KNOW)
                    && clause.any(Roles::PERSON)
                    && clause.others_in(0..last) <= 2;
                let may_qualify = if clause.language.is_unspaced() { 0 } else { 1 };
                let is_stated =
                    has_noun && clause.others_in(from..last) <= may_qualify && clause.others_in(0..last) <= 2;
                (is_known || is_stated) && ends_well(clause)
            })
        });
        is_missing || is_negated
    }
}

/// Returns whether the preposition at `index` belongs to a noun that is itself the topic: `information on the prices of`.
fn narrows_topic(before: &[Part<'_>], index: usize) -> bool {
    if before[index].has(Roles::GENERIC) {
        return false;
    }
    let is_article =
        |part: &&Part<'_>| part.has(Roles::FUNCTION) && !part.has(Roles::ABOUT.union(Roles::PLACE));
    let mut rest = before[..index].iter().rev().peekable();
    // `about Acme on Zendo`
    if rest.peek().is_some_and(|part| part.is_name) {
        return true;
    }
    // `on the prices of Acme`, `on this on Acme`
    let has_topic = rest.peek().is_some_and(|part| part.is_other || is_article(part));
    let mut rest = rest.skip_while(|part| is_article(part) || part.is_other);
    has_topic
        && rest
            .next()
            .is_some_and(|part| part.has(Roles::ABOUT.union(Roles::PLACE)))
}

/// Returns whether the words after the names only say where nothing was found.
fn ends_well(clause: &Clause<'_>) -> bool {
    let after = clause.after();
    let place = after
        .iter()
        .position(|part| part.has(Roles::PLACE.union(Roles::SOURCES).union(Roles::BUT)))
        .unwrap_or(after.len());
    let others = after[..place].iter().filter(|part| part.is_other).count();
    let has_negation = after.iter().any(|part| {
        part.has(
            Roles::NO
                .union(Roles::NOT)
                .union(Roles::NOTHING)
                .union(Roles::MISSING),
        )
    });
    others <= if has_negation { 3 } else { 0 }
}
