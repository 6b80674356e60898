//! The visibility family: for each prompt and model of a check how it ended and which brands it mentions.

mod columns;

use std::collections::{BTreeSet, HashMap};

use super::matrix::{Matrix, Selection};
use super::ordinals::Ordinals;
use super::outcomes::{self, Outcome, Outcomes};
use crate::answer::State;

/// The cell byte of an outcome that is not among the common ones, and so the most common ones there can be.
const REST: u8 = u8::MAX;

/// What one model's response to one prompt comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VisibilityCell {
    pub prompt: u32,
    pub model: u32,
    pub state: State,
    /// The ordinals of the brands it mentions, each once, in order of first mention: position = index + 1.
    pub brands: Vec<u32>,
}

impl VisibilityCell {
    fn outcome(&self) -> Outcome<'_> {
        (self.state, &self.brands)
    }
}

/// A cell of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellRef<'a> {
    pub prompt: u32,
    pub model: u32,
    pub state: State,
    /// As in [`VisibilityCell`].
    pub brands: &'a [u32],
}

/// The cells of one check, at most one per prompt and model.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Visibility {
    matrix: Matrix,
    /// The common outcomes, then the rest, in order.
    outcomes: Outcomes,
    common: usize,
    /// One index into `outcomes` per cell, by prompt, then model.
    cells: Vec<u32>,
}

impl Visibility {
    /// The segment of these cells, whatever their order. Of several cells of one prompt and model the first
    /// counts, of several mentions of one brand likewise.
    pub fn new(mut cells: Vec<VisibilityCell>) -> Self {
        cells.sort_by_key(|cell| (cell.prompt, cell.model));
        cells.dedup_by_key(|cell| (cell.prompt, cell.model));
        for cell in &mut cells {
            let mut seen = BTreeSet::new();
            cell.brands.retain(|brand| seen.insert(*brand));
        }

        let pairs: Vec<(u32, u32)> = cells.iter().map(|cell| (cell.prompt, cell.model)).collect();
        let mut new = Self {
            matrix: Matrix::new(&pairs),
            ..Self::default()
        };
        let common = outcomes::common(cells.iter().map(VisibilityCell::outcome), usize::from(REST));
        new.common = common.len();
        let common: HashMap<Outcome<'_>, u32> = common
            .into_iter()
            .map(|outcome| (outcome, new.outcomes.push(outcome)))
            .collect();
        for cell in &cells {
            let outcome = match common.get(&cell.outcome()) {
                Some(index) => *index,
                None => new.outcomes.push(cell.outcome()),
            };
            new.cells.push(outcome);
        }
        new
    }

    /// Every cell, by prompt, then model.
    pub fn cells(&self) -> impl Iterator<Item = CellRef<'_>> {
        self.matrix
            .rows()
            .zip(&self.cells)
            .filter_map(|((prompt, model), outcome)| {
                let (state, brands) = self.outcomes.get(usize::try_from(*outcome).ok()?)?;
                Some(CellRef {
                    prompt,
                    model,
                    state,
                    brands,
                })
            })
    }

    /// Prompt and outcome of each response that counts, by prompt, then model.
    pub(super) fn selected(&self, selection: &Selection) -> impl Iterator<Item = (u32, usize)> {
        let selected = self.matrix.selected(selection);
        let is_selected = move |row: usize| selected.as_ref().is_none_or(|rows| rows.get(row) == Some(&true));
        let cells = self.matrix.rows().zip(&self.cells).enumerate();
        cells
            .filter(move |(row, _)| is_selected(*row))
            .map(|(_, ((prompt, _), outcome))| (prompt, usize::try_from(*outcome).unwrap_or(usize::MAX)))
    }

    /// Bytes of memory, about.
    pub fn bytes(&self) -> usize {
        self.matrix.bytes() + 4 * self.cells.capacity() + self.outcomes.bytes()
    }

    pub(super) fn outcomes(&self) -> &Outcomes {
        &self.outcomes
    }

    pub(super) fn sets(&self) -> &[Ordinals] {
        self.matrix.sets()
    }

    /// Each prompt, which of the sets of models it has, and an index into the outcomes for each of those.
    pub(super) fn rows(&self) -> impl Iterator<Item = (u32, usize, &[u32])> {
        let mut left = self.cells.as_slice();
        self.matrix.prompts().filter_map(move |(prompt, set)| {
            let (row, rest) = left.split_at_checked(self.sets().get(set)?.len())?;
            left = rest;
            Some((prompt, set, row))
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::super::samples;
    use super::*;

    /// The cells as they come out.
    fn shown(segment: &Visibility) -> Vec<VisibilityCell> {
        let cells = segment.cells().map(|cell| VisibilityCell {
            prompt: cell.prompt,
            model: cell.model,
            state: cell.state,
            brands: cell.brands.to_vec(),
        });
        cells.collect()
    }

    proptest! {
        #[test]
        fn a_segment_holds_the_first_cell_of_each_prompt_and_model(cells in samples::cells()) {
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
            prop_assert_eq!(shown(&Visibility::new(cells)), first.into_values().collect::<Vec<_>>());
        }
    }
}
