//! Searches an answer for all spellings of all brands.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use aho_corasick::AhoCorasick;

use crate::absence::says_nothing_found;
use crate::evidence::Evidence;
use crate::fold::{BRAND_NAME, Folded, MAYBE_BRAND_NAME};
use crate::language::{Language, detect};
use crate::mention::{Mention, Mentions, RejectedBrand, RejectionReason};
use crate::prose::Prose;
use crate::script::is_all_lowercase;
use crate::slot::Slots;
use crate::spelling::{BrandNames, Spelling, SpellingKind, spellings};
use crate::text::Text;
use crate::training::NameFeatures;
use crate::usage::{Usage, usage_at};
use crate::word_boundary::{complete_words_at, is_domain_at};

/// The number of bytes of an answer that are searched. Models write much less.
const MAX_BYTES: usize = 4 << 20;

/// The number of occurrences of common words in an answer that are weighed. The others are no names, so that
/// a hostile answer takes little time.
const MAX_WEIGHED: usize = 500;

/// The number of characters after a name in which a question mark is looked for.
const MAX_QUESTION_CHARS: usize = 120;

/// Finds the mentions of a set of brands. Create it once per set and use it for all answers.
pub struct Matcher {
    spellings: Vec<Spelling>,
    /// `None` if there is nothing to search for.
    automaton: Option<AhoCorasick>,
}

#[derive(Default)]
struct Found {
    language: Language,
    /// The prose, folded, with the flag `BRAND_NAME` on the names.
    folded: Folded,
    slots: Slots,
    /// The occurrences that are names, ordered by their ends.
    names: Vec<Occurrence>,
    /// Those that are names if the answer shows it.
    unproven: Vec<Occurrence>,
    /// Those that are common words.
    common_words: Vec<Occurrence>,
    /// The brands that the answer shows otherwise: by their domain, or by an occurrence that can only be the
    /// name.
    certain_brands: BTreeSet<u32>,
}

impl Found {
    fn text<'a>(&'a self, prose: &'a Prose) -> Text<'a> {
        Text {
            prose: &prose.text,
            folded: &self.folded,
            spans: &prose.spans,
            slots: &self.slots,
            language: self.language,
        }
    }

    /// Returns whether a certain name contains the folded bytes `range`.
    fn covers(&self, range: &Range<usize>) -> bool {
        let next = self.names.partition_point(|name| name.range.end < range.end);
        self.names
            .get(next)
            .is_some_and(|name| name.range.start <= range.start)
    }
}

/// An occurrence of a spelling as complete words.
#[derive(Clone)]
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
    /// The folded byte where the first occurrence starts that only names the brand, in a question. It counts
    /// unless the answer says that nothing was found.
    first_in_question: Option<usize>,
    /// Why other occurrences do not count.
    reason: Option<RejectionReason>,
}

