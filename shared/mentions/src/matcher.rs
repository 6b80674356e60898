//! Searches an answer for all spellings of all brands.

use std::collections::BTreeMap;
use std::ops::Range;

use aho_corasick::AhoCorasick;

use crate::absence::AbsenceDetector;
use crate::fold::{BRAND_NAME, Folded};
use crate::mention::{Mention, Mentions, RejectedBrand, RejectionReason};
use crate::prose::Prose;
use crate::spelling::{BrandNames, Spelling, SpellingKind, spellings};
use crate::word_boundary::{Text, Usage, is_domain_at, name_usage_at};

/// The number of bytes of an answer that are searched. Models write much less.
const MAX_BYTES: usize = 4 << 20;

/// Finds the mentions of a set of brands. Create it once per set and use it for all answers.
pub struct Matcher {
    spellings: Vec<Spelling>,
    /// `None` if there is nothing to search for.
    automaton: Option<AhoCorasick>,
    absence: AbsenceDetector,
}

/// An occurrence of a spelling as complete words.
struct Occurrence {
    /// The range of folded bytes.
    range: Range<usize>,
    /// The index of the spelling.
    spelling: usize,
    usage: Usage,
}

/// The result for one spelling, or for one brand.
#[derive(Clone, Copy, Default)]
struct SpellingResult {
    /// The folded byte where the first occurrence that counts starts.
    first: Option<usize>,
    /// Why other occurrences do not count.
    reason: Option<RejectionReason>,
}

impl SpellingResult {
    /// Records why an occurrence does not count.
    fn reject(&mut self, reason: RejectionReason) {
        self.reason = Some(self.reason.map_or(reason, |known| known.min(reason)));
    }
}

impl Matcher {
    /// Prepares the names of `brands`. Entries with equal ordinals are one brand.
    pub fn new(brands: &[BrandNames]) -> Self {
        let spellings = spellings(brands);
        let texts = spellings.iter().map(|spelling| &spelling.text);
        // Building fails only for billions of states, which is far more text than a workspace can hold.
        let automaton = if spellings.is_empty() {
            None
        } else {
            AhoCorasick::new(texts).ok()
        };
        Self {
            spellings,
            automaton,
            absence: AbsenceDetector::new(),
        }
    }

    /// Finds the brands that `answer` (markdown) mentions.
    pub fn find(&self, answer: &str) -> Mentions {
        let Some(automaton) = &self.automaton else {
            return Mentions::default();
        };
        let answer = &answer[..answer.floor_char_boundary(MAX_BYTES)];
        let prose = Prose::parse(answer);
        let mut folded = Folded::of(&prose.text);
        let mut results = vec![SpellingResult::default(); self.spellings.len()];
        let text = Text {
            prose: &prose.text,
            folded: &folded,
        };
        let (names, common_words) = self.find_in_prose(automaton, text, &mut results);
        let names = remove_covered(names, &mut results);
        for occurrence in names.iter().chain(&common_words) {
            for flags in &mut folded.flags[occurrence.range.clone()] {
                *flags |= BRAND_NAME;
            }
        }
        let text = Text {
            prose: &prose.text,
            folded: &folded,
        };
        self.record_mentions(text, &names, &mut results);
        if !prose.links.is_empty() {
            let text = Text {
                prose: &prose.links,
                folded: &Folded::of(&prose.links),
            };
            for occurrence in self.occurrences(automaton, text) {
                if occurrence.usage == Usage::Name {
                    results[occurrence.spelling].reject(RejectionReason::LinkOnly);
                }
            }
        }
        self.merge_by_brand(&results, |first| prose.answer_offset(folded.source_offset(first)))
    }

