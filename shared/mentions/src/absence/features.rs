//! What the context of a name has that may matter for whether it says that nothing was found.

use super::context::{Context, Place, Scope};
use crate::classifier::Features;
use crate::clause::{Token, TokenKind};
use crate::language::Roles;
use crate::word_parts::{for_each_part, stem};

/// The longest sequence of roles beside a name that is a feature of its own.
const MAX_SEQUENCE: usize = 7;

/// The roles that a sequence of roles distinguishes, the most telling one first.
const ROLES_OF_SEQUENCE: [Roles; 18] = [
    Roles::PSEUDO,
    Roles::NEITHER,
    Roles::NOT,
    Roles::NO,
    Roles::NOTHING,
    Roles::MISSING,
    Roles::INFORMATION,
    Roles::FIND,
    Roles::KNOW,
    Roles::HOLD,
    Roles::AVAILABLE,
    Roles::SOURCES,
    Roles::SEARCH,
    Roles::PERSON,
    Roles::ABOUT,
    Roles::PLACE,
    Roles::BUT,
    Roles::AND.union(Roles::OR),
];

/// The roles that matter wherever they are in a clause.
const ROLES_OF_CLAUSE: [Roles; 23] = [
    Roles::NO,
    Roles::NOTHING,
    Roles::NOT,
    Roles::INFORMATION,
    Roles::FIND,
    Roles::HOLD,
    Roles::MISSING,
    Roles::AVAILABLE,
    Roles::KNOW,
    Roles::ABOUT,
    Roles::ABOUT_AFTER,
    Roles::TOPIC,
    Roles::PLACE,
    Roles::SOURCES,
    Roles::SEARCH,
    Roles::PERSON,
    Roles::GENERIC,
    Roles::AND,
    Roles::OR,
    Roles::NEITHER,
    Roles::BUT,
    Roles::PSEUDO,
    Roles::NO_DATA,
];

/// The roles of which pairs in a clause matter.
const ROLES_OF_PAIRS: [Roles; 12] = [
    Roles::NO,
    Roles::NOTHING,
    Roles::NOT,
    Roles::MISSING,
    Roles::NEITHER,
    Roles::INFORMATION,
    Roles::FIND,
    Roles::KNOW,
    Roles::SOURCES,
    Roles::PERSON,
    Roles::HOLD,
    Roles::AVAILABLE,
];

/// What a token is in a sequence of roles.
const NAME: u8 = 100;
const OTHER_NAME: u8 = 101;
const OTHER_WORD: u8 = 102;
const OTHER_CAPITALIZED: u8 = 103;
const FUNCTION: u8 = 104;
const SIGN: u8 = 105;

#[derive(Clone, Copy)]
enum Kind {
    Word,
    Stem,
    Role,
    OtherWord,
    OtherCapitalized,
    Sign,
    OtherName,
    AdjacentRoles,
    ThreeRoles,
    RolesInPlace,
    Side,
    Clause,
    Left,
    Right,
    NearestTwoRoles,
    NearestFourRoles,
    NextWord,
    NextRole,
    NextName,
    CellWord,
    CellRole,
    CellOther,
    InTable,
    IntroWord,
    IntroRole,
    Question,
}

/// Returns the features of a context whose negators have this scope.
pub(super) fn features(context: &Context<'_>, scope: Scope) -> Vec<u32> {
    let mut features = Collector {
        language: context.language.code(),
        scope,
        features: Features::default(),
    };
    // What a question says about the name does not matter for the answer.
    if !(context.is_question && scope == Scope::Beyond) {
        let roles = sequence(context);
        features.add_words(context);
        features.add_neighbours(context, &roles);
        features.add_pairs(context);
        features.add_sides(context, &roles);
    }
    features.add_next_sentence(context);
    features.add_cells(context);
    features.add_intro(context);
    features.features.into_ids()
}

fn sequence(context: &Context<'_>) -> Vec<u8> {
    let tokens = context.sentence.iter().enumerate();
    tokens
        .map(|(i, token)| if i == context.name { NAME } else { step(token) })
        .collect()
}

fn step(token: &Token<'_>) -> u8 {
    match token.kind {
        TokenKind::Name => return OTHER_NAME,
        TokenKind::Sign(_) | TokenKind::End => return SIGN,
        TokenKind::Word(_) if token.continues_phrase => return FUNCTION,
        TokenKind::Word(_) => {}
    }
    let first = (0u8..)
        .zip(ROLES_OF_SEQUENCE)
        .find(|&(_, roles)| token.has(roles));
    match first {
        Some((i, _)) => i,
        None if token.roles != Roles::NONE => FUNCTION,
        None if token.is_capital => OTHER_CAPITALIZED,
        None => OTHER_WORD,
    }
}

