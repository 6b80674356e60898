//! The answers that are compared, and what they mention.

use std::cell::Cell;
use std::collections::BTreeMap;

use domain::metrics::Share;
use domain::ordinal::BrandOrdinal;
use facts::families::Visibility;
use facts::figures::{CountedBrands, VisibilityFilter, visibility_share};
use statistics::{Counts, Observations, Side};
use uuid::Uuid;

use super::compared_pairs::{ComparedPairs, WindowSegment};
use super::compared_ranges::ComparedRanges;
use super::pair_outcomes::PairOutcomes;
use super::reported_versions::ReportedVersions;

/// The answers of all pairs that are compared.
#[derive(Debug)]
pub struct ComparedAnswers<'a> {
    pairs: ComparedPairs,
    pub(super) brands: CountedBrands<'a>,
    segments: &'a [WindowSegment<'a, Visibility>],
    /// The outcomes of the answers of each segment.
    outcomes: Vec<PairOutcomes>,
}

impl<'a> ComparedAnswers<'a> {
    /// Finds the pairs that have answers in both windows. `entities` has the UUIDs of each entity's models by
    /// their ordinals.
    pub fn new(
        ranges: ComparedRanges,
        entities: &[&[Uuid]],
        segments: &'a [WindowSegment<'a, Visibility>],
        brands: CountedBrands<'a>,
    ) -> Self {
        let (pairs, outcomes) = ComparedPairs::find(ranges, entities, segments);
        Self {
            pairs,
            brands,
            segments,
            outcomes,
        }
    }

    /// Returns the pairs.
    pub fn pairs(&self) -> &ComparedPairs {
        &self.pairs
    }

    /// Returns the pairs, which have no part in the segments.
    pub fn into_pairs(self) -> ComparedPairs {
        self.pairs
    }

    /// Returns the visibility in all answers of the base and of the window, compared or not.
    pub fn totals(&self) -> [Share; 2] {
        Side::BOTH.map(|side| {
            let of_side = self.segments.iter().filter(|of| of.side == side);
            let shares = of_side.map(|of| {
                let filter = VisibilityFilter {
                    brands: self.brands.own,
                    selection: of.selection,
                };
                visibility_share(of.segment, filter)
            });
            shares.sum()
        })
    }

    /// Collects what `measure` gives for the brands that each answer mentions. Equal answers of a check are
    /// measured once.
    pub(super) fn observe(&self, mut measure: impl FnMut(&[BrandOrdinal]) -> Counts) -> Observations {
        let mut observations = self.pairs.no_observations();
        if self.pairs.compared_prompts.is_empty() {
            return observations;
        }
        let mut measured: Vec<Counts> = Vec::new();
        for (of, outcomes) in self.segments.iter().zip(&self.outcomes) {
            measured.clear();
            measured.extend(of.segment.mentioned_brands().map(&mut measure));
            let counts = outcomes.look_up(&measured, &self.pairs.is_compared);
            let mut day = observations.day(of.side, self.pairs.day_number(of));
            day.add_all(
                outcomes.first_prompt,
                counts.map(|counts| counts.copied().unwrap_or_default()), // A pair left out counts nothing.
            );
        }
        observations
    }

    /// Returns the number of answers that mention each brand besides the entity's, as the brand that it
    /// counts as.
    pub(super) fn mentions_of_others(&self) -> BTreeMap<BrandOrdinal, u64> {
        let mut mentions: BTreeMap<BrandOrdinal, u64> = BTreeMap::new();
        let mut others: Vec<BrandOrdinal> = Vec::new();
        for (of, outcomes) in self.segments.iter().zip(&self.outcomes) {
            let of_outcomes: Vec<(&[BrandOrdinal], Cell<u64>)> = of
                .segment
                .mentioned_brands()
                .map(|brands| (brands, Cell::new(0)))
                .collect();
            let answers = outcomes.look_up(&of_outcomes, &self.pairs.is_compared);
            answers
                .flatten()
                .for_each(|(_, count)| count.update(|count| count + 1));
            for (mentioned, count) in of_outcomes.iter().filter(|(_, count)| count.get() > 0) {
                self.brands.collect_others(mentioned, &mut others);
                for brand in &others {
                    *mentions.entry(*brand).or_default() += count.get();
                }
            }
        }
        mentions
    }

    /// Returns the versions of each model, by the model's number.
    pub(super) fn model_versions(&self) -> BTreeMap<u32, ReportedVersions<'a>> {
        let mut versions: BTreeMap<u32, ReportedVersions<'a>> = BTreeMap::new();
        let mut previous: BTreeMap<u32, &str> = BTreeMap::new();
        for of in self.segments.iter().filter(|of| of.segment.has_model_versions()) {
            previous.clear();
            self.pairs.visit_answers(of, |prompt, model, answer| {
                if self.pairs.is_compared(prompt, model)
                    && let Some(version) = of.segment.model_version(answer.row)
                    && previous.insert(model, version) != Some(version)
                {
                    versions.entry(model).or_default().add(of.side, of.day, version);
                }
            });
        }
        versions
    }
}