    /// Returns the occurrences of names and those of common words in `text`, each ordered by their ends. Of those that
    /// end together, only the longest is kept, so that they need no more memory than the text. Rejects the others.
    fn find_in_prose(
        &self,
        automaton: &AhoCorasick,
        text: Text<'_>,
        results: &mut [SpellingResult],
    ) -> (Vec<Occurrence>, Vec<Occurrence>) {
        let (mut names, mut common_words) = (Vec::<Occurrence>::new(), Vec::<Occurrence>::new());
        for occurrence in self.occurrences(automaton, text) {
            let (longest, reason) = match occurrence.usage {
                Usage::Name => (&mut names, RejectionReason::LongerName),
                Usage::CommonWords => {
                    results[occurrence.spelling].reject(RejectionReason::CommonWord);
                    (&mut common_words, RejectionReason::CommonWord)
                }
            };
            let (start, end) = (occurrence.range.start, occurrence.range.end);
            while let Some(shorter) = longest.pop_if(|last| last.range.end == end && last.range.start > start)
            {
                results[shorter.spelling].reject(reason);
            }
            if longest
                .last()
                .is_some_and(|last| last.range.end == end && last.range.start < start)
            {
                results[occurrence.spelling].reject(reason);
            } else {
                longest.push(occurrence);
            }
        }
        (names, common_words)
    }

    /// Records for each of `names` whether it is a mention or its clause says that nothing was found.
    fn record_mentions(&self, text: Text<'_>, names: &[Occurrence], results: &mut [SpellingResult]) {
        // Several spellings can occur at one range, and reading a clause is slow.
        let mut last_range = 0..0;
        let mut is_absent = false;
        for occurrence in names {
            let result = &mut results[occurrence.spelling];
            if result.first.is_some() {
                continue;
            }
            if last_range != occurrence.range {
                last_range = occurrence.range.clone();
                is_absent = self
                    .absence
                    .says_nothing_found(text, last_range.start, last_range.end);
            }
            if is_absent {
                result.reject(RejectionReason::NothingFound);
            } else {
                result.first = Some(occurrence.range.start);
            }
        }
    }

    /// Returns all occurrences that are complete words, ordered by their ends.
    fn occurrences<'a>(
        &'a self,
        automaton: &'a AhoCorasick,
        text: Text<'a>,
    ) -> impl Iterator<Item = Occurrence> + 'a {
        automaton
            .find_overlapping_iter(&text.folded.text)
            .filter_map(move |found| {
                let spelling = found.pattern().as_usize();
                let range = found.range();
                let usage = match &self.spellings.get(spelling)?.kind {
                    SpellingKind::Name(name) => name_usage_at(text, range.start, range.end, name)?,
                    SpellingKind::Domain(domain) => {
                        is_domain_at(text, range.start, domain).then_some(Usage::Name)?
                    }
                };
                Some(Occurrence {
                    range,
                    spelling,
                    usage,
                })
            })
    }

    /// Merges the results of spellings into those of brands. `offset` maps a folded byte to its offset in the answer.
    fn merge_by_brand(&self, results: &[SpellingResult], offset: impl Fn(usize) -> usize) -> Mentions {
        let mut brands: BTreeMap<u32, SpellingResult> = BTreeMap::new();
        for (spelling, result) in self.spellings.iter().zip(results) {
            for &brand in &spelling.brands {
                let merged = brands.entry(brand).or_default();
                merged.first = merged.first.into_iter().chain(result.first).min();
                if let Some(reason) = result.reason {
                    merged.reject(reason);
                }
            }
        }
        let mut mentions = Mentions::default();
        for (brand, result) in brands {
            if let Some(first) = result.first {
                mentions.mentioned.push(Mention {
                    brand,
                    offset: offset(first),
                });
            } else if let Some(reason) = result.reason {
                mentions.rejected.push(RejectedBrand { brand, reason });
            }
        }
        mentions
            .mentioned
            .sort_by_key(|mention| (mention.offset, mention.brand));
        mentions
    }
}

/// Removes the occurrences that a longer name covers: `Acme Cloud` does not mention `Acme`. Keeps names that only overlap,
/// and names that have the same range. `names` is ordered by the ends.
fn remove_covered(names: Vec<Occurrence>, results: &mut [SpellingResult]) -> Vec<Occurrence> {
    let mut kept: Vec<Occurrence> = Vec::with_capacity(names.len());
    // Going backwards, this is the range that starts first, and of those the one that ends last.
    let mut cover = usize::MAX..usize::MAX;
    for occurrence in names.into_iter().rev() {
        if cover.start <= occurrence.range.start && cover != occurrence.range {
            results[occurrence.spelling].reject(RejectionReason::LongerName);
            continue;
        }
        cover = occurrence.range.clone();
        kept.push(occurrence);
    }
    kept.reverse();
    kept
}
