//! The scope of a negation: the clause around a name.

use std::ops::Range;

use crate::clause::{Token, TokenKind};
use crate::language::{Language, Roles};
use crate::text::Text;

/// The roles of words that belong to a clause that says that nothing was found. Other words say something of their own.
const ROLES_OF_ABSENCE: Roles = Roles::NO
    .union(Roles::NOTHING)
    .union(Roles::NOT)
    .union(Roles::INFORMATION)
    .union(Roles::FIND)
    .union(Roles::HOLD)
    .union(Roles::MISSING)
    .union(Roles::AVAILABLE)
    .union(Roles::KNOW)
    .union(Roles::ABOUT)
    .union(Roles::ABOUT_AFTER)
    .union(Roles::TOPIC)
    .union(Roles::PLACE)
    .union(Roles::SOURCES)
    .union(Roles::SEARCH)
    .union(Roles::PERSON)
    .union(Roles::FUNCTION)
    .union(Roles::GENERIC)
    .union(Roles::AND)
    .union(Roles::OR)
    .union(Roles::NEITHER)
    .union(Roles::BUT)
    .union(Roles::NO_DATA);

/// The roles of words that only introduce a topic: `As for the brand Acme`.
const ROLES_OF_TOPIC: Roles = Roles::ABOUT
    .union(Roles::ABOUT_AFTER)
    .union(Roles::TOPIC)
    .union(Roles::PLACE)
    .union(Roles::SEARCH)
    .union(Roles::PERSON)
    .union(Roles::FUNCTION)
    .union(Roles::GENERIC)
    .union(Roles::BUT)
    .union(Roles::AND);

/// The number of characters beside a name in which quotation marks are looked for.
const MAX_QUOTED_CHARS: usize = 48;

/// A token of a clause.
#[derive(Clone)]
pub(super) struct Part<'a> {
    pub token: Token<'a>,
    /// Whether the token is a brand, or a capitalized word that may be an unknown brand.
    pub is_name: bool,
    /// Whether the word says something that has nothing to do with finding.
    pub is_other: bool,
}

impl Part<'_> {
    pub(super) fn has(&self, roles: Roles) -> bool {
        !self.is_name && self.token.has(roles)
    }
}

/// A clause around a name.
pub(super) struct Clause<'a> {
    pub parts: Vec<Part<'a>>,
    /// The name with the names that are enumerated with it.
    pub names: Range<usize>,
    pub language: Language,
}

impl<'a> Clause<'a> {
    pub(super) fn before(&self) -> &[Part<'a>] {
        &self.parts[..self.names.start]
    }

    pub(super) fn after(&self) -> &[Part<'a>] {
        &self.parts[self.names.end..]
    }

    /// Returns the indexes of the parts outside the names that have any of `roles`.
    pub(super) fn find(&self, roles: Roles) -> impl Iterator<Item = usize> + '_ {
        let outside = |i: &usize| !self.names.contains(i);
        (0..self.parts.len())
            .filter(outside)
            .filter(move |&i| self.parts[i].has(roles))
    }

    pub(super) fn any(&self, roles: Roles) -> bool {
        self.find(roles).next().is_some()
    }

    /// Returns the number of parts in `range` that say something else, without the names.
    pub(super) fn others_in(&self, range: Range<usize>) -> usize {
        range
            .filter(|i| !self.names.contains(i))
            .filter(|&i| self.parts[i].is_other || self.parts[i].is_name)
            .count()
    }
}

/// A sentence with a name, in segments that commas, colons, dashes and contrasts separate.
pub(super) struct Sentence<'a> {
    parts: Vec<Part<'a>>,
    names: Range<usize>,
    segments: Vec<Range<usize>>,
    /// The index of the segment with the name.
    own: usize,
    language: Language,
}

