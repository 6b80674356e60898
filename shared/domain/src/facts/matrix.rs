//! Which prompts and models a segment has a row for.
//!
//! ```text
//! prompts   set of prompt ordinals
//! sets      count, then each distinct set of models that some prompt has
//! set of    one varint per prompt: which of the sets
//! ```
//! A full matrix has a single set of models, and so costs next to nothing.

use std::collections::BTreeMap;

use super::column::{Reader, Writer};
use super::frame::BadSegment;
use super::ordinals::Ordinals;

/// Rows by prompt, then model; each pair at most once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Matrix {
    prompts: Ordinals,
    /// Which of `sets` each prompt has.
    set_of: Vec<usize>,
    sets: Vec<Ordinals>,
}

/// Which rows count: those of these models and prompts; all of them where it is `None`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Selection {
    pub models: Option<Ordinals>,
    pub prompts: Option<Ordinals>,
}

impl Matrix {
    /// The matrix of these pairs of prompt and model, which must be ascending and distinct.
    pub fn new(pairs: &[(u32, u32)]) -> Self {
        debug_assert!(pairs.is_sorted_by(|a, b| a < b));
        let mut new = Self {
            prompts: pairs.iter().map(|(prompt, _)| *prompt).collect(),
            ..Self::default()
        };
        let mut known: BTreeMap<Ordinals, usize> = BTreeMap::new();
        for of_prompt in pairs.chunk_by(|a, b| a.0 == b.0) {
            let models: Ordinals = of_prompt.iter().map(|(_, model)| *model).collect();
            let next = known.len();
            new.set_of.push(*known.entry(models.clone()).or_insert_with(|| {
                new.sets.push(models);
                next
            }));
        }
        new
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        let models = self
            .set_of
            .iter()
            .map(|set| self.sets.get(*set).map_or(0, Ordinals::len));
        models.sum()
    }

    pub fn is_empty(&self) -> bool {
        self.prompts.is_empty()
    }

    /// Prompt and model of each row.
    pub fn rows(&self) -> impl Iterator<Item = (u32, u32)> {
        self.prompts().flat_map(|(prompt, set)| {
            let models = self.sets.get(set).map(Ordinals::as_slice).unwrap_or_default();
            models.iter().map(move |model| (prompt, *model))
        })
    }

    /// Whether each row counts; `None` where all do.
    pub fn selected(&self, selection: &Selection) -> Option<Vec<bool>> {
        if selection.models.is_none() && selection.prompts.is_none() {
            return None;
        }
        // A model is looked up once per set, a prompt once.
        let of_set = |models: &Ordinals| -> Vec<bool> {
            let wanted = |model: &u32| selection.models.as_ref().is_none_or(|m| m.contains(*model));
            models.as_slice().iter().map(wanted).collect()
        };
        let sets: Vec<Vec<bool>> = self.sets.iter().map(of_set).collect();
        let mut rows = Vec::with_capacity(self.len());
        for (prompt, set) in self.prompts() {
            let models = sets.get(set).map(Vec::as_slice).unwrap_or_default();
            if selection.prompts.as_ref().is_none_or(|p| p.contains(prompt)) {
                rows.extend_from_slice(models);
            } else {
                rows.resize(rows.len() + models.len(), false);
            }
        }
        Some(rows)
    }

    /// Each prompt, and which of the sets of models it has.
    pub(super) fn prompts(&self) -> impl Iterator<Item = (u32, usize)> {
        self.prompts
            .as_slice()
            .iter()
            .copied()
            .zip(self.set_of.iter().copied())
    }

    pub(super) fn sets(&self) -> &[Ordinals] {
        &self.sets
    }

    /// Bytes of memory, about.
    pub fn bytes(&self) -> usize {
        let sets: usize = self.sets.iter().map(|set| 24 + 4 * set.len()).sum();
        4 * self.prompts.len() + 8 * self.set_of.capacity() + sets
    }

    pub fn write(&self, writer: &mut Writer) {
        writer.ordinals(&self.prompts);
        writer.count(self.sets.len());
        for models in &self.sets {
            writer.ordinals(models);
        }
        for set in &self.set_of {
            writer.count(*set);
        }
    }

    /// Reads a matrix whose every row takes at least a byte of what follows it: a few bytes cannot claim
    /// many rows.
    pub fn read(reader: &mut Reader<'_>) -> Result<Self, BadSegment> {
        let prompts = reader.ordinals()?;
        let sets = (0..reader.count()?)
            .map(|_| reader.ordinals())
            .collect::<Result<Vec<_>, _>>()?;
        let mut new = Self {
            prompts,
            sets,
            set_of: Vec::new(),
        };
        let mut count = 0usize;
        for _ in 0..new.prompts.len() {
            let set = usize::try_from(reader.varint()?).map_err(|_| BadSegment::Columns)?;
            let models = new.sets.get(set).filter(|models| !models.is_empty());
            count = count.saturating_add(models.ok_or(BadSegment::Columns)?.len());
            new.set_of.push(set);
        }
        if count > reader.left() {
            return Err(BadSegment::Columns);
        }
        Ok(new)
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::btree_set;
    use proptest::option;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_matrix_reads_back_and_selects_as_a_scan_does(
            pairs in btree_set((0u32..6, 0u32..4), 0..20),
            models in option::of(btree_set(0u32..5, 0..4)),
            prompts in option::of(btree_set(0u32..7, 0..5)),
        ) {
            let pairs: Vec<(u32, u32)> = pairs.into_iter().collect();
            let matrix = Matrix::new(&pairs);
            prop_assert_eq!(matrix.rows().collect::<Vec<_>>(), pairs.clone());
            prop_assert_eq!(matrix.len(), pairs.len());

            let mut writer = Writer::default();
            matrix.write(&mut writer);
            writer.raw(&vec![0; pairs.len()]);
            let bytes = writer.finish();
            let mut reader = Reader::new(&bytes);
            prop_assert_eq!(Matrix::read(&mut reader), Ok(matrix.clone()));
            prop_assert_eq!(reader.left(), pairs.len());

            let selection = Selection {
                models: models.map(|m| m.into_iter().collect()),
                prompts: prompts.map(|p| p.into_iter().collect()),
            };
            let is_in = |set: &Option<Ordinals>, ordinal| set.as_ref().is_none_or(|s| s.contains(ordinal));
            let expected: Vec<bool> = pairs
                .iter()
                .map(|(prompt, model)| is_in(&selection.prompts, *prompt) && is_in(&selection.models, *model))
                .collect();
            match matrix.selected(&selection) {
                Some(selected) => prop_assert_eq!(selected, expected),
                None => prop_assert!(expected.iter().all(|row| *row)),
            }
        }
    }

    #[test]
    fn a_few_bytes_do_not_claim_many_rows() {
        let many: Ordinals = (0..50_000).collect();
        let mut writer = Writer::default();
        writer.ordinals(&many);
        writer.count(1);
        writer.ordinals(&many);
        writer.raw(&[0; 60_000]);
        let bytes = writer.finish();
        assert_eq!(Matrix::read(&mut Reader::new(&bytes)), Err(BadSegment::Columns));
    }
}
