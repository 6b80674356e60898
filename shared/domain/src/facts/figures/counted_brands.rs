//! As which brand each mentioned brand counts.

use std::collections::BTreeMap;

use crate::facts::codec::OrdinalSet;
use crate::ordinal::BrandOrdinal;

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
    pub fn counted_as(&self, brand: BrandOrdinal) -> BrandOrdinal {
        *self.counted_as.get(&brand).unwrap_or(&brand)
    }

    /// Reports whether an answer mentions the entity. `mentioned` has the brands that the answer mentions.
    pub fn has_own(&self, mentioned: &[BrandOrdinal]) -> bool {
        mentioned.iter().any(|brand| self.own.contains(*brand))
    }

    /// Collects the brands besides the entity's that an answer mentions, each once and as the brand that it counts as.
    ///
    /// `mentioned` has the brands that the answer mentions, each once. `others` is emptied first, so that one list serves many answers.
    pub fn collect_others(&self, mentioned: &[BrandOrdinal], others: &mut Vec<BrandOrdinal>) {
        others.clear();
        others.extend(mentioned.iter().filter(|brand| !self.own.contains(**brand)));
        if !self.counted_as.is_empty() {
            for brand in others.iter_mut() {
                *brand = self.counted_as(*brand);
            }
            others.sort_unstable();
            others.dedup();
        }
    }

    /// Returns the number of brands that [`collect_others`](Self::collect_others) finds. `spare` is a list for its use.
    pub fn count_others(&self, mentioned: &[BrandOrdinal], spare: &mut Vec<BrandOrdinal>) -> u64 {
        let count = if self.counted_as.is_empty() {
            let others = mentioned.iter().filter(|brand| !self.own.contains(**brand));
            others.count()
        } else {
            self.collect_others(mentioned, spare);
            spare.len()
        };
        u64::try_from(count).unwrap_or(u64::MAX)
    }
}
