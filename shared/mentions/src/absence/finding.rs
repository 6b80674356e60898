//! Clauses that deny that a name was found, is mentioned or is known: `I could not find Acme`, `Acme is not mentioned in any of the
//! sources`, `I have never heard of Acme`.

use super::scope::{Clause, Part};
use crate::clause::TokenKind;
use crate::language::Roles;

/// Returns whether the clause denies that its names were found.
pub(super) fn is_denied(clause: &Clause<'_>) -> bool {
    is_unknown_to_model(clause) || is_not_found(clause)
}

/// Recognizes `I am not familiar with the insurer Acme`, whatever the preposition and the kind of brand are.
fn is_unknown_to_model(clause: &Clause<'_>) -> bool {
    let parts = &clause.parts;
    let has_person = clause.any(Roles::PERSON) || clause.language.drops_pronouns();
    if !has_person
        || clause.any(Roles::PSEUDO.union(Roles::BUT))
        || clause.after().first().is_some_and(|next| next.is_other)
    {
        return false;
    }
    let denies = |verb: usize| {
        let negators = verb.saturating_sub(5)..(verb + 2).min(parts.len());
        let is_negated = negators
            .clone()
            .any(|i| !clause.names.contains(&i) && parts[i].has(Roles::NOT));
        let between = (verb + 1).min(clause.names.start)..clause.names.start;
        is_negated
            && verb < clause.names.start
            && leads_to_name(&parts[between])
            && clause.others_in(0..verb) <= 1
    };
    clause.find(Roles::KNOW).any(denies)
}

/// Returns whether the words between a verb and a name only say what kind of brand the name is. In `the prices of Acme`, they
/// do not.
fn leads_to_name(between: &[Part<'_>]) -> bool {
    let kinds = between.iter().filter(|part| part.is_other).count();
    let is_naming = between
        .iter()
        .rev()
        .take(2)
        .any(|part| part.has(Roles::GENERIC) && part.has(Roles::ABOUT));
    let last_kind = between.iter().rposition(|part| part.is_other);
    let is_of_kind =
        last_kind.is_some_and(|kind| between[kind + 1..].iter().any(|part| part.has(Roles::ABOUT)));
    let has_noun = between
        .iter()
        .any(|part| part.has(Roles::INFORMATION) && !part.has(Roles::KNOW));
    kinds <= 3
        && between.len() <= 8
        && !has_noun
        && (!is_of_kind || is_naming)
        && between.iter().all(|part| !part.is_name)
}

/// Returns whether the clause says that its names were not found.
fn is_not_found(clause: &Clause<'_>) -> bool {
    if clause.any(Roles::PSEUDO) || unexcused_others(clause) > 0 || is_place(clause) {
        return false;
    }
    let verbs = Roles::FIND.union(Roles::HOLD).union(Roles::KNOW);
    let negators: Vec<usize> = clause
        .find(
            Roles::NOT
                .union(Roles::NO)
                .union(Roles::NOTHING)
                .union(Roles::NEITHER),
        )
        .collect();
    let is_negated = negators.iter().any(|&negator| {
        let part = &clause.parts[negator];
        let in_sources = clause.parts[negator + 1..]
            .iter()
            .take(5)
            .any(|part| part.has(Roles::SOURCES));
        part.has(Roles::NOT.union(Roles::NEITHER)) || in_sources
    }) || clause.parts[clause.names.clone()]
        .iter()
        .any(|part| part.has(Roles::NEITHER));
    is_negated && clause.find(verbs).any(|verb| denies_verb(clause, verb)) || is_missing(clause)
}

/// Returns whether the negation of `verb` means that the names were not found.
fn denies_verb(clause: &Clause<'_>, verb: usize) -> bool {
    let names = &clause.names;
    let is_known = clause.parts[verb].has(Roles::KNOW) && !clause.parts[verb].has(Roles::FIND);
    let needs_person = verb > names.start || !clause.language.drops_pronouns();
    if is_known && needs_person && !clause.any(Roles::PERSON) {
        return false;
    }
    // What a brand itself has or gives is said about it: `Acme does not include`.
    let is_of_source = clause.parts[verb].has(Roles::HOLD) && !clause.parts[verb].has(Roles::FIND);
    if is_of_source
        && (verb > names.start
            || !clause
                .before()
                .iter()
                .any(|part| part.has(Roles::SOURCES.union(Roles::SEARCH))))
    {
        return false;
    }
    if verb < names.start {
        let between = &clause.parts[verb + 1..names.start];
        let is_direct = |part: &Part<'_>| {
            part.has(
                Roles::FUNCTION
                    .union(Roles::GENERIC)
                    .union(Roles::FIND)
                    .union(Roles::KNOW)
                    .union(Roles::NOT)
                    .union(Roles::PERSON),
            ) || !part.token.is_word()
                || part.has(Roles::ABOUT.union(Roles::INFORMATION))
        };
        between.iter().all(is_direct) && ends_in_place(clause.after())
    } else {
        ends_in_place(&clause.parts[verb + 1..])
    }
}