impl<'a> Sentence<'a> {
    /// Returns the sentence around the token `name`.
    pub(super) fn around(text: Text<'a>, tokens: &[Token<'a>], name: usize) -> Self {
        let start = tokens[..name]
            .iter()
            .rposition(Token::is_end)
            .map_or(0, |i| i + 1);
        let end = tokens[name..]
            .iter()
            .position(Token::is_end)
            .map_or(tokens.len(), |i| name + i);
        let parts: Vec<Part<'a>> = tokens[start..end].iter().map(|token| part(text, token)).collect();
        let names = enumeration(&parts, name - start, text.language);
        let names = with_quoted_words(text, &parts, names);
        let segments = segments(&parts, &names, text.language);
        let own = segments
            .iter()
            .position(|segment| segment.contains(&names.start))
            .unwrap_or(0);
        Self {
            parts,
            names,
            segments,
            own,
            language: text.language,
        }
    }

    /// Returns the clauses that the name may belong to: its own segment and, if that is no clause of its own, the segments
    /// that complete it.
    pub(super) fn clauses(&self) -> Vec<Clause<'a>> {
        let mut clauses = vec![self.clause(self.own..self.own + 1)];
        if self.is_topic(self.own) {
            let mut last = self.own + 1;
            while last + 1 < self.segments.len() && self.is_topic(last) {
                last += 1;
            }
            clauses.push(self.clause(self.own..last + 1));
        }
        let negators = Roles::NO
            .union(Roles::NOT)
            .union(Roles::NOTHING)
            .union(Roles::NEITHER)
            .union(Roles::MISSING);
        if !clauses[0].any(negators) {
            for first in (self.own.saturating_sub(3)..self.own).rev() {
                let clause = self.clause(first..self.own + 1);
                let segment = &self.segments[first];
                let is_contrast = self.segments[first + 1]
                    .clone()
                    .next()
                    .is_some_and(|i| self.parts[i].has(Roles::BUT));
                let has_name = segment.clone().any(|i| self.parts[i].is_name);
                if has_name || is_contrast || self.others(segment) > 2 {
                    break;
                }
                let is_negated = clause.any(negators);
                clauses.push(clause);
                if is_negated {
                    break;
                }
            }
        }
        clauses
    }

    /// Returns the parts of the segments after the one with the name.
    pub(super) fn rest(&self) -> &[Part<'a>] {
        let end = self
            .segments
            .get(self.own)
            .map_or(self.parts.len(), |own| own.end);
        &self.parts[end.max(self.names.end)..]
    }

    /// Returns all parts.
    pub(super) fn all(&self) -> &[Part<'a>] {
        &self.parts
    }

    /// Returns the parts after the name.
    pub(super) fn after(&self) -> &[Part<'a>] {
        &self.parts[self.names.end..]
    }

    /// Returns whether the sentence consists of the name and words that introduce it.
    pub(super) fn is_only_name(&self) -> bool {
        (0..self.segments.len()).all(|segment| self.is_topic(segment))
            && self.parts.iter().all(|part| !part.is_other)
    }

    /// Returns whether the segment with the name is about a search.
    pub(super) fn is_search(&self) -> bool {
        let own = self.clause(self.own..self.own + 1);
        own.any(Roles::SEARCH)
    }

    pub(super) fn language(&self) -> Language {
        self.language
    }

    fn clause(&self, segments: Range<usize>) -> Clause<'a> {
        let (mut parts, mut names) = (Vec::new(), 0..0);
        for segment in self.segments.get(segments).into_iter().flatten() {
            for i in segment.clone() {
                if i == self.names.start {
                    names.start = parts.len();
                }
                parts.push(self.parts[i].clone());
                if i + 1 == self.names.end {
                    names.end = parts.len();
                }
            }
        }
        names.end = names.end.max(names.start);
        Clause {
            parts,
            names,
            language: self.language,
        }
    }

    /// Returns whether a segment only introduces a topic.
    fn is_topic(&self, segment: usize) -> bool {
        self.segments.get(segment).is_some_and(|segment| {
            segment.clone().all(|i| {
                let part = &self.parts[i];
                self.names.contains(&i) || part.has(ROLES_OF_TOPIC) || !part.token.is_word()
            })
        })
    }

    fn others(&self, segment: &Range<usize>) -> usize {
        segment.clone().filter(|&i| self.parts[i].is_other).count()
    }
}

