//! As which brand each mentioned brand counts.

use std::collections::BTreeMap;

use domain::number::to_u64;
use domain::ordinal::BrandOrdinal;
use domain::ordinal_set::OrdinalSet;

/// The brands that count as the entity, and those that count as another brand.
#[derive(Debug, Clone, Copy)]
pub struct CountedBrands<'a> {
    /// The entity's own brand and the other members of its group.
    pub own: &'a OrdinalSet<BrandOrdinal>,
    /// The brand as which another one counts. A brand that is not here counts as itself.
    pub counted_as: &'a BTreeMap<BrandOrdinal, BrandOrdinal>,
}

impl CountedBrands<'_> {
    /// Returns the brand as which a brand counts.
    pub fn counts_as(&self, brand: BrandOrdinal) -> BrandOrdinal {
        *self.counted_as.get(&brand).unwrap_or(&brand)
    }

    /// Reports whether an answer mentions the entity. `mentioned` has the brands that the answer mentions.
    pub fn mentions_entity(&self, mentioned: &[BrandOrdinal]) -> bool {
        self.own.contains_any(mentioned)
    }

    /// Collects the brands besides the entity's that an answer mentions, each once and as the brand that it
    /// counts as.
    ///
    /// `mentioned` has the brands that the answer mentions, each once. `others` is emptied first, so that one
    /// list serves many answers.
    pub fn collect_others(&self, mentioned: &[BrandOrdinal], others: &mut Vec<BrandOrdinal>) {
        others.clear();
        others.extend(mentioned.iter().filter(|brand| !self.own.contains(**brand)));
        if !self.counted_as.is_empty() {
            for brand in others.iter_mut() {
                *brand = self.counts_as(*brand);
            }
            others.sort_unstable();
            others.dedup();
        }
    }

    /// Counts what [`mentions_entity`](Self::mentions_entity) and [`collect_others`](Self::collect_others)
    /// find. `spare` is a list for the use of the latter.
    pub fn count_mentions(&self, mentioned: &[BrandOrdinal], spare: &mut Vec<BrandOrdinal>) -> MentionCounts {
        if self.counted_as.is_empty() {
            let own = self.own.count_contained(mentioned);
            return MentionCounts::new(own > 0, mentioned.len() - own);
        }
        self.collect_others(mentioned, spare);
        MentionCounts::new(self.mentions_entity(mentioned), spare.len())
    }
}

/// How many brands an answer mentions, each once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MentionCounts {
    /// 1 if the answer mentions the entity, else 0.
    pub entity: u64,
    /// The number of brands besides the entity's.
    pub others: u64,
}

impl MentionCounts {
    fn new(mentions_entity: bool, others: usize) -> Self {
        Self {
            entity: u64::from(mentions_entity),
            others: to_u64(others),
        }
    }

    /// Returns the number of all brands together.
    pub fn total(&self) -> u64 {
        self.entity.saturating_add(self.others)
    }
}
