//! The number of mentions of each brand.

use std::collections::BTreeMap;

use domain::ordinal::BrandOrdinal;

use super::counted_brands::CountedBrands;
use crate::codec::Selection;
use crate::families::Visibility;

/// The number of answered responses that mention each brand. A response counts once per brand.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BrandMentions {
    /// The responses that mention any of the entity's brands.
    pub own: u64,
    /// The responses that mention each other brand, by its ordinal. Merged brands have the ordinal of one of
    /// them.
    pub others: BTreeMap<BrandOrdinal, u64>,
}

impl BrandMentions {
    /// Returns the mentions of all brands.
    pub fn total(&self) -> u64 {
        self.own + self.others.values().sum::<u64>()
    }
}

/// Counts the mentions in the selected responses of some segments.
pub fn brand_mentions<'a>(
    segments: impl Iterator<Item = (&'a Visibility, &'a Selection)>,
    brands: CountedBrands<'_>,
) -> BrandMentions {
    let mut mentions = BrandMentions::default();
    let mut others: Vec<BrandOrdinal> = Vec::new();
    for (segment, selection) in segments {
        for (mentioned, count) in segment.answer_counts(selection) {
            if brands.mentions_entity(mentioned) {
                mentions.own += count;
            }
            brands.collect_others(mentioned, &mut others);
            for brand in &others {
                *mentions.others.entry(*brand).or_default() += count;
            }
        }
    }
    mentions
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::collection::{btree_map, vec};
    use proptest::prelude::*;

    use super::*;
    use crate::test_data;

    proptest! {
        #[test]
        fn mentions_by_brand_equal_a_scan_of_the_responses(
            checks in vec(test_data::cells(), 0..4), own in test_data::ordinals(), selection in test_data::selection(),
            counted_as in btree_map((0u32..8).prop_map(BrandOrdinal::new), (0u32..8).prop_map(BrandOrdinal::new), 0..4),
        ) {
            let segments: Vec<Visibility> = checks.into_iter().map(Visibility::new).collect();
            let mut expected = BrandMentions::default();
            for cell in test_data::answered(&segments, &selection) {
                expected.own += u64::from(cell.brands.iter().any(|brand| own.contains(*brand)));
                let mut counted = BTreeSet::new();
                for brand in cell.brands.iter().filter(|brand| !own.contains(**brand)) {
                    let row = *counted_as.get(brand).unwrap_or(brand);
                    if counted.insert(row) {
                        *expected.others.entry(row).or_default() += 1;
                    }
                }
            }
            let asked = segments.iter().map(|segment| (segment, &selection));
            let brands = CountedBrands { own: &own, counted_as: &counted_as };
            prop_assert_eq!(brand_mentions(asked, brands), expected);
        }
    }
}