struct Collector {
    language: &'static str,
    scope: Scope,
    features: Features,
}

impl Collector {
    fn add(&mut self, kind: Kind, parts: &[&[u8]]) {
        self.features.add(kind as u8, parts);
    }

    /// Adds a word and its parts, which only texts of the same language share.
    fn add_word(&mut self, kind: Kind, word: &str) {
        let language = self.language.as_bytes();
        for_each_part(word, |part| self.add(kind, &[language, part.as_bytes()]));
    }

    fn add_roles(&mut self, kind: Kind, place: &[u8], token: &Token<'_>) {
        for (role, roles) in (0u8..).zip(ROLES_OF_CLAUSE) {
            if token.has(roles) {
                self.add(kind, &[place, &[role]]);
            }
        }
    }

    /// Returns whether what stands at `place` is in the scope of the negators.
    fn is_in_scope(&self, place: Place) -> bool {
        self.scope != Scope::Clause || place.is_in_clause()
    }

    /// Adds the words of the scope, and the signs, names and roles of the whole sentence.
    fn add_words(&mut self, context: &Context<'_>) {
        for (i, token) in context.sentence.iter().enumerate() {
            let place = [context.places[i] as u8];
            match token.kind {
                _ if i == context.name => {}
                TokenKind::Name => self.add(Kind::OtherName, &[&place]),
                TokenKind::Sign(sign) => {
                    self.add(Kind::Sign, &[&place, sign.encode_utf8(&mut [0; 4]).as_bytes()]);
                }
                TokenKind::Word(word) => {
                    let region = [region(context.places[i])];
                    let is_near = !matches!(context.places[i], Place::FartherBefore | Place::FartherAfter);
                    if is_near && self.is_in_scope(context.places[i]) {
                        self.add_word(Kind::Word, word);
                        let language = self.language.as_bytes();
                        for_each_part(word, |part| {
                            self.add(Kind::Stem, &[language, &region, stem(part).as_bytes()]);
                        });
                    }
                    self.add_roles(Kind::Role, &place, token);
                    if token.roles == Roles::NONE {
                        self.add(Kind::OtherWord, &[&place]);
                    }
                    if token.roles == Roles::NONE && token.is_capital {
                        self.add(Kind::OtherCapitalized, &[&place]);
                    }
                }
                TokenKind::End => {}
            }
        }
    }

    /// Adds what follows what in the scope, with and without function words.
    fn add_neighbours(&mut self, context: &Context<'_>, roles: &[u8]) {
        for (i, two) in roles.windows(2).enumerate() {
            if !self.is_in_scope(context.places[i]) {
                continue;
            }
            self.add(Kind::AdjacentRoles, &[&[context.places[i] as u8], two]);
        }
        let in_scope = roles.iter().zip(&context.places);
        let in_scope = in_scope.filter(|&(_, &place)| self.is_in_scope(place));
        let roles: Vec<u8> = in_scope.map(|(&role, _)| role).collect();
        let telling = telling(&roles);
        for three in telling.windows(3) {
            self.add(Kind::ThreeRoles, &[three]);
        }
        let at = index_of_name(&telling);
        let left = &telling[at.saturating_sub(3)..at];
        let right = &telling[at + 1..(at + 4).min(telling.len())];
        for n in 1..=3 {
            self.add(Kind::Left, &[&left[left.len().saturating_sub(n)..]]);
            self.add(Kind::Right, &[&right[..n.min(right.len())]]);
        }
        let edge = outline(&roles);
        let here = index_of_name(&edge);
        for n in 3..=5 {
            self.add(Kind::Left, &[b"o", &edge[here.saturating_sub(n)..here]]);
            self.add(
                Kind::Right,
                &[b"o", &edge[here + 1..(here + 1 + n).min(edge.len())]],
            );
        }
        let nearest = |n: usize| {
            (
                &left[left.len().saturating_sub(n)..],
                &right[..n.min(right.len())],
            )
        };
        let (before, after) = nearest(1);
        self.add(Kind::NearestTwoRoles, &[before, after]);
        let (before, after) = nearest(2);
        self.add(Kind::NearestFourRoles, &[before, after]);
    }

