//! The prompts and models whose answers are compared.

use std::collections::BTreeSet;

use serde::Serialize;
use statistics::{Counts, Observation, Observations, Side};
use uuid::Uuid;

use super::compared_ranges::ComparedRanges;
use crate::answer::ResponseState;
use crate::facts::families::{Visibility, VisibilityCellRef};
use crate::facts::{Cell, Selection};
use crate::ordinal::{ModelOrdinal, PromptOrdinal};
use crate::time::Day;

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

/// A prompt of one of the compared entities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PromptKey {
    /// The index of the entity among those that are compared.
    pub entity_index: usize,
    pub prompt: PromptOrdinal,
}

/// Why answers are not compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
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

/// The pairs of a prompt and a model that have answers in both windows. Prompts and models are numbered from 0.
#[derive(Debug)]
pub struct ComparedPairs {
    ranges: ComparedRanges,
    /// The prompts with answers, ascending. The number of a prompt is its index.
    prompts: Vec<PromptKey>,
    /// The distinct models, ascending. The number of a model is its index.
    models: Vec<Uuid>,
    /// The number of each entity's models, by their ordinals.
    model_numbers: Vec<Vec<u32>>,
    /// Whether each pair has answers, by window. A pair has the index prompt × models + model.
    has_answers: [Vec<bool>; 2],
    /// The numbers of the prompts that are compared with any model, ascending.
    pub(super) compared_prompts: Vec<u32>,
    /// The numbers of the models that are compared with any prompt, ascending.
    pub(super) compared_models: Vec<u32>,
}

impl ComparedPairs {
    /// Finds the pairs. `entities` has the UUIDs of each entity's models by their ordinals.
    pub fn new(
        ranges: ComparedRanges,
        entities: &[&[Uuid]],
        segments: &[WindowSegment<'_, Visibility>],
    ) -> Self {
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
        let prompts = prompts_with_answers(segments);
        let cells = prompts.len() * models.len();
        let mut pairs = Self {
            ranges,
            prompts,
            models,
            model_numbers,
            has_answers: Side::BOTH.map(|_| vec![false; cells]),
            compared_prompts: Vec::new(),
            compared_models: Vec::new(),
        };
        for of in segments {
            let answered = of.segment.measure_answers(of.selection, |_| ());
            let indexes: Vec<usize> = pairs
                .numbered(of.entity_index, answered)
                .map(|(numbers, ())| pairs.index(numbers))
                .collect();
            let of_side = &mut pairs.has_answers[of.side.index()];
            for index in indexes {
                if let Some(has_answers) = of_side.get_mut(index) {
                    *has_answers = true;
                }
            }
        }
        let compared = pairs.pairs().filter(|(.., index)| pairs.is_compared(*index));
        let (prompts, models): (BTreeSet<u32>, BTreeSet<u32>) =
            compared.map(|(prompt, model, _)| (prompt, model)).unzip();
        pairs.compared_prompts = prompts.into_iter().collect();
        pairs.compared_models = models.into_iter().collect();
        pairs
    }

    /// Returns the number of a prompt, or `None` if it has no answers.
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

    /// Returns the numbers of the prompt and the model of each response of an entity. Responses to other prompts are left out. Those to one
    /// prompt must follow each other, so that the prompt is looked up once.
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

    fn is_compared(&self, index: usize) -> bool {
        self.has_answers.iter().all(|side| side.get(index) == Some(&true))
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

    /// Returns the compared answers of a segment, each with the number of its model.
    pub(super) fn compared_answers<'a>(
        &self,
        of: &WindowSegment<'a, Visibility>,
    ) -> impl Iterator<Item = (u32, VisibilityCellRef<'a>)> {
        let selection = of.selection;
        let is_answer = move |cell: &VisibilityCellRef<'_>| {
            cell.state == ResponseState::Answered && selection.contains(cell.prompt, cell.model)
        };
        let answers = of.segment.cells().filter(is_answer).map(|answer| {
            let cell = Cell {
                prompt: answer.prompt,
                model: answer.model,
            };
            (cell, answer)
        });
        let numbered = self.numbered(of.entity_index, answers);
        let compared = numbered.filter(|(numbers, _)| self.is_compared(self.index(*numbers)));
        compared.map(|((_, model), answer)| (model, answer))
    }

    /// Collects the counts of responses that are compared.
    pub(super) fn observations<'a, F: 'a, I: IntoIterator<Item = (Cell, Counts)>>(
        &self,
        segments: &[WindowSegment<'a, F>],
        counts: impl Fn(&WindowSegment<'a, F>) -> I,
    ) -> Observations {
        let mut observations = Observations::default();
        for of in segments {
            let first = self.ranges.of(of.side).first;
            let day = u32::try_from(of.day.0 - first.0).unwrap_or_default();
            let numbered = self.numbered(of.entity_index, counts(of).into_iter());
            let compared = numbered.filter(|(numbers, _)| self.is_compared(self.index(*numbers)));
            observations.extend(compared.map(|((prompt, model), counts)| Observation {
                prompt,
                model,
                side: of.side,
                day,
                counts,
            }));
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
            if !is_named && !self.is_compared(index) {
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

/// Returns the prompts that have selected answers, ascending.
fn prompts_with_answers(segments: &[WindowSegment<'_, Visibility>]) -> Vec<PromptKey> {
    let mut prompts: Vec<PromptKey> = Vec::new();
    for of in segments {
        let first = prompts.len();
        for (cell, ()) in of.segment.measure_answers(of.selection, |_| ()) {
            let key = PromptKey {
                entity_index: of.entity_index,
                prompt: cell.prompt,
            };
            if prompts[first..].last() != Some(&key) {
                prompts.push(key);
            }
        }
    }
    prompts.sort_unstable();
    prompts.dedup();
    prompts
}