impl SpellingResult {
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
        Self { spellings, automaton }
    }

    /// Finds the brands that `answer` (markdown) mentions.
    pub fn find(&self, answer: &str) -> Mentions {
        let Some(automaton) = &self.automaton else {
            return Mentions::default();
        };
        let prose = Prose::parse(&answer[..answer.floor_char_boundary(MAX_BYTES)]);
        let mut results = vec![SpellingResult::default(); self.spellings.len()];
        let found = self.find_names(automaton, &prose, &mut results);
        self.record_mentions(found.text(&prose), &found.names, &mut results);
        self.merge_by_brand(&results, |first| {
            prose.answer_offset(found.folded.source_offset(first))
        })
    }

    /// Returns the brands that `text` (markdown) names, also where it says that nothing was found about them.
    pub fn named_brands(&self, text: &str) -> BTreeSet<u32> {
        let Some(automaton) = &self.automaton else {
            return BTreeSet::new();
        };
        let prose = Prose::parse(&text[..text.floor_char_boundary(MAX_BYTES)]);
        let mut results = vec![SpellingResult::default(); self.spellings.len()];
        let names = self.find_names(automaton, &prose, &mut results).names;
        let brands = names
            .iter()
            .flat_map(|name| &self.spellings[name.spelling].brands);
        brands.copied().collect()
    }

    /// Finds the occurrences that are names, and marks them. Rejects what is no name.
    fn find_names(&self, automaton: &AhoCorasick, prose: &Prose, results: &mut [SpellingResult]) -> Found {
        let mut found = self.search(automaton, prose, detect(&prose.text), results);
        let proven = self.prove(&found, prose, results);
        mark(&mut found.folded, &proven, BRAND_NAME);
        mark(&mut found.folded, &found.common_words, BRAND_NAME);
        found.names.extend(proven);
        found.names.sort_by_key(|name| (name.range.end, name.range.start));
        found
    }

    /// Searches `prose` and its links for all spellings, and marks the certain names. Rejects what is no
    /// name.
    fn search(
        &self,
        automaton: &AhoCorasick,
        prose: &Prose,
        language: Language,
        results: &mut [SpellingResult],
    ) -> Found {
        let mut found = Found {
            language,
            folded: Folded::of(&prose.text),
            ..Found::default()
        };
        found.certain_brands = self.find_in_links(automaton, prose, found.language, results);
        let (names, unproven, common_words) = self.find_in_prose(automaton, found.text(prose), results);
        found.names = remove_covered(names, results);
        mark(&mut found.folded, &found.names, BRAND_NAME);
        let brands = found
            .names
            .iter()
            .flat_map(|name| &self.spellings[name.spelling].brands);
        found.certain_brands.extend(brands);
        mark(&mut found.folded, &unproven, MAYBE_BRAND_NAME);
        (found.unproven, found.common_words) = (unproven, common_words);
        found
    }

    /// Returns what the decisions about each name in `answer` are made of, for those who learn the weights.
    /// The language is an ISO 639-1 code; a short text does not show it.
    pub fn features(&self, answer: &str, language: &str) -> Vec<NameFeatures> {
        let Some(automaton) = &self.automaton else {
            return Vec::new();
        };
        let prose = Prose::parse(answer);
        let mut results = vec![SpellingResult::default(); self.spellings.len()];
        let language = Language::of_code(language).unwrap_or_else(|| detect(&prose.text));
        let mut found = self.search(automaton, &prose, language, &mut results);
        let unproven = found
            .unproven
            .iter()
            .filter(|occurrence| !found.covers(&occurrence.range));
        let mut features: Vec<NameFeatures> = unproven
            .map(|occurrence| NameFeatures {
                brands: self.spellings[occurrence.spelling].brands.clone(),
                name: Some(evidence(&found, &prose, occurrence).features()),
                absence: None,
            })
            .collect();
        mark(&mut found.folded, &found.unproven, BRAND_NAME);
        mark(&mut found.folded, &found.common_words, BRAND_NAME);
        let text = found.text(&prose);
        features.extend(found.names.iter().map(|name| NameFeatures {
            brands: self.spellings[name.spelling].brands.clone(),
            name: None,
            absence: crate::absence::features_of_name(text, name.range.start, name.range.end),
        }));
        features
    }

    /// Records which spellings occur in links. Returns the brands whose domain does.
    fn find_in_links(
        &self,
        automaton: &AhoCorasick,
        prose: &Prose,
        language: Language,
        results: &mut [SpellingResult],
    ) -> BTreeSet<u32> {
        let mut linked = BTreeSet::new();
        if prose.links.is_empty() {
            return linked;
        }
        let text = Text {
            prose: &prose.links,
            folded: &Folded::of(&prose.links),
            spans: &[],
            slots: &Slots::default(),
            language,
        };
        for occurrence in self.occurrences(automaton, text) {
            if occurrence.usage != Usage::CommonWords {
                results[occurrence.spelling].reject(RejectionReason::LinkOnly);
            }
            let spelling = &self.spellings[occurrence.spelling];
            if matches!(spelling.kind, SpellingKind::Domain(_)) {
                linked.extend(&spelling.brands);
            }
        }
        linked
    }

    /// Returns those of the unproven occurrences that something in the answer shows to be names. Rejects the
    /// others.
    fn prove(&self, found: &Found, prose: &Prose, results: &mut [SpellingResult]) -> Vec<Occurrence> {
        let (mut proven, mut last): (Vec<Occurrence>, Option<(Range<usize>, bool)>) = (Vec::new(), None);
        // An answer that has shown a brand means it by the same words later.
        let mut shown_brands = found.certain_brands.clone();
        let mut weighed = 0;
        for occurrence in &found.unproven {
            let brands = &self.spellings[occurrence.spelling].brands;
            if found.covers(&occurrence.range) {
                results[occurrence.spelling].reject(RejectionReason::LongerName);
                continue;
            }
            // Several spellings can occur at one range.
            let known = last
                .as_ref()
                .filter(|(range, _)| *range == occurrence.range)
                .map(|(_, is_name)| *is_name);
            // In small letters, the words may be meant all the same.
            let is_shown = brands.iter().any(|brand| shown_brands.contains(brand))
                && !self.is_in_small_letters(found.text(prose), occurrence);
            let is_name = is_shown
                || known.unwrap_or_else(|| {
                    weighed += 1;
                    weighed <= MAX_WEIGHED && evidence(found, prose, occurrence).shows_name()
                });
            last = Some((occurrence.range.clone(), is_name));
            if is_name {
                shown_brands.extend(brands);
                proven.push(occurrence.clone());
            } else {
                results[occurrence.spelling].reject(RejectionReason::CommonWord);
            }
        }
        proven
    }

    /// Returns whether an occurrence is in small letters, although the name has a capital.
    fn is_in_small_letters(&self, text: Text<'_>, occurrence: &Occurrence) -> bool {
        let has_capital = match &self.spellings[occurrence.spelling].kind {
            SpellingKind::Name(name) => name.written.contains(char::is_uppercase),
            SpellingKind::Domain(_) => false,
        };
        has_capital && is_all_lowercase(text.prose_of(occurrence.range.clone()))
    }

    /// Returns the occurrences in `text` that are names, those that are names if the answer shows it, and
    /// those that are common words, each ordered by their ends. Of those that end together, only the longest
    /// is kept, so that they need no more memory than the text. Rejects the others.
    fn find_in_prose(
        &self,
        automaton: &AhoCorasick,
        text: Text<'_>,
        results: &mut [SpellingResult],
    ) -> (Vec<Occurrence>, Vec<Occurrence>, Vec<Occurrence>) {
        let (mut names, mut unproven, mut common_words) = (Vec::new(), Vec::new(), Vec::new());
        for occurrence in self.occurrences(automaton, text) {
            let (longest, reason): (&mut Vec<Occurrence>, _) = match occurrence.usage {
                Usage::Name => (&mut names, RejectionReason::LongerName),
                Usage::Unproven => (&mut unproven, RejectionReason::CommonWord),
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
        names.sort_by_key(|name| name.range.end);
        unproven.sort_by_key(|name| name.range.end);
        (names, unproven, common_words)
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
                is_absent = says_nothing_found(text, last_range.start, last_range.end);
            }
            if is_absent {
                result.reject(RejectionReason::NothingFound);
            } else if is_in_question(text, &occurrence.range) {
                result.first_in_question.get_or_insert(occurrence.range.start);
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
                let (start, mut end) = (found.start(), found.end());
                let usage = match &self.spellings.get(spelling)?.kind {
                    SpellingKind::Name(name) => {
                        end = complete_words_at(text, start, end, name)?;
                        usage_at(text, start..found.end(), end, name)
                    }
                    SpellingKind::Domain(domain) => {
                        is_domain_at(text, start, domain).then_some(Usage::Name)?
                    }
                };
                let range = start..end;
                Some(Occurrence {
                    range,
                    spelling,
                    usage,
                })
            })
    }

    /// Merges the results of spellings into those of brands. `offset` maps a folded byte to its offset in the
    /// answer.
    fn merge_by_brand(&self, results: &[SpellingResult], offset: impl Fn(usize) -> usize) -> Mentions {
        let mut brands: BTreeMap<u32, SpellingResult> = BTreeMap::new();
        for (spelling, result) in self.spellings.iter().zip(results) {
            for &brand in &spelling.brands {
                let merged = brands.entry(brand).or_default();
                let min = |a: Option<usize>, b: Option<usize>| a.into_iter().chain(b).min();
                merged.first = min(merged.first, result.first);
                merged.first_in_question = min(merged.first_in_question, result.first_in_question);
                if let Some(reason) = result.reason {
                    merged.reject(reason);
                }
            }
        }
        let mut mentions = Mentions::default();
        for (brand, result) in brands {
            let is_denied = result.first.is_none() && result.reason == Some(RejectionReason::NothingFound);
            let asked = result.first_in_question.filter(|_| !is_denied);
            if let Some(first) = result.first.into_iter().chain(asked).min() {
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

fn evidence<'a>(found: &'a Found, prose: &'a Prose, occurrence: &Occurrence) -> Evidence<'a> {
    Evidence::collect(found.text(prose), occurrence.range.clone())
}

fn is_in_question(text: Text<'_>, range: &Range<usize>) -> bool {
    let rest = &text.folded.text[range.end..];
    let end = rest.char_indices().take(MAX_QUESTION_CHARS).find(|&(i, c)| {
        matches!(c, '\n' | '!' | '?' | '؟' | '。' | '।')
            || (c == '.' && text.folded.is_final_dot(range.end + i))
    });
    end.is_some_and(|(_, c)| matches!(c, '?' | '؟'))
}

fn mark(folded: &mut Folded, names: &[Occurrence], flag: u8) {
    for name in names {
        for flags in &mut folded.flags[name.range.clone()] {
            *flags |= flag;
        }
    }
}

/// Removes the occurrences that a longer name covers: `Acme Cloud` does not mention `Acme`. Keeps names that
/// only overlap, and names that have the same range. `names` is ordered by the ends.
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
