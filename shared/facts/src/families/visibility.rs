//! The visibility family: how each response of a check ended, which brands it mentions, and which version of
//! the model gave it.

mod encoding;
mod model_versions;
mod outcome_bytes;
mod outcomes;

use std::collections::{BTreeSet, HashMap};

use domain::answer::ResponseState;
use domain::cell::Cell;
use domain::ordinal::{BrandOrdinal, ModelOrdinal, PromptOrdinal};

use self::model_versions::ModelVersions;
use self::outcome_bytes::{MAX_COMMON, OTHER, OutcomeBytes, OutcomeIndexes};
use self::outcomes::{CellOutcome, OutcomeTable, common_outcomes};
use crate::codec::{CellIndex, Selection};

/// The outcome of one model's response to one prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VisibilityCell {
    pub prompt: PromptOrdinal,
    pub model: ModelOrdinal,
    pub state: ResponseState,
    /// The distinct ordinals of the mentioned brands in order of first mention. The position of a mention is
    /// its index + 1.
    pub brands: Vec<BrandOrdinal>,
    /// The version of the model, if the provider reports it.
    pub model_version: Option<String>,
}

impl VisibilityCell {
    fn cell(&self) -> Cell {
        Cell {
            prompt: self.prompt,
            model: self.model,
        }
    }

    fn outcome(&self) -> CellOutcome<'_> {
        CellOutcome {
            state: self.state,
            brands: &self.brands,
        }
    }
}

/// A cell of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VisibilityCellRef<'a> {
    pub prompt: PromptOrdinal,
    pub model: ModelOrdinal,
    pub state: ResponseState,
    /// The ordinals of the mentioned brands, as in [`VisibilityCell::brands`].
    pub brands: &'a [BrandOrdinal],
    /// The version of the model, if the provider reports it.
    pub model_version: Option<&'a str>,
}

/// The cells of one check, at most one per prompt and model.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Visibility {
    /// The prompts and models that have a cell.
    cell_index: CellIndex,
    /// The common outcomes, then the other outcomes in the order of their cells.
    outcomes: OutcomeTable,
    /// The outcome of each cell, by prompt, then model.
    cells: OutcomeBytes,
    versions: ModelVersions,
}

impl Visibility {
    /// Creates a segment from cells in any order.
    ///
    /// Of several cells for one prompt and model it keeps the first. Of several mentions of one brand it
    /// keeps the first.
    pub fn new(mut cells: Vec<VisibilityCell>) -> Self {
        cells.sort_by_key(|cell| (cell.prompt, cell.model));
        cells.dedup_by_key(|cell| (cell.prompt, cell.model));
        for cell in &mut cells {
            let mut seen = BTreeSet::new();
            cell.brands.retain(|brand| seen.insert(*brand));
        }

        let index: Vec<Cell> = cells.iter().map(VisibilityCell::cell).collect();
        let mut segment = Self {
            cell_index: CellIndex::new(&index),
            versions: ModelVersions::new(cells.iter().map(|cell| cell.model_version.as_deref())),
            ..Self::default()
        };
        let common = common_outcomes(cells.iter().map(VisibilityCell::outcome), MAX_COMMON);
        for outcome in &common {
            segment.outcomes.push(*outcome);
        }
        let byte_of_common: HashMap<CellOutcome<'_>, u8> = common.into_iter().zip(0..).collect();
        let byte_of = |cell: &VisibilityCell| match byte_of_common.get(&cell.outcome()) {
            Some(index) => *index,
            None => {
                segment.outcomes.push(cell.outcome());
                OTHER
            }
        };
        let bytes = cells.iter().map(byte_of).collect();
        segment.cells = OutcomeBytes::new(byte_of_common.len(), bytes);
        segment
    }

