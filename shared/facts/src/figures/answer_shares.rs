//! The visibility and the share of voice of an entity, counted together.

use domain::metrics::Share;
use domain::ordinal::BrandOrdinal;

use super::counted_brands::CountedBrands;
use crate::codec::Selection;
use crate::families::Visibility;

/// The shares of an entity in some answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AnswerShares {
    /// The answers, and how many of them mention the entity.
    pub visibility: Share,
    /// The mentions of all brands, each once per answer, and those of the entity among them.
    pub voice: Share,
}

/// Counts the shares in the selected answers of a segment. Each outcome is looked at once for both of them.
pub fn answer_shares(segment: &Visibility, selection: &Selection, brands: CountedBrands<'_>) -> AnswerShares {
    let mut spare: Vec<BrandOrdinal> = Vec::new();
    let (mut responses, mut of_entity, mut of_all) = (0, 0, 0);
    for (mentioned, count) in segment.answer_counts(selection) {
        let mentions = brands.count_mentions(mentioned, &mut spare);
        responses += count;
        of_entity += count * mentions.entity;
        of_all += count * mentions.total();
    }
    let share = |responses| Share {
        mentions: of_entity,
        responses,
    };
    AnswerShares {
        visibility: share(responses),
        voice: share(of_all),
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::btree_map;
    use proptest::prelude::*;

    use super::*;
    use crate::figures::{VisibilityFilter, brand_mentions, visibility_share};
    use crate::test_data;

    proptest! {
        #[test]
        fn both_shares_are_those_that_are_counted_alone(
            cells in test_data::cells(), own in test_data::ordinals(), selection in test_data::selection(),
            counted_as in btree_map((0u32..8).prop_map(BrandOrdinal::new), (0u32..8).prop_map(BrandOrdinal::new), 0..4),
        ) {
            let segment = Visibility::new(cells);
            let filter = VisibilityFilter { brands: &own, selection: &selection };
            let brands = CountedBrands { own: &own, counted_as: &counted_as };
            let mentions = brand_mentions(std::iter::once((&segment, &selection)), brands);
            let voice = Share { mentions: mentions.own, responses: mentions.total() };
            let expected = AnswerShares { visibility: visibility_share(&segment, filter), voice };
            prop_assert_eq!(answer_shares(&segment, &selection, brands), expected);
        }
    }
}
