//! Finds which brands an answer mentions.

use std::collections::BTreeMap;
use std::ops::Range;

use aho_corasick::AhoCorasick;

use crate::absence::Absence;
use crate::fold::{Folded, NAMED};
use crate::mention::{Mention, Mentions, Reason, Rejected};
use crate::prose::Prose;
use crate::spelling::{BrandNames, Kind, Spelling, spellings};
use crate::word_boundary::{Standing, Text, domain_at, name_at};

/// The part of an answer that is read, in bytes: many times what a model writes.
const MOST_BYTES: usize = 4 << 20;

/// The brands of a check, prepared: built once and shared between answers.
pub struct Matcher {
    spellings: Vec<Spelling>,
    /// `None` where there is nothing to search for.
    automaton: Option<AhoCorasick>,
    absence: Absence,
}

/// A place where a spelling stands as complete words.
struct Place {
    /// In folded bytes.
    range: Range<usize>,
    /// The spelling's index.
    spelling: usize,
    standing: Standing,
}

/// What was found of one spelling.
#[derive(Clone, Copy, Default)]
struct Verdict {
    /// The folded byte where it first counts.
    first: Option<usize>,
    /// Why it does not count elsewhere.
    reason: Option<Reason>,
}

impl Verdict {
    fn reject(&mut self, reason: Reason) {
        self.reason = Some(self.reason.map_or(reason, |known| known.min(reason)));
    }
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
        let mut verdicts = vec![Verdict::default(); self.spellings.len()];
        let text = Text {
            prose: &prose.text,
            folded: &folded,
        };
        let (names, words) = self.longest_by_end(automaton, text, &mut verdicts);
        let names = longest(names, &mut verdicts);
        for place in names.iter().chain(&words) {
            for flags in &mut folded.flags[place.range.clone()] {
                *flags |= NAMED;
            }
        }
        let text = Text {
            prose: &prose.text,
            folded: &folded,
        };
        self.judge(text, &names, &mut verdicts);
        if !prose.links.is_empty() {
            let text = Text {
                prose: &prose.links,
                folded: &Folded::of(&prose.links),
            };
            for place in self.places(automaton, text) {
                if place.standing == Standing::Name {
                    verdicts[place.spelling].reject(Reason::LinkOnly);
                }
            }
        }
        self.sum_up(&verdicts, |first| prose.offset(folded.source(first)))
    }

    /// The places of names in `text`, and those of common words, by their ends; of those that end together only
    /// the longest are kept, so that they take no more room than the text. The others are rejected here.
    fn longest_by_end(
        &self,
        automaton: &AhoCorasick,
        text: Text<'_>,
        verdicts: &mut [Verdict],
    ) -> (Vec<Place>, Vec<Place>) {
        let (mut names, mut words) = (Vec::<Place>::new(), Vec::<Place>::new());
        for place in self.places(automaton, text) {
            let (longest, reason) = match place.standing {
                Standing::Name => (&mut names, Reason::LongerName),
                Standing::CommonWords => {
                    verdicts[place.spelling].reject(Reason::CommonWord);
                    (&mut words, Reason::CommonWord)
                }
            };
            let (start, end) = (place.range.start, place.range.end);
            while let Some(shorter) = longest.pop_if(|last| last.range.end == end && last.range.start > start)
            {
                verdicts[shorter.spelling].reject(reason);
            }
            if longest
                .last()
                .is_some_and(|last| last.range.end == end && last.range.start < start)
            {
                verdicts[place.spelling].reject(reason);
            } else {
                longest.push(place);
            }
        }
        (names, words)
    }

    /// Judges `names`, by their ends, that no other name in `text` covers.
    fn judge(&self, text: Text<'_>, names: &[Place], verdicts: &mut [Verdict]) {
        let mut absence = (0..0, false);
        for place in names {
            let verdict = &mut verdicts[place.spelling];
            if verdict.first.is_some() {
                continue;
            }
            if absence.0 != place.range {
                let said = self.absence.is_said(text, place.range.start, place.range.end);
                absence = (place.range.clone(), said);
            }
            if absence.1 {
                verdict.reject(Reason::NothingFound);
            } else {
                verdict.first = Some(place.range.start);
            }
        }
    }

    /// All places of complete words, by their ends.
    fn places<'a>(&'a self, automaton: &'a AhoCorasick, text: Text<'a>) -> impl Iterator<Item = Place> + 'a {
        automaton
            .find_overlapping_iter(&text.folded.text)
            .filter_map(move |found| {
                let spelling = found.pattern().as_usize();
                let range = found.range();
                let standing = match &self.spellings.get(spelling)?.kind {
                    Kind::Name(name) => name_at(text, range.start, range.end, name)?,
                    Kind::Domain(domain) => domain_at(text, range.start, domain).then_some(Standing::Name)?,
                };
                Some(Place {
                    range,
                    spelling,
                    standing,
                })
            })
    }

    /// The verdicts on spellings as verdicts on brands; `offset` leads from a folded byte to the answer.
    fn sum_up(&self, verdicts: &[Verdict], offset: impl Fn(usize) -> usize) -> Mentions {
        let mut brands: BTreeMap<u32, Verdict> = BTreeMap::new();
        for (spelling, verdict) in self.spellings.iter().zip(verdicts) {
            for &brand in &spelling.brands {
                let sum = brands.entry(brand).or_default();
                sum.first = sum.first.into_iter().chain(verdict.first).min();
                if let Some(reason) = verdict.reason {
                    sum.reject(reason);
                }
            }
        }
        let mut mentions = Mentions::default();
        for (brand, verdict) in brands {
            if let Some(first) = verdict.first {
                let at = offset(first);
                mentions.mentioned.push(Mention { brand, at });
            } else if let Some(reason) = verdict.reason {
                mentions.rejected.push(Rejected { brand, reason });
            }
        }
        mentions
            .mentioned
            .sort_by_key(|mention| (mention.at, mention.brand));
        mentions
    }
}

/// Those of `names`, by their ends, that no other covers: the longest name at a place wins, `Acme Cloud` is no
/// mention of `Acme`. Names that merely overlap both stand, and so do those of one range.
fn longest(names: Vec<Place>, verdicts: &mut [Verdict]) -> Vec<Place> {
    let mut longest: Vec<Place> = Vec::with_capacity(names.len());
    // From the last one on: the one that starts first, and of those the one that ends last.
    let mut cover = usize::MAX..usize::MAX;
    for place in names.into_iter().rev() {
        if cover.start <= place.range.start && cover != place.range {
            verdicts[place.spelling].reject(Reason::LongerName);
            continue;
        }
        cover = place.range.clone();
        longest.push(place);
    }
    longest.reverse();
    longest
}
