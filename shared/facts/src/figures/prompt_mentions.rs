//! The mentions of the entity in the answers to each prompt, and their positions.

use std::collections::BTreeMap;

use domain::metrics::{Share, average};
use domain::number::to_usize;
use domain::ordinal::{BrandOrdinal, PromptOrdinal};
use domain::ordinal_set::OrdinalSet;

use crate::codec::Selection;
use crate::families::Visibility;

/// The mentions in the answers to one prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PromptMentions {
    pub share: Share,
    /// The sum of the mentions' positions.
    positions: u64,
}

impl PromptMentions {
    /// Returns the average position of the mentions with two decimals, or `None` if there is no mention.
    pub fn average_position(&self) -> Option<f64> {
        average(self.positions, self.share.mentions)
    }
}

/// Counts the mentions in the selected responses by prompt ordinal.
///
/// The position of a response is that of the first of the `own` brands that it mentions.
pub fn prompt_mentions<'a>(
    segments: impl Iterator<Item = (&'a Visibility, &'a Selection)>,
    own: &OrdinalSet<BrandOrdinal>,
) -> BTreeMap<PromptOrdinal, PromptMentions> {
    // Ascending, like the prompts of a segment, so that one pass over both finds the index of each prompt.
    let mut prompts: Vec<(PromptOrdinal, PromptMentions)> = Vec::new();
    for (segment, selection) in segments {
        let positions = segment.mentioned_brands();
        let positions: Vec<Option<u64>> = positions.map(|brands| mention_position(brands, own)).collect();
        let mut index = 0;
        segment.visit_answers(selection, |answers| {
            let prompt = answers.prompt();
            while prompts.get(index).is_some_and(|(known, _)| *known < prompt) {
                index += 1;
            }
            if prompts.get(index).is_none_or(|(known, _)| *known != prompt) {
                prompts.insert(index, (prompt, PromptMentions::default()));
            }
            let (_, counted) = &mut prompts[index];
            answers.visit(|answer| {
                let position = positions[to_usize(answer.outcome)];
                counted.share.add(Share {
                    mentions: u64::from(position.is_some()),
                    responses: 1,
                });
                counted.positions += position.unwrap_or(0); // a response without a mention has no position
            });
        });
    }
    let answered = prompts.into_iter();
    answered
        .filter(|(_, counted)| counted.share.responses > 0)
        .collect()
}

/// Returns the position, counted from 1, of the first mentioned brand that is in `own`.
pub fn mention_position(brands: &[BrandOrdinal], own: &OrdinalSet<BrandOrdinal>) -> Option<u64> {
    let index = brands.iter().position(|brand| own.contains(*brand))?;
    u64::try_from(index + 1).ok()
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::test_data;

    proptest! {
        #[test]
        fn mentions_by_prompt_equal_a_scan_of_the_responses(
            checks in vec(test_data::cells(), 0..4), own in test_data::ordinals(), selection in test_data::selection(),
        ) {
            let segments: Vec<Visibility> = checks.into_iter().map(Visibility::new).collect();
            let mut expected: BTreeMap<PromptOrdinal, PromptMentions> = BTreeMap::new();
            for cell in test_data::answered(&segments, &selection) {
                let prompt = expected.entry(cell.prompt).or_default();
                prompt.share.responses += 1;
                if let Some(index) = cell.brands.iter().position(|brand| own.contains(*brand)) {
                    prompt.share.mentions += 1;
                    prompt.positions += index as u64 + 1;
                }
            }
            let asked = segments.iter().map(|segment| (segment, &selection));
            prop_assert_eq!(prompt_mentions(asked, &own), expected);
        }
    }
}
