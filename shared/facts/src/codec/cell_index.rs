//! The cell index, which stores the prompts and models that a segment has a row for.
//!
//! ```text
//! prompts   set of prompt ordinals
//! sets      count, then the distinct sets of models that prompts have
//! set of    one varint per prompt: the index of its set of models
//! ```
//!
//! If every prompt was asked of every model, there is a single set, which takes a few bytes.

use std::collections::BTreeMap;

use domain::cell::Cell;
use domain::ordinal::{ModelOrdinal, PromptOrdinal};
use domain::ordinal_set::OrdinalSet;

use super::columns::{ColumnReader, ColumnWriter};
use super::error::SegmentError;

/// A prompt of a segment and the models that have a row for it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PromptModels {
    pub(crate) prompt: PromptOrdinal,
    /// An index into [`CellIndex::model_sets`].
    pub(crate) model_set: usize,
}

/// The distinct cells of a segment, by prompt, then model.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CellIndex {
    prompts: OrdinalSet<PromptOrdinal>,
    /// The index in `model_sets` of each prompt's set of models. There is such a set.
    model_set_of: Vec<usize>,
    model_sets: Vec<OrdinalSet<ModelOrdinal>>,
    /// The number of rows.
    rows: usize,
}

/// The models and prompts whose rows count. `None` stands for all of them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Selection {
    pub models: Option<OrdinalSet<ModelOrdinal>>,
    pub prompts: Option<OrdinalSet<PromptOrdinal>>,
}

impl Selection {
    /// Returns whether the response of a model to a prompt counts.
    pub fn contains(&self, prompt: PromptOrdinal, model: ModelOrdinal) -> bool {
        self.models.as_ref().is_none_or(|models| models.contains(model))
            && self
                .prompts
                .as_ref()
                .is_none_or(|prompts| prompts.contains(prompt))
    }
}

impl CellIndex {
    /// Creates the index of these cells, which must be ascending and distinct.
    pub fn new(cells: &[Cell]) -> Self {
        debug_assert!(cells.is_sorted_by(|a, b| a < b));
        let mut index = Self {
            prompts: cells.iter().map(|cell| cell.prompt).collect(),
            rows: cells.len(),
            ..Self::default()
        };
        let mut known: BTreeMap<OrdinalSet<ModelOrdinal>, usize> = BTreeMap::new();
        for of_prompt in cells.chunk_by(|a, b| a.prompt == b.prompt) {
            let models: OrdinalSet<ModelOrdinal> = of_prompt.iter().map(|cell| cell.model).collect();
            let next = known.len();
            index
                .model_set_of
                .push(*known.entry(models.clone()).or_insert_with(|| {
                    index.model_sets.push(models);
                    next
                }));
        }
        index
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.rows
    }

    pub fn is_empty(&self) -> bool {
        self.prompts.is_empty()
    }

    /// Returns the cell of each row.
    pub fn cells(&self) -> impl Iterator<Item = Cell> {
        self.prompts().flat_map(|row| {
            let models = self.model_sets[row.model_set].as_slice();
            models.iter().map(move |model| Cell {
                prompt: row.prompt,
                model: *model,
            })
        })
    }

    /// Returns whether each row counts, or `None` if all of them do.
    pub fn selected(&self, selection: &Selection) -> Option<Vec<bool>> {
        if selection.models.is_none() && selection.prompts.is_none() {
            return None;
        }
        // Models are looked up once per set, not once per prompt.
        let of_set = |models: &OrdinalSet<ModelOrdinal>| -> Vec<bool> {
            let wanted = |model: &ModelOrdinal| selection.models.as_ref().is_none_or(|m| m.contains(*model));
            models.as_slice().iter().map(wanted).collect()
        };
        let sets: Vec<Vec<bool>> = self.model_sets.iter().map(of_set).collect();
        let mut rows = Vec::with_capacity(self.len());
        for row in self.prompts() {
            let models = &sets[row.model_set];
            if selection.prompts.as_ref().is_none_or(|p| p.contains(row.prompt)) {
                rows.extend_from_slice(models);
            } else {
                rows.resize(rows.len() + models.len(), false);
            }
        }
        Some(rows)
    }

