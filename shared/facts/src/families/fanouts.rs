//! The fanouts family: the web searches that each answered response of a check ran.

mod encoding;
pub(crate) mod spelling;

use std::ops::Range;
use std::sync::Arc;

use domain::answer::ResponseState;
use domain::cell::Cell;
use domain::check::Response;
use domain::ordinal::{ModelOrdinal, PromptOrdinal};
use domain::time::Timestamp;

use crate::codec::{CellIndex, Selection, StringId, TextList};

/// The searches that one model ran for its answer to one prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FanoutRow {
    pub prompt: PromptOrdinal,
    pub model: ModelOrdinal,
    pub answered_at: Timestamp,
    /// The searches in the order in which they ran, including repeated ones.
    pub queries: Vec<String>,
}

impl FanoutRow {
    fn cell(&self) -> Cell {
        Cell {
            prompt: self.prompt,
            model: self.model,
        }
    }
}

/// Returns the row of a recorded response. Its queries are empty unless the response is answered.
pub fn fanout_row(response: &Response) -> FanoutRow {
    FanoutRow {
        prompt: response.prompt,
        model: response.model,
        answered_at: response.answered_at,
        queries: match response.state {
            ResponseState::Answered => response.queries.clone(),
            ResponseState::Refused | ResponseState::Failed => Vec::new(),
        },
    }
}

/// A row of a decoded segment. Queries are ids of a [`StringInterner`](crate::codec::StringInterner).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FanoutRowRef<'a> {
    pub prompt: PromptOrdinal,
    pub model: ModelOrdinal,
    pub answered_at: Timestamp,
    /// The spellings of the searches, in order, with white space collapsed.
    pub spelled: &'a [StringId],
    /// The case-folded form of each search. Searches with equal forms count as one query.
    pub folded: &'a [StringId],
}

/// The searches of one check, by prompt, then model, then in the order in which they ran.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fanouts {
    rows: Arc<FanoutRows>,
    spelled: Vec<StringId>,
    folded: Vec<StringId>,
}

/// The responses that ran at least one search.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct FanoutRows {
    cell_index: CellIndex,
    answered_at: Vec<Timestamp>,
    /// The index of the search after each row's last one.
    ends: Vec<usize>,
}

/// Fanouts whose searches have no ids yet.
#[derive(Debug, Clone)]
pub(crate) struct DecodedFanouts {
    rows: Arc<FanoutRows>,
    spellings: TextList,
    /// The folded forms that are not just the ASCII letters in lower case, by the index of the spelling.
    folds: Vec<(usize, String)>,
    /// The index of each search's spelling.
    searches: Vec<u32>,
}

impl Fanouts {
    /// Returns all rows, by prompt, then model.
    pub fn rows(&self) -> impl Iterator<Item = FanoutRowRef<'_>> {
        let rows = self
            .rows
            .cell_index
            .cells()
            .zip(&self.rows.answered_at)
            .zip(self.spans());
        rows.filter_map(|((cell, answered_at), span)| {
            Some(FanoutRowRef {
                prompt: cell.prompt,
                model: cell.model,
                answered_at: *answered_at,
                spelled: self.spelled.get(span.clone())?,
                folded: self.folded.get(span)?,
            })
        })
    }

    /// Returns the folded searches of the selected rows, as slices of one or more rows.
    pub(crate) fn folded<'a>(&'a self, selection: &Selection) -> impl Iterator<Item = &'a [StringId]> {
        let (all, some) = match self.rows.cell_index.selected(selection) {
            None => (Some(self.folded.as_slice()), None),
            Some(selected) => (None, Some(selected)),
        };
        let some = some.into_iter().flat_map(|selected| {
            let spans = self.spans().zip(selected);
            spans.filter_map(|(span, counts)| counts.then(|| self.folded.get(span))?)
        });
        all.into_iter().chain(some)
    }

    /// Returns the selected rows.
    pub(crate) fn selected<'a>(&'a self, selection: &Selection) -> impl Iterator<Item = FanoutRowRef<'a>> {
        let selected = self.rows.cell_index.selected(selection);
        self.rows().enumerate().filter_map(move |(index, row)| {
            let counts = selected.as_ref().is_none_or(|s| s.get(index) == Some(&true));
            counts.then_some(row)
        })
    }

    fn spans(&self) -> impl Iterator<Item = Range<usize>> {
        let starts = std::iter::once(0).chain(self.rows.ends.iter().copied());
        starts.zip(&self.rows.ends).map(|(start, end)| start..*end)
    }
}

#[cfg(test)]
mod tests;
