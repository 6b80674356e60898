//! What is counted in each answer that is compared.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use statistics::{Counts, Observations};

use super::compared_pairs::{ComparedPairs, WindowSegment};
use crate::facts::OrdinalSet;
use crate::facts::StringId;
use crate::facts::families::{Citations, Visibility};
use crate::ordinal::BrandOrdinal;

/// The brands that count as the entity, and those that count as one.
#[derive(Debug, Clone, Copy)]
pub struct BrandsToCompare<'a> {
    pub own: &'a OrdinalSet<BrandOrdinal>,
    /// The brand as which another one counts.
    pub counted_as: &'a BTreeMap<BrandOrdinal, BrandOrdinal>,
}

/// Counts one answer, and a mention if it mentions any of the brands: the visibility.
pub(super) fn mentions_any(brands: &OrdinalSet<BrandOrdinal>) -> impl Fn(&[BrandOrdinal]) -> Counts {
    |mentioned| Counts {
        count: u64::from(mentioned.iter().any(|brand| brands.contains(*brand))),
        total: 1,
    }
}

/// Counts the mentions of all brands, each once per answer, and the entity's among them: the share of voice.
///
/// `counted_as` maps a brand to the brand that it counts as.
pub(super) fn share_of_voice(
    own: &OrdinalSet<BrandOrdinal>,
    counted_as: &BTreeMap<BrandOrdinal, BrandOrdinal>,
) -> impl Fn(&[BrandOrdinal]) -> Counts {
    move |mentioned| {
        let count = mentions_any(own)(mentioned).count;
        let others = others(mentioned, own, counted_as).len();
        Counts {
            count,
            total: count + u64::try_from(others).unwrap_or(u64::MAX),
        }
    }
}

/// Counts the mentions of the entity and of one rival, and the entity's among them.
pub(super) fn head_to_head(
    own: &OrdinalSet<BrandOrdinal>,
    rival: BrandOrdinal,
    counted_as: &BTreeMap<BrandOrdinal, BrandOrdinal>,
) -> impl Fn(&[BrandOrdinal]) -> Counts {
    move |mentioned| {
        let count = mentions_any(own)(mentioned).count;
        let mut others = mentioned.iter().filter(|brand| !own.contains(**brand));
        let is_mentioned = others.any(|brand| *counted_as.get(brand).unwrap_or(brand) == rival);
        Counts {
            count,
            total: count + u64::from(is_mentioned),
        }
    }
}

/// Returns the brands besides the entity's that an answer mentions, each as the brand that it counts as.
pub(super) fn others(
    mentioned: &[BrandOrdinal],
    own: &OrdinalSet<BrandOrdinal>,
    counted_as: &BTreeMap<BrandOrdinal, BrandOrdinal>,
) -> BTreeSet<BrandOrdinal> {
    let others = mentioned.iter().filter(|brand| !own.contains(**brand));
    others
        .map(|brand| *counted_as.get(brand).unwrap_or(brand))
        .collect()
}

/// Returns the rivals that the compared answers mention, the most mentioned first.
pub(super) fn most_mentioned(
    pairs: &ComparedPairs,
    segments: &[WindowSegment<'_, Visibility>],
    own: &OrdinalSet<BrandOrdinal>,
    counted_as: &BTreeMap<BrandOrdinal, BrandOrdinal>,
) -> Vec<BrandOrdinal> {
    let mut mentions: BTreeMap<BrandOrdinal, u64> = BTreeMap::new();
    for of in segments {
        for (_, answer) in pairs.compared_answers(of) {
            for brand in others(answer.brands, own, counted_as) {
                *mentions.entry(brand).or_default() += 1;
            }
        }
    }
    let mut rivals: Vec<(BrandOrdinal, u64)> = mentions.into_iter().collect();
    rivals.sort_by_key(|(brand, mentions)| (Reverse(*mentions), *brand));
    rivals.into_iter().map(|(brand, _)| brand).collect()
}

impl ComparedPairs {
    /// Counts in the compared answers what `measure` gives for the mentioned brands.
    pub fn observe_answers(
        &self,
        segments: &[WindowSegment<'_, Visibility>],
        measure: impl Fn(&[BrandOrdinal]) -> Counts,
    ) -> Observations {
        self.observations(segments, |of| of.segment.measure_answers(of.selection, &measure))
    }

    /// Counts all citations of the compared answers, and those of the entity's own domains among them.
    pub fn observe_citations(
        &self,
        segments: &[WindowSegment<'_, Citations>],
        is_own: impl Fn(StringId) -> bool,
    ) -> Observations {
        self.observations(segments, |of| {
            let responses = of.segment.count_by_response(of.selection, &is_own);
            responses.into_iter().map(|(cell, citations)| {
                let counts = Counts {
                    count: citations.wanted,
                    total: citations.all,
                };
                (cell, counts)
            })
        })
    }
}