    /// Adds the pairs of roles that occur in one place of the scope.
    fn add_pairs(&mut self, context: &Context<'_>) {
        for place in [
            Place::Before,
            Place::After,
            Place::ClauseBefore,
            Place::ClauseAfter,
        ] {
            if !self.is_in_scope(place) {
                continue;
            }
            let tokens = context.sentence.iter().zip(&context.places).enumerate();
            let here = tokens.filter(|&(i, (_, at))| i != context.name && *at == place);
            let roles = here.fold(Roles::NONE, |roles, (_, (token, _))| roles.union(token.roles));
            for (i, first) in (0u8..).zip(ROLES_OF_PAIRS) {
                for (k, second) in (0u8..).zip(ROLES_OF_PAIRS).skip(usize::from(i) + 1) {
                    if roles.has(first) && roles.has(second) {
                        self.add(Kind::RolesInPlace, &[&[place as u8, i, k]]);
                    }
                }
            }
        }
    }

    /// Adds all that the clause of the name says before and after it, if it is short.
    fn add_sides(&mut self, context: &Context<'_>, roles: &[u8]) {
        let side = |place: Place| {
            let here = roles.iter().zip(&context.places).enumerate();
            let here = here.filter(|&(i, (_, at))| i != context.name && *at == place);
            let roles: Vec<u8> = here.map(|(_, (&role, _))| role).collect();
            outline(&roles)
        };
        let (before, after) = (side(Place::Before), side(Place::After));
        if before.len() <= MAX_SEQUENCE {
            self.add(Kind::Side, &[b"<", &before]);
        }
        if after.len() <= MAX_SEQUENCE {
            self.add(Kind::Side, &[b">", &after]);
        }
        if before.len() + after.len() <= MAX_SEQUENCE {
            self.add(Kind::Clause, &[&before, &after]);
        }
    }

    fn add_next_sentence(&mut self, context: &Context<'_>) {
        if context.is_question {
            self.add(Kind::Question, &[]);
        }
        for token in &context.next {
            match token.kind {
                TokenKind::Word(word) => {
                    let of_question = [u8::from(context.is_question)];
                    self.add_word(Kind::NextWord, word);
                    self.add_roles(Kind::NextRole, &[], token);
                    self.add_roles(Kind::NextRole, &of_question, token);
                }
                TokenKind::Name => self.add(Kind::NextName, &[]),
                TokenKind::Sign(_) | TokenKind::End => {}
            }
        }
    }

    fn add_intro(&mut self, context: &Context<'_>) {
        for token in &context.intro {
            if let TokenKind::Word(word) = token.kind {
                self.add_word(Kind::IntroWord, word);
                self.add_roles(Kind::IntroRole, &[], token);
            }
        }
    }

    fn add_cells(&mut self, context: &Context<'_>) {
        let Some(cells) = &context.cells else { return };
        let denied = context
            .denied_cells_in_quarters()
            .map_or(b'-', |quarters| quarters as u8);
        self.add(Kind::InTable, &[&[denied]]);
        for token in cells.iter().flatten() {
            if let TokenKind::Word(word) = token.kind {
                self.add_word(Kind::CellWord, word);
                if token.roles == Roles::NONE {
                    self.add(Kind::CellOther, &[]);
                }
            }
            self.add_roles(Kind::CellRole, &[], token);
        }
    }
}

/// Returns whether a place is in the clause of the name (0), before it (1) or after it (2).
fn region(place: Place) -> u8 {
    match place {
        Place::Before | Place::After => 0,
        Place::ClauseBefore | Place::FartherBefore => 1,
        Place::ClauseAfter | Place::FartherAfter => 2,
    }
}

#[expect(
    clippy::expect_used,
    reason = "the name is always in the scope and never a function word"
)]
fn index_of_name(roles: &[u8]) -> usize {
    let name = roles.iter().position(|&role| role == NAME);
    name.expect("the sentence has the name")
}

fn telling(roles: &[u8]) -> Vec<u8> {
    roles.iter().copied().filter(|&role| role != FUNCTION).collect()
}

/// Returns the sequence without function words, in which several other words are one.
fn outline(roles: &[u8]) -> Vec<u8> {
    let is_other = |role: u8| matches!(role, OTHER_WORD | OTHER_CAPITALIZED);
    let mut outline = telling(roles);
    for role in &mut outline {
        if is_other(*role) {
            *role = OTHER_WORD;
        }
    }
    outline.dedup_by(|b, a| is_other(*a) && is_other(*b));
    outline
}
