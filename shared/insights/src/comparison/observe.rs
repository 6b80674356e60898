//! What is counted in each answer that is compared.

use domain::ordinal::BrandOrdinal;
use domain::ordinal_set::OrdinalSet;
use facts::StringId;
use facts::families::Citations;
use facts::figures::CountedBrands;
use statistics::{Counts, Observations};

use super::compared_pairs::{ComparedPairs, WindowSegment};

/// Counts one answer, and a mention if it mentions any of the brands: the visibility.
pub(super) fn mentions_any(brands: &OrdinalSet<BrandOrdinal>) -> impl Fn(&[BrandOrdinal]) -> Counts {
    |mentioned| Counts {
        count: u64::from(brands.contains_any(mentioned)),
        total: 1,
    }
}

/// Counts the mentions of all brands, each once per answer, and the entity's among them: the share of voice.
pub(super) fn share_of_voice(brands: CountedBrands<'_>) -> impl FnMut(&[BrandOrdinal]) -> Counts {
    let mut spare = Vec::new();
    move |mentioned| {
        let mentions = brands.count_mentions(mentioned, &mut spare);
        Counts {
            count: mentions.entity,
            total: mentions.total(),
        }
    }
}

/// Counts the mentions of the entity and of one rival, and the entity's among them.
pub(super) fn head_to_head(
    brands: CountedBrands<'_>,
    rival: BrandOrdinal,
) -> impl Fn(&[BrandOrdinal]) -> Counts {
    let members = brands.counted_as.keys().copied().chain([rival]);
    let of_rival: OrdinalSet<BrandOrdinal> = members
        .filter(|brand| brands.counts_as(*brand) == rival && !brands.own.contains(*brand))
        .collect();
    move |mentioned| {
        let count = u64::from(brands.mentions_entity(mentioned));
        Counts {
            count,
            total: count + mentions_any(&of_rival)(mentioned).count,
        }
    }
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