    /// Returns each prompt with the index of its set of models.
    pub(crate) fn prompts(&self) -> impl Iterator<Item = PromptModels> {
        let prompts = self.prompts.as_slice().iter().zip(&self.model_set_of);
        prompts.map(|(prompt, model_set)| PromptModels {
            prompt: *prompt,
            model_set: *model_set,
        })
    }

    pub(crate) fn model_sets(&self) -> &[OrdinalSet<ModelOrdinal>] {
        &self.model_sets
    }

    pub fn write(&self, writer: &mut ColumnWriter) {
        writer.ordinals(&self.prompts);
        writer.count(self.model_sets.len());
        for models in &self.model_sets {
            writer.ordinals(models);
        }
        for set in &self.model_set_of {
            writer.count(*set);
        }
    }

    /// Reads an index. Fails if it has more rows than bytes follow it.
    ///
    /// Every row takes at least one byte of the following columns, so this check limits what corrupt bytes
    /// can allocate.
    pub fn read(reader: &mut ColumnReader<'_>) -> Result<Self, SegmentError> {
        let prompts = reader.ordinals()?;
        let sets = reader.count()?;
        let mut index = Self {
            model_set_of: Vec::with_capacity(prompts.len()),
            // A set that no prompt has is never written.
            model_sets: Vec::with_capacity(sets.min(prompts.len())),
            prompts,
            rows: 0,
        };
        for _ in 0..sets {
            index.model_sets.push(reader.ordinals()?);
        }
        for _ in 0..index.prompts.len() {
            let set = usize::try_from(reader.varint()?).map_err(|_| SegmentError::InvalidColumns)?;
            let models = index.model_sets.get(set).filter(|models| !models.is_empty());
            let models = models.ok_or(SegmentError::InvalidColumns)?.len();
            index.rows = index.rows.saturating_add(models);
            index.model_set_of.push(set);
        }
        // Each row has at least one byte in the columns that follow.
        if index.rows <= reader.remaining() {
            Ok(index)
        } else {
            Err(SegmentError::InvalidColumns)
        }
    }
}

#[cfg(test)]
mod tests {

    use proptest::collection::btree_set;
    use proptest::option;
    use proptest::prelude::*;

    use super::*;
    use crate::test_data::is_in;

    proptest! {
        #[test]
        fn a_decoded_index_selects_as_a_scan_does(
            cells in btree_set((0u32..6, 0u32..4), 0..20),
            models in option::of(btree_set(0u32..5, 0..4)),
            prompts in option::of(btree_set(0u32..7, 0..5)),
        ) {
            let pairs = cells.into_iter();
            let pairs: Vec<Cell> = pairs.map(|(prompt, model)| Cell { prompt: prompt.into(), model: model.into() }).collect();
            let index = CellIndex::new(&pairs);
            prop_assert_eq!(index.cells().collect::<Vec<_>>(), pairs.clone());
            prop_assert_eq!(index.len(), pairs.len());

            let mut writer = ColumnWriter::default();
            index.write(&mut writer);
            writer.raw(&vec![0; pairs.len()]);
            let bytes = writer.finish();
            let mut reader = ColumnReader::new(&bytes);
            prop_assert_eq!(CellIndex::read(&mut reader), Ok(index.clone()));
            prop_assert_eq!(reader.remaining(), pairs.len());

            let selection = Selection {
                models: models.map(|m| m.into_iter().map(ModelOrdinal::new).collect()),
                prompts: prompts.map(|p| p.into_iter().map(PromptOrdinal::new).collect()),
            };
            let expected: Vec<bool> = pairs
                .iter()
                .map(|cell| is_in(&selection.prompts, cell.prompt) && is_in(&selection.models, cell.model))
                .collect();
            match index.selected(&selection) {
                Some(selected) => prop_assert_eq!(selected, expected),
                None => prop_assert!(expected.iter().all(|row| *row)),
            }
        }
    }

    #[test]
    fn more_rows_than_bytes_are_an_error() {
        let many: OrdinalSet<u32> = (0..50_000).collect();
        let mut writer = ColumnWriter::default();
        writer.ordinals(&many);
        writer.count(1);
        writer.ordinals(&many);
        writer.raw(&[0; 60_000]);
        let bytes = writer.finish();
        assert_eq!(
            CellIndex::read(&mut ColumnReader::new(&bytes)),
            Err(SegmentError::InvalidColumns)
        );
    }
}
