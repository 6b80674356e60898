//! Finds which brands an answer mentions.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use aho_corasick::AhoCorasick;

use super::absence::Absence;
use super::boundary::{Standing, Text, domain_at, name_at};
use super::fold::{Folded, NAMED};
use super::names::{BrandNames, Kind, Spelling, spellings};
use super::prose::Prose;

/// The part of an answer that is read, in bytes: many times what a model writes.
const MOST_BYTES: usize = 4 << 20;

/// The brands of a check, prepared: built once and shared between answers.
pub struct Matcher {
    spellings: Vec<Spelling>,
    /// `None` where there is nothing to search for.
    automaton: Option<AhoCorasick>,
    absence: Absence,
}

/// What was found in an answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mentions {
    /// The brands mentioned, each once, in order of first mention: a brand's position is its index + 1.
    pub mentioned: Vec<Mention>,
    /// The brands that occur, but only in ways that do not count, by ordinal.
    pub rejected: Vec<Rejected>,
}

/// A brand that is mentioned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mention {
    /// Its ordinal.
    pub brand: u32,
    /// The byte of the answer where its first mention starts; always a char boundary.
    pub at: usize,
}

/// A brand that occurs and is not mentioned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rejected {
    /// Its ordinal.
    pub brand: u32,
    /// Why it does not count.
    pub reason: Reason,
}

/// Why an occurrence does not count. Of several reasons the first in this order is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// The clause says that nothing was found about the brand.
    NothingFound,
    /// The name is made of common words, and here it is those words.
    CommonWord,
    /// The name is a part of a longer name that another brand has.
    LongerName,
    /// It occurs only where a link leads, in a bare URL or in a citation mark.
    LinkOnly,
}

impl Reason {
    /// The reason as it is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NothingFound => "nothing_found",
            Self::CommonWord => "common_word",
            Self::LongerName => "longer_name",
            Self::LinkOnly => "link_only",
        }
    }
}

/// A place where a spelling stands as complete words, in folded bytes.
#[derive(Clone, Copy)]
struct Place {
    start: usize,
    end: usize,
    brand: u32,
    standing: Standing,
}

impl Matcher {
    /// Prepares `brands`. Several entries of one ordinal are one brand.
    pub fn new(brands: &[BrandNames]) -> Self {
        let spellings = spellings(brands);
        let texts = spellings.iter().map(|spelling| &spelling.text);
        // Building fails only beyond billions of states: far more text than a workspace may hold.
        let automaton = if spellings.is_empty() {
            None
        } else {
            AhoCorasick::new(texts).ok()
        };
        Self {
            spellings,
            automaton,
            absence: Absence::new(),
        }
    }

    /// Finds the brands that `answer`, in markdown, mentions.
    pub fn find(&self, answer: &str) -> Mentions {
        let Some(automaton) = &self.automaton else {
            return Mentions::default();
        };
        let answer = &answer[..answer.floor_char_boundary(MOST_BYTES)];
        let prose = Prose::of(answer);
        let mut folded = Folded::of(&prose.text);
        let places = self.places(
            automaton,
            Text {
                prose: &prose.text,
                folded: &folded,
            },
        );
        for place in &places {
            folded.flags[place.start..place.end]
                .iter_mut()
                .for_each(|flags| *flags |= NAMED);
        }
        let text = Text {
            prose: &prose.text,
            folded: &folded,
        };
        let mut mentioned = BTreeMap::new();
        let mut rejected = BTreeMap::new();
        let mut reject = |brand, reason: Reason| {
            let first = rejected.entry(brand).or_insert(reason);
            *first = reason.min(*first);
        };
        for (place, shadowed) in shadows(&places) {
            if mentioned.contains_key(&place.brand) {
                continue;
            }
            if place.standing == Standing::CommonWords {
                reject(place.brand, Reason::CommonWord);
            } else if shadowed {
                reject(place.brand, Reason::LongerName);
            } else if self.absence.is_said(text, place.start, place.end) {
                reject(place.brand, Reason::NothingFound);
            } else {
                mentioned.insert(place.brand, prose.offset(folded.source(place.start)));
            }
        }
        if !prose.links.is_empty() {
            let folded = Folded::of(&prose.links);
            for place in self.places(
                automaton,
                Text {
                    prose: &prose.links,
                    folded: &folded,
                },
            ) {
                if place.standing == Standing::Name {
                    reject(place.brand, Reason::LinkOnly);
                }
            }
        }
        rejected.retain(|brand, _| !mentioned.contains_key(brand));
        let mut mentioned: Vec<Mention> = mentioned
            .into_iter()
            .map(|(brand, at)| Mention { brand, at })
            .collect();
        mentioned.sort_by_key(|mention| (mention.at, mention.brand));
        let rejected = rejected
            .into_iter()
            .map(|(brand, reason)| Rejected { brand, reason })
            .collect();
        Mentions { mentioned, rejected }
    }

    /// All places of complete words, by start, longer ones first.
    fn places(&self, automaton: &AhoCorasick, text: Text<'_>) -> Vec<Place> {
        let mut places = Vec::new();
        for found in automaton.find_overlapping_iter(&text.folded.text) {
            let Some(spelling) = self.spellings.get(found.pattern().as_usize()) else {
                continue;
            };
            let (start, end) = (found.start(), found.end());
            let standing = match &spelling.kind {
                Kind::Name(name) => name_at(text, start, end, name),
                Kind::Domain(domain) => domain_at(text, start, domain).then_some(Standing::Name),
            };
            if let Some(standing) = standing {
                places.push(Place {
                    start,
                    end,
                    brand: spelling.brand,
                    standing,
                });
            }
        }
        places.sort_by_key(|place| (place.start, Reverse(place.end)));
        places
    }
}

/// For each place whether a longer name covers it. The longest name at a place wins: `Acme Cloud` is no
/// mention of `Acme`. Names that merely overlap both stand, and so do brands that share a spelling.
fn shadows(places: &[Place]) -> impl Iterator<Item = (Place, bool)> {
    let mut longest = (0, 0);
    places.iter().map(move |&place| {
        let (start, end) = longest;
        let shadowed = end > place.end || (end == place.end && start < place.start);
        if place.standing == Standing::Name && end < place.end {
            longest = (place.start, place.end);
        }
        (place, shadowed)
    })
}