/// Returns whether `parts` say that nothing was found, without a topic of their own.
pub(super) fn says_nothing_found(parts: &[Part<'_>], language: Language) -> bool {
    let has = |range: Range<usize>, roles: Roles| parts[range].iter().any(|part| part.has(roles));
    let others = |range: Range<usize>| {
        parts[range]
            .iter()
            .filter(|part| part.is_other || part.is_name)
            .count()
    };
    let verbs = Roles::FIND
        .union(Roles::HOLD)
        .union(Roles::AVAILABLE)
        .union(Roles::KNOW);
    // What follows the sources qualifies them.
    let is_place = |i: usize| {
        let part = &parts[i];
        let leads_to_sources =
            part.has(Roles::PLACE) && !part.has(Roles::ABOUT) && has(i..parts.len(), Roles::SOURCES);
        leads_to_sources || (part.has(Roles::SOURCES) && !part.has(Roles::INFORMATION))
    };
    let place = (0..parts.len()).find(|&i| is_place(i)).unwrap_or(parts.len());
    let end = |i: usize| if place > i { place } else { parts.len() };
    let near = |i: usize, roles: Roles| {
        let last = (i + 7).min(parts.len());
        (i + 1..last).find(|&k| parts[k].has(roles))
    };
    let may_qualify = if language.has_adjectives_after_nouns() {
        1
    } else {
        0
    };
    let denies = |i: usize| {
        let part = &parts[i];
        let by_noun = part.has(Roles::NO.union(Roles::NOT))
            && near(i, Roles::INFORMATION)
                .is_some_and(|noun| others(i..noun) <= 2 && others(noun..end(noun).max(noun)) <= may_qualify);
        let verb = if part.has(verbs) { Some(i) } else { near(i, verbs) };
        let by_verb = part.has(Roles::NOT) && verb.is_some_and(|verb| others(0..end(verb).max(verb)) <= 1);
        let is_pronoun = part.has(Roles::NOTHING) && !has(0..parts.len(), Roles::MISSING);
        let by_pronoun = is_pronoun
            && others(0..end(i)) <= 1
            && (has(0..parts.len(), verbs) || parts.len() <= 2 || has(place..parts.len(), Roles::SOURCES));
        let negators = Roles::NO.union(Roles::NOT).union(Roles::NOTHING);
        let is_denied_itself = !language.is_verb_final() && has(0..i, negators);
        let by_predicate = part.has(Roles::MISSING)
            && !is_denied_itself
            && others(0..end(i)) <= 1
            && (parts.len() <= 4
                || has(
                    0..parts.len(),
                    Roles::INFORMATION
                        .union(Roles::FIND)
                        .union(Roles::SOURCES)
                        .union(Roles::PERSON),
                ));
        let by_phrase = part.has(Roles::NO_DATA) && i == 0 && others(0..parts.len()) == 0;
        by_noun || by_verb || by_pronoun || by_predicate || by_phrase
    };
    !has(0..parts.len(), Roles::PSEUDO) && (0..parts.len()).any(denies)
}

fn part<'a>(text: Text<'a>, token: &Token<'a>) -> Part<'a> {
    let is_plain = token.is_word() && !token.has(ROLES_OF_ABSENCE);
    let is_name = token.is_name()
        || (is_plain
            && token.is_capital
            && !text.language.has_common_word(text.prose_of(token.range.clone())));
    Part {
        token: token.clone(),
        is_name,
        is_other: is_plain && !is_name,
    }
}

/// Returns the range of the names that are enumerated with the name at `name`.
fn enumeration(parts: &[Part<'_>], name: usize, language: Language) -> Range<usize> {
    let conjunctions = Roles::AND.union(Roles::OR).union(Roles::NEITHER);
    let joins = |part: &Part<'_>| part.token.is_sign(&[',', '/', '&']) || part.has(conjunctions);
    // A capitalized common word may be a name if it is enumerated. German nouns are too frequent.
    let is_item =
        |part: &Part<'_>| part.is_name || (part.is_other && part.token.is_capital && language.code() != "de");
    let mut range = name..name + 1;
    // In `on Acme, Zendo, however, is`, the name starts a clause.
    let is_set_off = match &parts[range.end..] {
        [comma, next, ..] => {
            comma.token.is_sign(&[',']) && next.token.is_word() && !is_item(next) && !next.has(conjunctions)
        }
        _ => false,
    };
    loop {
        let before = &parts[..range.start];
        let joints = before.iter().rev().take_while(|part| joins(part)).count();
        let has_conjunction = before[before.len() - joints..]
            .iter()
            .any(|part| part.has(conjunctions));
        let names = before[..before.len() - joints]
            .iter()
            .rev()
            .take_while(|part| is_item(part))
            .count();
        if joints == 0 || names == 0 || (is_set_off && range.len() == 1 && !has_conjunction) {
            break;
        }
        range.start -= joints + names;
    }
    loop {
        let after = &parts[range.end..];
        let own = after.iter().take_while(|part| part.is_name).count();
        let joints = after[own..].iter().take_while(|part| joins(part)).count();
        let names = after[own + joints..]
            .iter()
            .take_while(|part| is_item(part))
            .count();
        range.end += own;
        if joints == 0 || names == 0 {
            break;
        }
        range.end += joints + names;
    }
    let neithers = parts[..range.start]
        .iter()
        .rev()
        .take_while(|part| part.has(Roles::NEITHER))
        .count();
    range.start -= neithers;
    range
}

/// Returns the names with the words that are quoted together with them, as a query of a search is.
fn with_quoted_words(text: Text<'_>, parts: &[Part<'_>], names: Range<usize>) -> Range<usize> {
    let Some((first, last)) = parts.get(names.start).zip(parts.get(names.end - 1)) else {
        return names;
    };
    let name = text.prose_range(first.token.range.start..last.token.range.end);
    let is_open = |c: char| matches!(c, '"' | '“' | '„' | '«' | '”' | '「' | '『');
    let is_close = |c: char| matches!(c, '"' | '”' | '“' | '»' | '」' | '』');
    let is_quote = |&(_, c): &(usize, char)| is_open(c) || is_close(c);
    let is_inside = |&(_, c): &(usize, char)| c != '\n';
    let before = text.prose.get(..name.start).unwrap_or_default();
    let after = text.prose.get(name.end..).unwrap_or_default();
    let mut before = before
        .char_indices()
        .rev()
        .take(MAX_QUOTED_CHARS)
        .take_while(is_inside);
    let mut after = after.char_indices().take(MAX_QUOTED_CHARS).take_while(is_inside);
    let open = before.find(is_quote).filter(|&(_, c)| is_open(c));
    let close = after.find(is_quote).filter(|&(_, c)| is_close(c));
    let Some(((open, _), (close, _))) = open.zip(close) else {
        return names;
    };
    let quoted = text.folded_range(&(open..name.end + close));
    let is_quoted =
        |part: &&Part<'_>| quoted.start <= part.token.range.start && part.token.range.end <= quoted.end;
    let start = names.start - parts[..names.start].iter().rev().take_while(is_quoted).count();
    let end = names.end + parts[names.end..].iter().take_while(is_quoted).count();
    start..end
}

/// Returns the segments of a sentence. The names that are enumerated stay together.
fn segments(parts: &[Part<'_>], names: &Range<usize>, language: Language) -> Vec<Range<usize>> {
    let (mut segments, mut start) = (Vec::new(), 0);
    for (i, part) in parts.iter().enumerate() {
        if names.contains(&i) {
            continue;
        }
        let is_sign = part.token.is_sign(&[',', ':', '-', '(', '→', '|']);
        let follows_sign = i == start;
        let is_contrast = part.has(Roles::BUT)
            && part.token.kind != TokenKind::Name
            && (follows_sign || !language.has_comma_before_contrast());
        if is_sign {
            segments.push(start..i);
            start = i + 1;
        } else if is_contrast && i > start {
            segments.push(start..i);
            start = i;
        }
    }
    segments.push(start..parts.len());
    segments.retain(|segment| !segment.is_empty());
    if segments.is_empty() {
        segments.push(0..parts.len());
    }
    segments
}
