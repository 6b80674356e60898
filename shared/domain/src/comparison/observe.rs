//! What is counted in each answer that is compared.

use std::collections::BTreeMap;

use statistics::{Counts, Observations};

use super::compared_pairs::{ComparedPairs, WindowSegment};
use crate::facts::OrdinalSet;
use crate::facts::StringId;
use crate::facts::families::Citations;
use crate::ordinal::BrandOrdinal;

/// The brands that count as the entity, and those that count as one.
#[derive(Debug, Clone, Copy)]
pub struct BrandsToCompare<'a> {
    pub own: &'a OrdinalSet<BrandOrdinal>,
    /// The brand as which another one counts.
    pub counted_as: &'a BTreeMap<BrandOrdinal, BrandOrdinal>,
}

impl BrandsToCompare<'_> {
    fn counted_as(&self, brand: BrandOrdinal) -> BrandOrdinal {
        *self.counted_as.get(&brand).unwrap_or(&brand)
    }
}

/// Counts one answer, and a mention if it mentions any of the brands: the visibility.
pub(super) fn mentions_any(brands: &OrdinalSet<BrandOrdinal>) -> impl Fn(&[BrandOrdinal]) -> Counts {
    |mentioned| Counts {
        count: u64::from(mentioned.iter().any(|brand| brands.contains(*brand))),
        total: 1,
    }
}

/// Counts the mentions of all brands, each once per answer, and the entity's among them: the share of voice.
pub(super) fn share_of_voice(brands: BrandsToCompare<'_>) -> impl Fn(&[BrandOrdinal]) -> Counts {
    move |mentioned| {
        let count = mentions_any(brands.own)(mentioned).count;
        let others = others(mentioned, brands).len();
        Counts {
            count,
            total: count + u64::try_from(others).unwrap_or(u64::MAX),
        }
    }
}

/// Counts the mentions of the entity and of one rival, and the entity's among them.
pub(super) fn head_to_head(
    brands: BrandsToCompare<'_>,
    rival: BrandOrdinal,
) -> impl Fn(&[BrandOrdinal]) -> Counts {
    let members = brands.counted_as.keys().copied().chain([rival]);
    let of_rival: OrdinalSet<BrandOrdinal> = members
        .filter(|brand| brands.counted_as(*brand) == rival && !brands.own.contains(*brand))
        .collect();
    move |mentioned| {
        let count = mentions_any(brands.own)(mentioned).count;
        Counts {
            count,
            total: count + mentions_any(&of_rival)(mentioned).count,
        }
    }
}

/// Returns the distinct brands besides the entity's that an answer mentions, each as the brand that it counts as.
pub(super) fn others(mentioned: &[BrandOrdinal], brands: BrandsToCompare<'_>) -> Vec<BrandOrdinal> {
    let others = mentioned.iter().filter(|brand| !brands.own.contains(**brand));
    let mut others: Vec<BrandOrdinal> = others.map(|brand| brands.counted_as(*brand)).collect();
    others.sort_unstable();
    others.dedup();
    others
}

impl ComparedPairs {
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