    /// Returns all cells, by prompt, then model.
    pub fn cells(&self) -> impl Iterator<Item = VisibilityCellRef<'_>> {
        self.cell_index
            .cells()
            .zip(self.cells.indexes())
            .enumerate()
            .filter_map(|(index, (cell, outcome))| {
                let outcome = self.outcomes.get(outcome as usize)?;
                Some(VisibilityCellRef {
                    prompt: cell.prompt,
                    model: cell.model,
                    state: outcome.state,
                    brands: outcome.brands,
                    model_version: self.versions.of_cell(index),
                })
            })
    }

    /// Returns the brands that answers mention, with the number of selected answers that have this outcome.
    ///
    /// Sums over many segments look at each outcome once, so that an answer costs only one addition.
    pub(crate) fn answer_counts(
        &self,
        selection: &Selection,
    ) -> impl Iterator<Item = (&[BrandOrdinal], u64)> {
        let outcomes = self.outcomes.iter().zip(self.outcome_counts(selection));
        outcomes
            .filter(|(outcome, count)| outcome.state == ResponseState::Answered && *count > 0)
            .map(|(outcome, count)| (outcome.brands, u64::from(count)))
    }

    /// Returns the number of selected responses with each outcome, by the number of the outcome.
    fn outcome_counts(&self, selection: &Selection) -> Vec<u32> {
        let Some(selected) = self.cell_index.selected(selection) else {
            // One response has each of the outcomes that are not common.
            let mut counts = Vec::with_capacity(self.outcomes.len());
            counts.extend(self.cells.count_common());
            counts.resize(self.outcomes.len(), 1);
            return counts;
        };
        let mut counts = vec![0; self.outcomes.len()];
        for (outcome, is_selected) in self.cells.indexes().zip(selected) {
            if let Some(count) = counts.get_mut(outcome as usize) {
                *count += u32::from(is_selected);
            }
        }
        counts
    }

    /// Returns the brands that each outcome mentions, by the number of the outcome.
    pub fn mentioned_brands(&self) -> impl Iterator<Item = &[BrandOrdinal]> {
        self.outcomes.brands()
    }

    /// Returns whether the version of any model is known.
    pub fn has_model_versions(&self) -> bool {
        !self.versions.is_empty()
    }

    /// Returns the version of the model that gave a response, if the provider reports it.
    pub fn model_version(&self, row: usize) -> Option<&str> {
        self.versions.of_cell(row)
    }

    /// Returns the prompts that have responses, ascending.
    pub fn prompts(&self) -> impl Iterator<Item = PromptOrdinal> {
        self.cell_index.prompts().map(|row| row.prompt)
    }

    /// Calls `visit` with the selected answers to each prompt that has a selected response, by prompt.
    ///
    /// This is the fastest way through many segments: a prompt and a set of models are looked up once, not
    /// once per answer.
    pub fn visit_answers(&self, selection: &Selection, mut visit: impl FnMut(PromptAnswers<'_>)) {
        let is_answer: Vec<bool> = self.outcomes.are_answers().collect();
        let is_selected_model = |model: ModelOrdinal| {
            let models = selection.models.as_ref();
            models.is_none_or(|models| models.contains(model))
        };
        let sets = self.cell_index.model_sets();
        let selected_models: Vec<Vec<bool>> = sets
            .iter()
            .map(|models| models.as_slice().iter().copied().map(is_selected_model).collect())
            .collect();
        let mut left = self.cells.indexes();
        let mut next_row = 0;
        for row in self.cell_index.prompts() {
            let models = sets[row.model_set].as_slice();
            let Some(outcomes) = left.split_off_first(models.len()) else {
                return;
            };
            let first_row = next_row;
            next_row += models.len();
            let prompts = selection.prompts.as_ref();
            if prompts.is_none_or(|prompts| prompts.contains(row.prompt)) {
                visit(PromptAnswers {
                    is_answer: &is_answer,
                    prompt: row.prompt,
                    models,
                    selected: &selected_models[row.model_set],
                    outcomes,
                    first_row,
                });
            }
        }
    }
}

/// The selected answers to one prompt.
#[derive(Debug, Clone)]
pub struct PromptAnswers<'a> {
    /// Whether an outcome is an answer, by its number.
    is_answer: &'a [bool],
    prompt: PromptOrdinal,
    models: &'a [ModelOrdinal],
    /// Whether each of the models is selected.
    selected: &'a [bool],
    /// The number of the outcome of each of the models.
    outcomes: OutcomeIndexes<'a>,
    /// The row of the first model.
    first_row: usize,
}

/// One answer to a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnswerRef {
    pub model: ModelOrdinal,
    /// The number of its outcome, as in [`Visibility::mentioned_brands`].
    pub outcome: u32,
    /// Its row in the segment.
    pub row: usize,
}

impl PromptAnswers<'_> {
    pub fn prompt(&self) -> PromptOrdinal {
        self.prompt
    }

    /// Calls `visit` with each answer, by model.
    pub fn visit(&self, mut visit: impl FnMut(AnswerRef)) {
        let cells = self.models.iter().zip(self.selected).zip(self.outcomes.clone());
        for (((model, selected), outcome), row) in cells.zip(self.first_row..) {
            if *selected && self.is_answer.get(outcome as usize) == Some(&true) {
                visit(AnswerRef {
                    model: *model,
                    outcome,
                    row,
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::test_data;

    /// Returns the cells of a segment.
    fn decoded_cells(segment: &Visibility) -> Vec<VisibilityCell> {
        let cells = segment.cells().map(|cell| VisibilityCell {
            prompt: cell.prompt,
            model: cell.model,
            state: cell.state,
            brands: cell.brands.to_vec(),
            model_version: cell.model_version.map(str::to_owned),
        });
        cells.collect()
    }

    proptest! {
        #[test]
        fn a_segment_holds_the_first_cell_of_each_prompt_and_model(cells in test_data::cells()) {
            let mut first = BTreeMap::new();
            for mut cell in cells.clone() {
                let mut seen = Vec::new();
                for brand in std::mem::take(&mut cell.brands) {
                    if !seen.contains(&brand) {
                        seen.push(brand);
                    }
                }
                cell.brands = seen;
                first.entry((cell.prompt, cell.model)).or_insert(cell);
            }
            prop_assert_eq!(decoded_cells(&Visibility::new(cells)), first.into_values().collect::<Vec<_>>());
        }
    }
}
