//! Generated cells and citations for tests.

pub(super) mod fanouts;
mod links;

use domain::answer::ResponseState;
use domain::ordinal::{BrandOrdinal, Ordinal};
use domain::ordinal_set::OrdinalSet;
use proptest::collection::{btree_set, vec};
use proptest::option;
use proptest::prelude::*;

use super::codec::Selection;
use super::families::{Visibility, VisibilityCell, VisibilityCellRef};

pub(super) use links::{World, link_rows};

/// Generates cells with few distinct prompts, models and brands, so that they often coincide, and a few large
/// ordinals.
pub(crate) fn cells() -> impl Strategy<Value = Vec<VisibilityCell>> {
    let ordinal = || prop_oneof![9 => 0u32..8, 1 => any::<u32>()];
    let state = prop_oneof![8 => Just(ResponseState::Answered), 1 => Just(ResponseState::Refused), 1 => Just(ResponseState::Failed)];
    let cell = (
        ordinal(),
        ordinal(),
        state,
        vec(ordinal(), 0..4),
        option::of("[ab]?"),
    )
        .prop_map(|(prompt, model, state, brands, model_version)| VisibilityCell {
            prompt: prompt.into(),
            model: model.into(),
            state,
            brands: brands.into_iter().map(BrandOrdinal::new).collect(),
            model_version,
        });
    vec(cell, 0..60)
}

/// Generates small sets of ordinals.
pub(crate) fn ordinals<T: Ordinal>() -> impl Strategy<Value = OrdinalSet<T>> {
    btree_set(0u32..8, 0..6).prop_map(|ordinals| ordinals.into_iter().map(T::from).collect())
}

/// Generates selections of some models and prompts, or of all.
pub(crate) fn selection() -> impl Strategy<Value = Selection> {
    (option::of(ordinals()), option::of(ordinals()))
        .prop_map(|(models, prompts)| Selection { models, prompts })
}

/// Returns whether a set of a selection contains an ordinal, where `None` contains all.
pub(super) fn is_in<T: Ordinal>(set: &Option<OrdinalSet<T>>, ordinal: T) -> bool {
    set.as_ref().is_none_or(|set| set.as_slice().contains(&ordinal))
}

/// Returns the answered cells of a selection by testing each cell.
pub(super) fn answered<'a>(segments: &'a [Visibility], selection: &Selection) -> Vec<VisibilityCellRef<'a>> {
    segments
        .iter()
        .flat_map(Visibility::cells)
        .filter(|cell| cell.state == ResponseState::Answered)
        .filter(|cell| is_in(&selection.models, cell.model) && is_in(&selection.prompts, cell.prompt))
        .collect()
}

/// Creates the cells of a check of all prompts and models, a few of them failed.
///
/// Answers mention the first of ten brands most often, and the answers to some prompts mention many brands.
pub(super) fn check(prompts: u32, models: u32, seed: u64) -> Vec<VisibilityCell> {
    let mut random = Random(seed);
    let mut cells = Vec::new();
    for prompt in 0..prompts {
        let tendency = 0.2 + 1.4 * random.next();
        for model in 0..models {
            let mut mentioned: Vec<(f64, u32)> = Vec::new();
            for brand in 0..10u32 {
                let rank = f64::from(brand) + 1.0;
                if random.next() < tendency * 0.4 / rank {
                    mentioned.push((rank + 4.0 * random.next(), brand));
                }
            }
            mentioned.sort_by(|a, b| a.0.total_cmp(&b.0));
            let failed = random.next() < 0.01;
            cells.push(VisibilityCell {
                prompt: prompt.into(),
                model: model.into(),
                state: if failed {
                    ResponseState::Failed
                } else {
                    ResponseState::Answered
                },
                brands: if failed {
                    Vec::new()
                } else {
                    mentioned.into_iter().map(|(_, brand)| brand.into()).collect()
                },
                model_version: None,
            });
        }
    }
    cells
}

/// A linear congruential generator, which returns the same numbers on every run.
pub(super) struct Random(pub(super) u64);

impl Random {
    /// Returns a number from 0 (inclusive) to 1 (exclusive).
    pub(super) fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f64 / (1u64 << 24) as f64
    }
}
