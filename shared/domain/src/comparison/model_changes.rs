//! Models whose version differs between the windows.
//!
//! A vendor can replace a model under the same name. If the answers of such a model mention the entity less often, and the rivals too, the
//! model has changed, not what it says about the entity.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use statistics::{Counts, Observations};
use uuid::Uuid;

use super::compared_pairs::{ComparedPairs, WindowSegment};
use super::judgement::{Judgement, Verdict};
use crate::facts::families::Visibility;
use crate::ordinal::BrandOrdinal;

/// Why a change is not one of the brand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
pub enum NotComparableReason {
    /// Only the answers of models whose version has changed mention the brand more or less often, and they mention its rivals more or less
    /// often, too.
    ModelChanged,
}

/// A model that reported other versions in the window than in the base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelChange {
    pub model: Uuid,
    /// The versions in the base and in the window, each ascending and not empty.
    pub versions: [Vec<String>; 2],
}

/// The models whose version has changed.
#[derive(Debug, Default)]
pub(super) struct ChangedModels {
    pub(super) changes: Vec<ModelChange>,
    numbers: BTreeSet<u32>,
    /// Whether and how the rivals' mentions have changed in the answers of all these models together, and of each.
    rivals: Option<Verdict>,
    rivals_by_model: BTreeMap<Uuid, Verdict>,
}

impl ChangedModels {
    /// Finds the models. `counts_as_rival` returns the rival as which a brand counts, or `None` for the entity's own brands.
    pub(super) fn find(
        pairs: &ComparedPairs,
        segments: &[WindowSegment<'_, Visibility>],
        counts_as_rival: impl Fn(BrandOrdinal) -> Option<BrandOrdinal>,
    ) -> Self {
        let compared = pairs.compared_models();
        let mut versions: BTreeMap<u32, [BTreeSet<&str>; 2]> = BTreeMap::new();
        for of in segments {
            for (model, version) in of.segment.model_versions(of.selection) {
                if let Some(number) = pairs.model_number(of.entity_index, model)
                    && compared.binary_search(&number).is_ok()
                {
                    let sides = versions.entry(number).or_default();
                    sides[of.side.index()].insert(version);
                }
            }
        }
        versions.retain(|_, [base, window]| !base.is_empty() && !window.is_empty() && base != window);
        let mut found = Self {
            numbers: versions.keys().copied().collect(),
            ..Self::default()
        };
        for (number, sides) in versions {
            let Some(model) = pairs.model(number) else {
                continue;
            };
            let versions = sides.map(|versions| versions.into_iter().map(str::to_owned).collect());
            found.changes.push(ModelChange { model, versions });
        }
        if !found.changes.is_empty() {
            found.compare_rivals(pairs, segments, counts_as_rival);
        }
        found
    }

    fn compare_rivals(
        &mut self,
        pairs: &ComparedPairs,
        segments: &[WindowSegment<'_, Visibility>],
        counts_as_rival: impl Fn(BrandOrdinal) -> Option<BrandOrdinal>,
    ) {
        let rivals_in = |brands: &[BrandOrdinal]| -> BTreeSet<BrandOrdinal> {
            brands
                .iter()
                .filter_map(|brand| counts_as_rival(*brand))
                .collect()
        };
        let cells = segments
            .iter()
            .flat_map(|of| of.segment.cells().filter(|cell| pairs.counts(of, cell)));
        let rivals: BTreeSet<BrandOrdinal> = cells.flat_map(|cell| rivals_in(cell.brands)).collect();
        let total = u64::try_from(rivals.len()).unwrap_or(u64::MAX);
        // Each answer could mention each rival.
        let mentions = |brands: &[BrandOrdinal]| Counts {
            count: u64::try_from(rivals_in(brands).len()).unwrap_or(u64::MAX),
            total,
        };
        let observations: Observations = pairs.observe_answers(segments, mentions);
        let prompts = pairs.compared_prompts();
        let judge = |is_model: &dyn Fn(u32) -> bool| {
            Judgement::of(&observations, prompts.iter().copied(), is_model).verdict
        };
        self.rivals = Some(judge(&|model| self.numbers.contains(&model)));
        let by_model = self.numbers.iter().filter_map(|number| {
            let verdict = judge(&|model| model == *number);
            Some((pairs.model(*number)?, verdict))
        });
        self.rivals_by_model = by_model.collect();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    pub(super) fn contains(&self, model: u32) -> bool {
        self.numbers.contains(&model)
    }

    /// Marks a change as not comparable if it is gone without the changed models, and the rivals have moved with the entity. `without`
    /// judges the same answers without these models.
    pub(super) fn explain(&self, judgement: &mut Judgement, without: impl FnOnce() -> Judgement) {
        if !self.is_empty()
            && judgement.verdict.is_change()
            && self.rivals == Some(judgement.verdict)
            && without().verdict != judgement.verdict
        {
            judgement.verdict = Verdict::NotComparable;
            judgement.reason = Some(NotComparableReason::ModelChanged);
        }
    }

    /// Marks a change in the answers of one model as not comparable if the model has changed and the rivals have moved with the entity.
    pub(super) fn explain_model(&self, model: Uuid, judgement: &mut Judgement) {
        if judgement.verdict.is_change() && self.rivals_by_model.get(&model) == Some(&judgement.verdict) {
            judgement.verdict = Verdict::NotComparable;
            judgement.reason = Some(NotComparableReason::ModelChanged);
        }
    }
}
