//! How the visibility of an entity has changed.

use facts::families::Visibility;
use facts::figures::CountedBrands;
use statistics::{Observations, Side};
use uuid::Uuid;

use super::compared_answers::ComparedAnswers;
use super::compared_pairs::WindowSegment;
use super::compared_ranges::ComparedRanges;
use super::judgement::Judgement;
use super::model_changes::{ChangedModels, ModelChange};
use super::observe::mentions_any;
use super::slices::{Slices, TaggedPrompts, compare_slices, numbers};

/// The comparison of the visibility.
#[derive(Debug, Clone, PartialEq)]
pub struct VisibilityComparison {
    pub slices: Slices,
    pub model_changes: Vec<ModelChange>,
    /// The whole without the models that have changed. `None` if none has.
    pub without_changed_models: Option<Judgement>,
}

/// Compares the visibility of an entity.
pub fn compare_visibility(answers: &ComparedAnswers<'_>, tags: &[TaggedPrompts]) -> VisibilityComparison {
    let pairs = answers.pairs();
    let observations = answers.observe(mentions_any(answers.brands.own));
    let mut slices = compare_slices(pairs, &observations, tags);
    let changed = ChangedModels::find(answers);
    let without = |prompts: &[u32]| judge_without(&changed, &observations, prompts);
    let all = &pairs.compared_prompts;
    let without_changed_models = (!changed.is_empty()).then(|| without(all));
    changed.explain(&mut slices.whole, || without(all));
    for (model, judgement) in &mut slices.by_model {
        changed.explain_model(*model, judgement);
    }
    for (key, judgement) in &mut slices.by_prompt {
        let number = pairs.prompt_number(*key);
        changed.explain(judgement, || without(number.as_slice()));
    }
    for (tag, judgement) in &mut slices.by_tag {
        let tagged = tags.iter().find(|tagged| tagged.tag == *tag);
        let prompts = tagged.map(|tagged| numbers(pairs, tagged)).unwrap_or_default(); // Each has a tag.
        changed.explain(judgement, || without(&prompts));
    }
    VisibilityComparison {
        slices,
        model_changes: changed.changes,
        without_changed_models,
    }
}

/// Compares the visibility of an entity in all answers, as [`compare_visibility`] does, without any slice.
/// `entities` has the UUIDs of each entity's models by their ordinals.
pub fn compare_whole_visibility(
    ranges: ComparedRanges,
    entities: &[&[Uuid]],
    segments: &[WindowSegment<'_, Visibility>],
    brands: CountedBrands<'_>,
) -> Judgement {
    let has_segments = |side| segments.iter().any(|of| of.side == side);
    // Without answers in both windows nothing is compared, so that the answers need not be looked at.
    let segments = if Side::BOTH.into_iter().all(has_segments) {
        segments
    } else {
        &[]
    };
    let answers = ComparedAnswers::new(ranges, entities, segments, brands);
    let observations = answers.observe(mentions_any(answers.brands.own));
    let all = &answers.pairs().compared_prompts;
    let mut whole = Judgement::of(&observations, all.iter().copied(), |_| true);
    if whole.verdict.is_change() {
        let changed = ChangedModels::find(&answers);
        changed.explain(&mut whole, || judge_without(&changed, &observations, all));
    }
    whole
}

/// Judges some prompts without the models that have changed.
fn judge_without(changed: &ChangedModels, observations: &Observations, prompts: &[u32]) -> Judgement {
    Judgement::of(observations, prompts.iter().copied(), |model| {
        !changed.contains(model)
    })
}
