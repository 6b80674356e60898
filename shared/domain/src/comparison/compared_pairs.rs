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
    /// The number of each entity's first prompt.
    first_prompts: Vec<u32>,
    prompts: u32,
    /// The distinct models, ascending.
    models: Vec<Uuid>,
    /// The number of each entity's models, by their ordinals.
    model_numbers: Vec<Vec<u32>>,
    /// Whether each pair has answers, by window. A pair has the index prompt × models + model.
    has_answers: [Vec<bool>; 2],
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
        let mut pairs = Self {
            ranges,
            first_prompts: Vec::new(),
            prompts: 0,
            models,
            model_numbers,
            has_answers: Default::default(),
        };
        for entity_index in 0..entities.len() {
            pairs.first_prompts.push(pairs.prompts);
            let of_entity = segments.iter().filter(|of| of.entity_index == entity_index);
            let last = of_entity.filter_map(|of| of.segment.last_prompt()).max();
            pairs.prompts += last.map_or(0, |last| last.get().saturating_add(1));
        }
        let cells = pairs.prompts as usize * pairs.models.len();
        pairs.has_answers = Side::BOTH.map(|_| vec![false; cells]);
        for of in segments {
            for (cell, ()) in of.segment.measure_answers(of.selection, |_| ()) {
                if let Some(index) = pairs.index(of.entity_index, cell)
                    && let Some(has_answers) = pairs.has_answers[of.side.index()].get_mut(index)
                {
                    *has_answers = true;
                }
            }
        }
        pairs
    }

    /// Returns the number of a prompt.
    pub fn prompt_number(&self, key: PromptKey) -> Option<u32> {
        let first = self.first_prompts.get(key.entity_index)?;
        let number = first.checked_add(key.prompt.get())?;
        let end = self
            .first_prompts
            .get(key.entity_index + 1)
            .unwrap_or(&self.prompts);
        (number < *end).then_some(number)
    }

    /// Returns the number of an entity's model.
    pub(super) fn model_number(&self, entity_index: usize, model: ModelOrdinal) -> Option<u32> {
        self.model_numbers.get(entity_index)?.get(model.index()).copied()
    }

    /// Returns the UUID of a model.
    pub(super) fn model(&self, number: u32) -> Option<Uuid> {
        self.models.get(number as usize).copied()
    }

    /// Returns the prompt with a number.
    pub(super) fn prompt(&self, number: u32) -> PromptKey {
        let entity_index = self.first_prompts.partition_point(|first| *first <= number) - 1;
        let first = self.first_prompts.get(entity_index).copied().unwrap_or_default();
        PromptKey {
            entity_index,
            prompt: (number - first).into(),
        }
    }

    fn index(&self, entity_index: usize, cell: Cell) -> Option<usize> {
        let key = PromptKey {
            entity_index,
            prompt: cell.prompt,
        };
        let (prompt, model) = (
            self.prompt_number(key)?,
            self.model_number(entity_index, cell.model)?,
        );
        Some(prompt as usize * self.models.len() + model as usize)
    }

    fn is_compared(&self, index: usize) -> bool {
        self.has_answers.iter().all(|side| side.get(index) == Some(&true))
    }

    /// Returns the pairs, as numbers of a prompt and a model, with whether each is compared.
    fn pairs(&self) -> impl Iterator<Item = (u32, u32, usize)> {
        let models = u32::try_from(self.models.len()).unwrap_or(u32::MAX);
        let numbers = (0..self.prompts).flat_map(move |prompt| (0..models).map(move |model| (prompt, model)));
        numbers
            .zip(0usize..)
            .map(|((prompt, model), index)| (prompt, model, index))
    }

    /// Returns whether a cell of a segment is an answer that is compared.
    pub(super) fn counts(&self, of: &WindowSegment<'_, Visibility>, cell: &VisibilityCellRef<'_>) -> bool {
        let index = self.index(
            of.entity_index,
            Cell {
                prompt: cell.prompt,
                model: cell.model,
            },
        );
        cell.state == ResponseState::Answered
            && of.selection.contains(cell.prompt, cell.model)
            && index.is_some_and(|index| self.is_compared(index))
    }

    /// Returns the numbers of the prompts that are compared with any model, ascending.
    pub(super) fn compared_prompts(&self) -> Vec<u32> {
        let compared = self.pairs().filter(|(.., index)| self.is_compared(*index));
        let prompts: BTreeSet<u32> = compared.map(|(prompt, ..)| prompt).collect();
        prompts.into_iter().collect()
    }

    /// Returns the numbers of the models that are compared with any prompt, ascending.
    pub(super) fn compared_models(&self) -> Vec<u32> {
        let compared = self.pairs().filter(|(.., index)| self.is_compared(*index));
        let models: BTreeSet<u32> = compared.map(|(_, model, _)| model).collect();
        models.into_iter().collect()
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
            for (cell, counts) in counts(of) {
                let key = PromptKey {
                    entity_index: of.entity_index,
                    prompt: cell.prompt,
                };
                let is_compared = self
                    .index(of.entity_index, cell)
                    .is_some_and(|index| self.is_compared(index));
                let numbers = (
                    self.prompt_number(key),
                    self.model_number(of.entity_index, cell.model),
                );
                if let ((Some(prompt), Some(model)), true) = (numbers, is_compared) {
                    observations.add(Observation {
                        prompt,
                        model,
                        side: of.side,
                        day,
                        counts,
                    });
                }
            }
        }
        observations
    }

    /// Returns what is not compared, by prompt and model.
    pub fn left_out(&self) -> LeftOut {
        let (prompts, models) = (self.compared_prompts(), self.compared_models());
        let mut left_out = LeftOut::default();
        let reason = |mut indexes: std::vec::IntoIter<usize>| {
            let sides = Side::BOTH.map(|side| {
                let of_side = &self.has_answers[side.index()];
                indexes.clone().any(|index| of_side.get(index) == Some(&true))
            });
            match sides {
                [false, false] => None,
                [false, true] => Some(LeftOutReason::NoAnswersInBase),
                [true, false] => Some(LeftOutReason::NoAnswersInWindow),
                [true, true] => indexes
                    .all(|index| !self.is_compared(index))
                    .then_some(LeftOutReason::NoCommonAnswers),
            }
        };
        let all: Vec<(u32, u32, usize)> = self.pairs().collect();
        let indexes = |is_wanted: &dyn Fn(u32, u32) -> bool| -> std::vec::IntoIter<usize> {
            let wanted = all.iter().filter(|(prompt, model, _)| is_wanted(*prompt, *model));
            wanted.map(|(.., index)| *index).collect::<Vec<_>>().into_iter()
        };
        for of_prompt in all.chunk_by(|a, b| a.0 == b.0) {
            let Some((prompt, ..)) = of_prompt.first().copied() else {
                continue;
            };
            if prompts.binary_search(&prompt).is_err() {
                let of_prompt: Vec<usize> = of_prompt.iter().map(|(.., index)| *index).collect();
                if let Some(reason) = reason(of_prompt.into_iter()) {
                    left_out.prompts.push((self.prompt(prompt), reason));
                }
            }
        }
        for (number, uuid) in (0..).zip(&self.models) {
            if models.binary_search(&number).is_err()
                && let Some(reason) = reason(indexes(&|_, model| model == number))
            {
                left_out.models.push((*uuid, reason));
            }
        }
        for (prompt, model, index) in &all {
            let are_compared = prompts.binary_search(prompt).is_ok() && models.binary_search(model).is_ok();
            if are_compared
                && !self.is_compared(*index)
                && let Some(reason) = reason(vec![*index].into_iter())
                && let Some(uuid) = self.model(*model)
            {
                left_out.pairs.push((self.prompt(*prompt), uuid, reason));
            }
        }
        left_out
    }
}
