//! The prompts and models whose answers are compared.

use std::collections::BTreeSet;

use domain::cell::Cell;
use domain::number::to_u32;
use domain::ordinal::{ModelOrdinal, PromptOrdinal};
use domain::time::Day;
use facts::families::{AnswerRef, Visibility};
use facts::{SelectedSegment, Selection};
use serde::Serialize;
use statistics::{Counts, Observations, Side};
use uuid::Uuid;

use super::compared_ranges::ComparedRanges;
use super::pair_outcomes::PairOutcomes;

/// A segment of one of the windows.
#[derive(Debug, Clone, Copy)]
pub struct WindowSegment<'a, F> {
    pub side: Side,
    pub day: Day,
    /// The index of the entity among those that are compared.
    pub entity_index: usize,
    pub segment: &'a F,
    /// The prompts and models whose responses count.
    pub selection: &'a Selection,
}

impl<'a, F> WindowSegment<'a, F> {
    /// Returns a segment for a comparison in which its entity has the given index. Returns `None` if it is in
    /// no window.
    pub fn new(of: &'a SelectedSegment<'_, F>, ranges: &ComparedRanges, entity_index: usize) -> Option<Self> {
        Some(Self {
            side: ranges.side_of(of.check.day)?,
            day: of.check.day,
            entity_index,
            segment: &of.segment,
            selection: of.selection,
        })
    }
}

/// A prompt of one of the compared entities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PromptKey {
    /// The index of the entity among those that are compared.
    pub entity_index: usize,
    pub prompt: PromptOrdinal,
}

/// Why answers are not compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LeftOutReason {
    NoAnswersInBase,
    NoAnswersInWindow,
    /// There are answers in both windows, but by other models, or to other prompts.
    NoCommonAnswers,
}

/// What has answers and is not compared.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LeftOut {
    pub prompts: Vec<(PromptKey, LeftOutReason)>,
    pub models: Vec<(Uuid, LeftOutReason)>,
    /// Prompts and models that are compared, but not with each other.
    pub pairs: Vec<(PromptKey, Uuid, LeftOutReason)>,
}

/// The pairs of a prompt and a model that have answers in both windows. Prompts and models are numbered from
/// 0.
#[derive(Debug)]
pub struct ComparedPairs {
    ranges: ComparedRanges,
    /// The prompts with responses, ascending. The number of a prompt is its index.
    prompts: Vec<PromptKey>,
    /// The distinct models, ascending. The number of a model is its index.
    models: Vec<Uuid>,
    /// The number of each entity's models, by their ordinals.
    model_numbers: Vec<Vec<u32>>,
    /// Whether each pair has answers, by window. A pair has the index prompt × models + model.
    has_answers: [Vec<bool>; 2],
    /// Whether each pair has answers in both windows.
    pub(super) is_compared: Vec<bool>,
    /// The numbers of the prompts that are compared with any model, ascending.
    pub(super) compared_prompts: Vec<u32>,
    /// The numbers of the models that are compared with any prompt, ascending.
    pub(super) compared_models: Vec<u32>,
}

