//! Models whose version differs between the windows.
//!
//! A vendor can replace a model under the same name. If the answers of such a model mention the entity less
//! often, and the rivals too, the model has changed, not what it says about the entity.

use std::collections::{BTreeMap, BTreeSet};

use domain::limits::MIN_COMPARED_ANSWERS;
use domain::number::to_u64;
use domain::ordinal::BrandOrdinal;
use statistics::Counts;
use uuid::Uuid;

use super::compared_answers::ComparedAnswers;
use super::judgement::{Judgement, NotComparableReason, Verdict};
use super::reported_versions::VersionDays;

/// A model that reported other versions in the window than in the base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelChange {
    pub model: Uuid,
    /// The versions in the base and in the window, each ascending and not empty.
    pub versions: [Vec<String>; 2],
    /// The days of each version, by the first day, then the version.
    pub days: Vec<VersionDays>,
}

/// The models whose version has changed.
#[derive(Debug, Default)]
pub(super) struct ChangedModels {
    pub(super) changes: Vec<ModelChange>,
    numbers: BTreeSet<u32>,
    /// Whether and how the rivals' mentions have changed in the answers of all these models together, and of
    /// each.
    rivals: Option<Verdict>,
    rivals_by_model: BTreeMap<Uuid, Verdict>,
}

impl ChangedModels {
    /// Finds the models.
    pub(super) fn find(answers: &ComparedAnswers<'_>) -> Self {
        let mut found = Self::default();
        for (number, reported) in answers.model_versions() {
            if reported.differ() {
                found.numbers.insert(number);
                let model = answers.pairs().model(number);
                found.changes.extend(model.map(|model| ModelChange {
                    model,
                    versions: reported.by_side(),
                    days: reported.days(),
                }));
            }
        }
        if !found.changes.is_empty() {
            found.compare_rivals(answers);
        }
        found
    }

    fn compare_rivals(&mut self, answers: &ComparedAnswers<'_>) {
        let (pairs, brands) = (answers.pairs(), answers.brands);
        let rivals = answers.mentions_of_others();
        let total = to_u64(rivals.len());
        // Each answer could mention each rival.
        let mut spare = Vec::new();
        let mentions = |mentioned: &[BrandOrdinal]| Counts {
            count: brands.count_mentions(mentioned, &mut spare).others,
            total,
        };
        let observations = answers.observe(mentions);
        let judge = |is_model: &dyn Fn(u32) -> bool| {
            let judged = Judgement::of(&observations, pairs.compared_prompts.iter().copied(), is_model);
            let least = MIN_COMPARED_ANSWERS.saturating_mul(total);
            let has_enough = judged.counts.iter().all(|counts| counts.total >= least);
            if has_enough {
                judged.verdict
            } else {
                Verdict::TooFewAnswers
            }
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

    /// Marks a change as not comparable if the rivals have moved with the entity in the answers of the
    /// changed models, and the change is gone, or cannot be told, without these models. `without` judges the
    /// same answers without them.
    pub(super) fn explain(&self, judgement: &mut Judgement, without: impl FnOnce() -> Judgement) {
        if !self.is_empty() && judgement.verdict.is_change() && self.rivals == Some(judgement.verdict) {
            let rest = without();
            // Fewer answers alone can make a change unclear.
            let moves_alike = rest
                .comparison
                .zip(judgement.comparison)
                .is_some_and(|(rest, all)| rest.change / all.change > 0.5);
            if rest.verdict != judgement.verdict && !moves_alike {
                judgement.mark_not_comparable(NotComparableReason::ModelChanged);
            }
        }
    }

    /// Marks a change in the answers of one model as not comparable if the model has changed and the rivals
    /// have moved with the entity.
    pub(super) fn explain_model(&self, model: Uuid, judgement: &mut Judgement) {
        if judgement.verdict.is_change() && self.rivals_by_model.get(&model) == Some(&judgement.verdict) {
            judgement.mark_not_comparable(NotComparableReason::ModelChanged);
        }
    }
}