/// Recognizes predicates that deny by themselves: `Acme is unknown to me`, `Acme bulunamadı`.
fn is_missing(clause: &Clause<'_>) -> bool {
    let is_verb_final = clause.language.is_verb_final();
    let has_context = clause.any(
        Roles::PERSON
            .union(Roles::SOURCES)
            .union(Roles::SEARCH)
            .union(Roles::FIND),
    );
    clause.any(Roles::MISSING) && (is_verb_final || has_context) && !clause.any(Roles::INFORMATION)
        || (clause.any(Roles::MISSING) && has_context && clause.any(Roles::SOURCES))
}

/// Returns the number of words that say something else. Words that qualify the sources do not count, nor do those that qualify
/// a noun before the names (`a clothing label called Acme`), nor places.
fn unexcused_others(clause: &Clause<'_>) -> usize {
    let parts = &clause.parts;
    // Without spaces, one more word is one more statement.
    let sources = if clause.language.is_unspaced() {
        Roles::SOURCES.union(Roles::SEARCH)
    } else {
        Roles::SOURCES.union(Roles::INFORMATION).union(Roles::SEARCH)
    };
    let is_source = |part: &Part<'_>| part.has(sources);
    let verb = clause
        .find(Roles::FIND.union(Roles::KNOW))
        .next()
        .unwrap_or(parts.len());
    // What follows the sources after the verb qualifies them: `in any of the rankings of …`.
    let from = verb.max(clause.names.end).min(parts.len());
    let place = from + place_of(&parts[from..]);
    let is_naming = clause
        .before()
        .last()
        .is_some_and(|part| part.has(Roles::GENERIC) && part.has(Roles::ABOUT));
    (0..place)
        .filter(|i| !clause.names.contains(i))
        .filter(|&i| parts[i].is_other || parts[i].is_name || parts[i].token.kind == TokenKind::Word("'s"))
        .filter(|&i| {
            let around = i.saturating_sub(2)..(i + 4).min(parts.len());
            let qualifies_name = is_naming && i < clause.names.start && i + 5 >= clause.names.start;
            let is_at_place =
                i > 0 && verb < clause.names.start && parts[i].is_name && parts[i - 1].has(Roles::PLACE);
            !parts[around].iter().any(is_source) && !qualifies_name && !is_at_place
        })
        .count()
}

/// Returns whether the names are the place of the clause: `You will not find this in Acme`.
fn is_place(clause: &Clause<'_>) -> bool {
    let last = clause
        .before()
        .iter()
        .rev()
        .find(|part| !part.has(Roles::GENERIC) || part.has(Roles::PLACE));
    last.is_some_and(|part| part.has(Roles::PLACE) && !part.has(Roles::ABOUT))
}

/// Returns the index from which `parts` say where nothing was found: at the sources, or at a place that is none (`in keinem
/// Laden`). What follows only qualifies it.
fn place_of(parts: &[Part<'_>]) -> usize {
    let is_nowhere = |i: usize| {
        parts[i].has(Roles::PLACE) && parts[i + 1..].iter().take(2).any(|part| part.has(Roles::NO))
    };
    (0..parts.len())
        .find(|&i| parts[i].has(Roles::SOURCES) || is_nowhere(i))
        .unwrap_or(parts.len())
}

/// Returns whether `parts` only say where, when and by whom nothing was found.
fn ends_in_place(parts: &[Part<'_>]) -> bool {
    let has_place = |from: usize| {
        parts[from..]
            .iter()
            .any(|part| part.has(Roles::SOURCES.union(Roles::PERSON)))
    };
    parts[..place_of(parts)].iter().enumerate().all(|(i, part)| {
        let is_place = part.has(
            Roles::PLACE
                .union(Roles::SOURCES)
                .union(Roles::SEARCH)
                .union(Roles::PERSON),
        );
        let is_function = part.has(
            Roles::FUNCTION
                .union(Roles::FIND)
                .union(Roles::NOT)
                .union(Roles::KNOW)
                .union(Roles::TOPIC)
                .union(Roles::AVAILABLE)
                .union(Roles::NO)
                .union(Roles::NOTHING),
        ) && !part.has(Roles::ABOUT);
        let is_named_place = i > 0 && part.is_name && parts[i - 1].has(Roles::PLACE);
        is_place || is_function || is_named_place || (!part.token.is_word() && !part.is_name) || has_place(i)
    })
}
