//! Who is mentioned how often: brand by brand, and prompt by prompt.

use std::collections::{BTreeMap, BTreeSet};

use super::matrix::Selection;
use super::ordinals::Ordinals;
use super::visibility::Visibility;
use crate::answer::State;
use crate::metrics::{Share, average};

/// How many answered responses mention each brand, once per response.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BrandMentions {
    /// The entity itself: responses that mention any of its brands.
    pub own: u64,
    /// Every other brand that is mentioned, by ordinal; brands that are merged by that of one of them.
    pub others: BTreeMap<u32, u64>,
}

impl BrandMentions {
    /// The mentions of all brands.
    pub fn total(&self) -> u64 {
        self.own + self.others.values().sum::<u64>()
    }
}

/// The mentions in some segments, each with which of its responses count. `own` are the brands that count as the
/// entity; `merged` gives the brand that another one counts as.
pub fn brand_mentions<'a>(
    segments: impl Iterator<Item = (&'a Visibility, &'a Selection)>,
    own: &Ordinals,
    merged: &BTreeMap<u32, u32>,
) -> BrandMentions {
    let mut mentions = BrandMentions::default();
    for (segment, selection) in segments {
        // A brand is looked up once per outcome, however many responses had it.
        let mut times = vec![0u64; segment.outcomes().len()];
        for (_, outcome) in segment.selected(selection) {
            if let Some(times) = times.get_mut(outcome) {
                *times += 1;
            }
        }
        for ((state, brands), times) in segment.outcomes().iter().zip(times) {
            if state != State::Answered || times == 0 {
                continue;
            }
            if brands.iter().any(|brand| own.contains(*brand)) {
                mentions.own += times;
            }
            let others = brands.iter().filter(|brand| !own.contains(**brand));
            let counted: BTreeSet<u32> = others.map(|brand| *merged.get(brand).unwrap_or(brand)).collect();
            for brand in counted {
                *mentions.others.entry(brand).or_default() += times;
            }
        }
    }
    mentions
}

/// What the answers to one prompt come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PromptMentions {
    pub share: Share,
    /// The sum of the mentions' positions.
    positions: u64,
}

impl PromptMentions {
    /// The average position of the mentions, two decimals; `None` without any.
    pub fn average_position(&self) -> Option<f64> {
        average(self.positions, self.share.mentions)
    }
}

/// The answered responses by prompt ordinal. A response's position is that of the first of the entity's brands.
pub fn prompt_mentions<'a>(
    segments: impl Iterator<Item = (&'a Visibility, &'a Selection)>,
    own: &Ordinals,
) -> BTreeMap<u32, PromptMentions> {
    // Ascending, like the prompts of a segment: one pass of both finds each prompt's place.
    let mut prompts: Vec<(u32, PromptMentions)> = Vec::new();
    for (segment, selection) in segments {
        let outcomes: Vec<Option<Option<u64>>> = segment
            .outcomes()
            .iter()
            .map(|(state, brands)| (state == State::Answered).then(|| position(brands, own)))
            .collect();
        let mut place = 0;
        for (prompt, outcome) in segment.selected(selection) {
            let Some(position) = outcomes.get(outcome).copied().flatten() else {
                continue;
            };
            while prompts.get(place).is_some_and(|(known, _)| *known < prompt) {
                place += 1;
            }
            if prompts.get(place).is_none_or(|(known, _)| *known != prompt) {
                prompts.insert(place, (prompt, PromptMentions::default()));
            }
            if let Some((_, counted)) = prompts.get_mut(place) {
                counted.share.add(Share {
                    mentions: u64::from(position.is_some()),
                    responses: 1,
                });
                counted.positions += position.unwrap_or_default();
            }
        }
    }
    prompts.into_iter().collect()
}

/// The place of the first of the `own` brands among those mentioned, from 1.
pub fn position(brands: &[u32], own: &Ordinals) -> Option<u64> {
    let place = brands.iter().position(|brand| own.contains(*brand))?;
    u64::try_from(place + 1).ok()
}

#[cfg(test)]
mod tests {
    use proptest::collection::{btree_map, btree_set, vec};
    use proptest::option;
    use proptest::prelude::*;

    use super::super::samples;
    use super::super::visibility::VisibilityCell;
    use super::*;

    fn some() -> impl Strategy<Value = Ordinals> {
        btree_set(0u32..8, 0..6).prop_map(|ordinals| ordinals.into_iter().collect())
    }

    proptest! {
        #[test]
        fn mentions_equal_a_scan_of_the_responses(
            checks in vec(samples::cells(), 0..4), own in some(), models in option::of(some()), prompts in option::of(some()), merged in btree_map(0u32..8, 0u32..8, 0..4),
        ) {
            let segments: Vec<Visibility> = checks.into_iter().map(Visibility::new).collect();
            let selection = Selection { models, prompts };
            let is_in = |set: &Option<Ordinals>, ordinal| set.as_ref().is_none_or(|set| set.contains(ordinal));
            let counted: Vec<VisibilityCell> = segments
                .iter()
                .flat_map(Visibility::cells)
                .filter(|cell| cell.state == State::Answered)
                .filter(|cell| is_in(&selection.models, cell.model) && is_in(&selection.prompts, cell.prompt))
                .map(|cell| VisibilityCell {
                    prompt: cell.prompt,
                    model: cell.model,
                    state: cell.state,
                    brands: cell.brands.to_vec(),
                })
                .collect();

            let mut expected = BrandMentions::default();
            let mut by_prompt: BTreeMap<u32, PromptMentions> = BTreeMap::new();
            for cell in &counted {
                let place = cell.brands.iter().position(|brand| own.contains(*brand));
                expected.own += u64::from(place.is_some());
                let mut counted = BTreeSet::new();
                for brand in cell.brands.iter().filter(|brand| !own.contains(**brand)) {
                    let counts_as = *merged.get(brand).unwrap_or(brand);
                    if counted.insert(counts_as) {
                        *expected.others.entry(counts_as).or_default() += 1;
                    }
                }
                let prompt = by_prompt.entry(cell.prompt).or_default();
                prompt.share.responses += 1;
                if let Some(place) = place {
                    prompt.share.mentions += 1;
                    prompt.positions += place as u64 + 1;
                }
            }
            let asked = || segments.iter().map(|segment| (segment, &selection));
            prop_assert_eq!(brand_mentions(asked(), &own, &merged), expected);
            prop_assert_eq!(prompt_mentions(asked(), &own), by_prompt);
        }
    }
}
