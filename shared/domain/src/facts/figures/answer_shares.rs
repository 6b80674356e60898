//! The visibility and the share of voice of an entity, counted together.

use std::collections::BTreeMap;

use super::visibility_trend::VisibilityFilter;
use crate::facts::families::Visibility;
use crate::metrics::Share;
use crate::ordinal::BrandOrdinal;

/// The shares of an entity in some answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AnswerShares {
    /// The answers, and how many of them mention the entity.
    pub visibility: Share,
    /// The mentions of all brands, each once per answer, and those of the entity among them.
    pub voice: Share,
}

/// Counts the shares in the selected answers of a segment. Each outcome is looked at once for both of them.
///
/// `counted_as` maps a brand to the brand that it counts as.
pub fn answer_shares(
    segment: &Visibility,
    filter: VisibilityFilter<'_>,
    counted_as: &BTreeMap<BrandOrdinal, BrandOrdinal>,
) -> AnswerShares {
    let mut shares = AnswerShares::default();
    let mut others: Vec<BrandOrdinal> = Vec::new();
    for (mentioned, count) in segment.answer_counts(filter.selection) {
        let rivals = mentioned.iter().filter(|brand| !filter.brands.contains(**brand));
        let (rivals, is_mentioned) = if counted_as.is_empty() {
            let rivals = rivals.count();
            (rivals, rivals < mentioned.len())
        } else {
            others.clear();
            others.extend(rivals);
            let is_mentioned = others.len() < mentioned.len();
            for brand in &mut others {
                *brand = *counted_as.get(brand).unwrap_or(brand);
            }
            others.sort_unstable();
            others.dedup();
            (others.len(), is_mentioned)
        };
        let own = if is_mentioned { count } else { 0 };
        shares.visibility.add(Share {
            mentions: own,
            responses: count,
        });
        shares.voice.add(Share {
            mentions: own,
            responses: own + count * u64::try_from(rivals).unwrap_or(u64::MAX),
        });
    }
    shares
}

#[cfg(test)]
mod tests {
    use proptest::collection::btree_map;
    use proptest::prelude::*;

    use super::*;
    use crate::facts::figures::{brand_mentions, visibility_share};
    use crate::facts::test_data;

    proptest! {
        #[test]
        fn both_shares_are_those_that_are_counted_alone(
            cells in test_data::cells(), own in test_data::ordinals(), selection in test_data::selection(),
            counted_as in btree_map((0u32..8).prop_map(BrandOrdinal::new), (0u32..8).prop_map(BrandOrdinal::new), 0..4),
        ) {
            let segment = Visibility::new(cells);
            let filter = VisibilityFilter { brands: &own, selection: &selection };
            let mentions = brand_mentions(std::iter::once((&segment, &selection)), &own, &counted_as);
            let voice = Share { mentions: mentions.own, responses: mentions.total() };
            let expected = AnswerShares { visibility: visibility_share(&segment, filter), voice };
            prop_assert_eq!(answer_shares(&segment, filter, &counted_as), expected);
        }
    }
}