impl ComparedPairs {
    /// Finds the pairs, and the outcomes of their answers in each segment. `entities` has the UUIDs of each
    /// entity's models by their ordinals.
    pub(super) fn find(
        ranges: ComparedRanges,
        entities: &[&[Uuid]],
        segments: &[WindowSegment<'_, Visibility>],
    ) -> (Self, Vec<PairOutcomes>) {
        let models: BTreeSet<Uuid> = entities
            .iter()
            .flat_map(|models| models.iter().copied())
            .collect();
        let models: Vec<Uuid> = models.into_iter().collect();
        let number = |uuid: &Uuid| {
            models
                .binary_search(uuid)
                .ok()
                .and_then(|n| u32::try_from(n).ok())
        };
        let model_numbers = entities
            .iter()
            .map(|models| models.iter().filter_map(number).collect())
            .collect();
        let prompts = prompts_with_responses(segments);
        let cells = prompts.len() * models.len();
        let mut pairs = Self {
            ranges,
            prompts,
            models,
            model_numbers,
            has_answers: Side::BOTH.map(|_| vec![false; cells]),
            is_compared: Vec::new(),
            compared_prompts: Vec::new(),
            compared_models: Vec::new(),
        };
        let outcomes: Vec<PairOutcomes> = segments.iter().map(|of| pairs.outcomes_of(of)).collect();
        for (of, outcomes) in segments.iter().zip(&outcomes) {
            let of_side = &mut pairs.has_answers[of.side.index()];
            let of_pairs = of_side.iter_mut().skip(outcomes.first_pair);
            for (has_answers, has_answer) in of_pairs.zip(outcomes.have_answers()) {
                *has_answers |= has_answer;
            }
        }
        let [base, window] = &pairs.has_answers;
        pairs.is_compared = base
            .iter()
            .zip(window)
            .map(|(base, window)| *base && *window)
            .collect();
        let compared = pairs
            .pairs()
            .filter(|(prompt, model, _)| pairs.is_compared(*prompt, *model));
        let (prompts, models): (BTreeSet<u32>, BTreeSet<u32>) =
            compared.map(|(prompt, model, _)| (prompt, model)).unzip();
        pairs.compared_prompts = prompts.into_iter().collect();
        pairs.compared_models = models.into_iter().collect();
        (pairs, outcomes)
    }

    /// Returns the outcomes of a segment's selected answers.
    fn outcomes_of(&self, of: &WindowSegment<'_, Visibility>) -> PairOutcomes {
        let prompts_before = |index: usize| self.prompts.partition_point(|key| key.entity_index < index);
        let [first, end] = [of.entity_index, of.entity_index + 1].map(prompts_before);
        let models = self.models.len();
        let first_prompt = to_u32(first);
        let mut outcomes = PairOutcomes::new(first_prompt, first * models, (end - first) * models);
        self.visit_answers(of, |prompt, model, answer| {
            outcomes.set(self.index((prompt, model)), answer.outcome);
        });
        outcomes
    }

    /// Returns the number of a prompt, or `None` if it has no responses.
    pub fn prompt_number(&self, key: PromptKey) -> Option<u32> {
        let index = self.prompts.binary_search(&key).ok()?;
        u32::try_from(index).ok()
    }

    /// Returns the number of an entity's model.
    fn model_number(&self, entity_index: usize, model: ModelOrdinal) -> Option<u32> {
        self.model_numbers.get(entity_index)?.get(model.index()).copied()
    }

    /// Returns the UUID of a model.
    pub(super) fn model(&self, number: u32) -> Option<Uuid> {
        self.models.get(number as usize).copied()
    }

    /// Returns the prompt with a number.
    pub(super) fn prompt(&self, number: u32) -> Option<PromptKey> {
        self.prompts.get(number as usize).copied()
    }

    /// Returns the numbers of the prompt and the model of each response of an entity. Responses to other
    /// prompts are left out. Those to one prompt must follow each other, so that the prompt is looked up
    /// once.
    fn numbered<T>(
        &self,
        entity_index: usize,
        responses: impl Iterator<Item = (Cell, T)>,
    ) -> impl Iterator<Item = ((u32, u32), T)> {
        let mut previous: Option<(PromptOrdinal, Option<u32>)> = None;
        responses.filter_map(move |(cell, value)| {
            let prompt = match previous {
                Some((prompt, number)) if prompt == cell.prompt => number,
                _ => self.prompt_number(PromptKey {
                    entity_index,
                    prompt: cell.prompt,
                }),
            };
            previous = Some((cell.prompt, prompt));
            Some(((prompt?, self.model_number(entity_index, cell.model)?), value))
        })
    }

    fn index(&self, (prompt, model): (u32, u32)) -> usize {
        prompt as usize * self.models.len() + model as usize
    }

    /// Returns whether a pair has answers in both windows.
    pub(super) fn is_compared(&self, prompt: u32, model: u32) -> bool {
        self.is_compared.get(self.index((prompt, model))) == Some(&true)
    }

    /// Returns observations of all pairs, without any answer.
    pub(super) fn no_observations(&self) -> Observations {
        let [prompts, models] = [self.prompts.len(), self.models.len()].map(to_u32);
        Observations::new(prompts, models)
    }

    /// Returns the number of a day in its window.
    pub(super) fn day_number<F>(&self, of: &WindowSegment<'_, F>) -> u32 {
        let first = self.ranges.of(of.side).first;
        u32::try_from(of.day.0 - first.0).unwrap_or_default() // no day of a window is before it
    }

    /// Calls `visit` with each selected answer of a segment and the numbers of its prompt and model.
    pub(super) fn visit_answers(
        &self,
        of: &WindowSegment<'_, Visibility>,
        mut visit: impl FnMut(u32, u32, AnswerRef),
    ) {
        let Some(model_numbers) = self.model_numbers.get(of.entity_index) else {
            return;
        };
        // The prompts of a segment are ascending, as the numbered prompts are.
        let mut prompt = self
            .prompts
            .partition_point(|key| key.entity_index < of.entity_index);
        of.segment.visit_answers(of.selection, |answers| {
            let key = PromptKey {
                entity_index: of.entity_index,
                prompt: answers.prompt(),
            };
            while self.prompts.get(prompt).is_some_and(|known| *known < key) {
                prompt += 1;
            }
            if self.prompts.get(prompt) != Some(&key) {
                return;
            }
            let number = to_u32(prompt);
            answers.visit(|answer| {
                if let Some(model) = model_numbers.get(answer.model.index()) {
                    visit(number, *model, answer);
                }
            });
        });
    }

    /// Returns the numbers of each pair's prompt and model, and the index of the pair.
    fn pairs(&self) -> impl Iterator<Item = (u32, u32, usize)> {
        let prompts = (0u32..).zip(&self.prompts);
        let numbers =
            prompts.flat_map(|(prompt, _)| (0u32..).zip(&self.models).map(move |(model, _)| (prompt, model)));
        numbers
            .zip(0usize..)
            .map(|((prompt, model), index)| (prompt, model, index))
    }

    /// Collects the counts of responses that are compared.
    pub(super) fn observations<'a, F: 'a, I: IntoIterator<Item = (Cell, Counts)>>(
        &self,
        segments: &[WindowSegment<'a, F>],
        counts: impl Fn(&WindowSegment<'a, F>) -> I,
    ) -> Observations {
        let mut observations = self.no_observations();
        for of in segments {
            let mut day = observations.day(of.side, self.day_number(of));
            for ((prompt, model), counts) in self.numbered(of.entity_index, counts(of).into_iter()) {
                if self.is_compared(prompt, model) {
                    day.add(prompt, model, counts);
                }
            }
        }
        observations
    }

    /// Returns what has answers and is not compared, by prompt and model.
    pub fn left_out(&self) -> LeftOut {
        let (prompts, models) = (&self.compared_prompts, &self.compared_models);
        let is_left_out = |compared: &[u32], number: u32| compared.binary_search(&number).is_err();
        let (prompt_count, model_count) = (self.prompts.len(), self.models.len());
        let mut left_out = LeftOut::default();
        for (prompt, key) in (0..).zip(&self.prompts) {
            if is_left_out(prompts, prompt) {
                let first = prompt as usize * model_count;
                let reason = self.reason(first..first + model_count);
                left_out.prompts.extend(reason.map(|reason| (*key, reason)));
            }
        }
        for (model, uuid) in (0..).zip(&self.models) {
            if is_left_out(models, model) {
                let of_model = (model as usize..).step_by(model_count).take(prompt_count);
                let reason = self.reason(of_model);
                left_out.models.extend(reason.map(|reason| (*uuid, reason)));
            }
        }
        for (prompt, model, index) in self.pairs() {
            let is_named = is_left_out(prompts, prompt) || is_left_out(models, model);
            if !is_named && !self.is_compared(prompt, model) {
                let pair = self.prompt(prompt).zip(self.model(model));
                let reason = self.reason(index..index + 1);
                left_out.pairs.extend(
                    pair.zip(reason)
                        .map(|((prompt, model), reason)| (prompt, model, reason)),
                );
            }
        }
        left_out
    }

    /// Returns why pairs, none of which is compared, are left out. Returns `None` if they have no answers.
    fn reason(&self, indexes: impl IntoIterator<Item = usize>) -> Option<LeftOutReason> {
        let mut has_answers = [false; 2];
        for index in indexes {
            for (has_answers, of_side) in has_answers.iter_mut().zip(&self.has_answers) {
                *has_answers |= of_side.get(index) == Some(&true);
            }
        }
        match has_answers {
            [false, false] => None,
            [false, true] => Some(LeftOutReason::NoAnswersInBase),
            [true, false] => Some(LeftOutReason::NoAnswersInWindow),
            [true, true] => Some(LeftOutReason::NoCommonAnswers),
        }
    }
}

/// Returns the selected prompts that have responses, ascending.
fn prompts_with_responses(segments: &[WindowSegment<'_, Visibility>]) -> Vec<PromptKey> {
    let mut prompts: Vec<PromptKey> = Vec::new();
    for of in segments {
        let known = prompts.len();
        // Most segments have the prompts of the one before.
        let mut next = prompts.partition_point(|key| key.entity_index < of.entity_index);
        for prompt in of.segment.prompts() {
            let is_selected = of.selection.prompts.as_ref().is_none_or(|of| of.contains(prompt));
            let key = PromptKey {
                entity_index: of.entity_index,
                prompt,
            };
            while prompts[..known].get(next).is_some_and(|known| *known < key) {
                next += 1;
            }
            if is_selected && prompts[..known].get(next) != Some(&key) {
                prompts.push(key);
            }
        }
        if prompts.len() > known {
            prompts.sort_unstable();
        }
    }
    prompts
}
