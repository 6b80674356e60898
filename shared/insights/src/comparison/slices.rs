//! The comparisons of all answers, and of those of each model, prompt and tag.

use domain::id::TagId;
use statistics::Observations;
use uuid::Uuid;

use super::compared_pairs::{ComparedPairs, PromptKey};
use super::judgement::{Judgement, judge_together};

/// A tag and the prompts that have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaggedPrompts {
    pub tag: TagId,
    pub prompts: Vec<PromptKey>,
}

/// How a figure has changed.
///
/// The whole is one question. The slices of all kinds are judged together, because among many slices some
/// always differ by chance.
#[derive(Debug, Clone, PartialEq)]
pub struct Slices {
    pub whole: Judgement,
    pub by_model: Vec<(Uuid, Judgement)>,
    pub by_prompt: Vec<(PromptKey, Judgement)>,
    pub by_tag: Vec<(TagId, Judgement)>,
}

/// Compares a figure in all answers and in each slice that has any.
pub fn compare_slices(pairs: &ComparedPairs, observations: &Observations, tags: &[TaggedPrompts]) -> Slices {
    let prompts = &pairs.compared_prompts;
    let by_model = pairs.compared_models.iter().filter_map(|number| {
        let judgement = Judgement::of(observations, prompts.iter().copied(), |model| model == *number);
        Some((pairs.model(*number)?, judgement))
    });
    let by_prompt = prompts.iter().filter_map(|number| {
        let judgement = Judgement::of(observations, std::iter::once(*number), |_| true);
        Some((pairs.prompt(*number)?, judgement))
    });
    let by_tag = tags.iter().filter_map(|tagged| {
        let prompts = numbers(pairs, tagged);
        if prompts.is_empty() {
            return None;
        }
        let judgement = Judgement::of(observations, prompts.iter().copied(), |_| true);
        Some((tagged.tag, judgement))
    });
    let mut slices = Slices {
        whole: Judgement::of(observations, prompts.iter().copied(), |_| true),
        by_model: by_model.collect(),
        by_prompt: by_prompt.collect(),
        by_tag: by_tag.collect(),
    };
    judge_together(slices.parts_mut());
    slices
}

impl Slices {
    /// Returns the slices without the whole.
    pub(super) fn parts_mut(&mut self) -> impl Iterator<Item = &mut Judgement> {
        let by_model = self.by_model.iter_mut().map(|(_, judgement)| judgement);
        let by_prompt = self.by_prompt.iter_mut().map(|(_, judgement)| judgement);
        let by_tag = self.by_tag.iter_mut().map(|(_, judgement)| judgement);
        by_model.chain(by_prompt).chain(by_tag)
    }
}

/// Returns the numbers of the compared prompts that have a tag.
pub(super) fn numbers(pairs: &ComparedPairs, tagged: &TaggedPrompts) -> Vec<u32> {
    let compared = &pairs.compared_prompts;
    let numbers = tagged.prompts.iter().filter_map(|key| pairs.prompt_number(*key));
    numbers
        .filter(|number| compared.binary_search(number).is_ok())
        .collect()
}
