//! Postings, which list the responses that cite each text. The citations and links families are decoded to
//! them.

use std::sync::Arc;

use domain::cell::Cell;
use domain::number::{to_u64, to_usize};
use domain::ordinal::PromptOrdinal;

use crate::codec::{CellIndex, ColumnReader, ColumnWriter, SegmentError, Selection, StringId};

/// A cited text, which is a domain or a URL, and the number of its citations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CitedText {
    pub text_id: StringId,
    pub count: u64,
}

/// A response that cites a text, with the number of its citations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CitingResponse {
    pub text_id: StringId,
    pub prompt: PromptOrdinal,
    pub count: u64,
}

/// The citations of one response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CitationCounts {
    /// The citations of the wanted texts.
    pub wanted: u64,
    /// The citations of all texts.
    pub all: u64,
}

/// The rows that cite each text, which is a domain or a URL.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Postings {
    ids: Vec<StringId>,
    citing: Arc<CitingRows>,
}

/// The rows that cite each of a list of texts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct CitingRows {
    cell_index: CellIndex,
    /// The index in `rows` at which each text's rows end.
    ends: Vec<usize>,
    /// Indexes of rows of `cell_index`: ascending for each text, and repeated for each citation.
    rows: Vec<u32>,
}

impl CitingRows {
    pub(super) fn new(cell_index: CellIndex) -> Self {
        Self {
            cell_index,
            ..Self::default()
        }
    }

    /// Reads the rows of this number of texts, as [`write_postings`] writes them. Fails if the cell index
    /// lacks a row.
    pub(super) fn read(&mut self, texts: usize, reader: &mut ColumnReader<'_>) -> Result<(), SegmentError> {
        let counts = (0..texts).map(|_| reader.count());
        let counts = counts.collect::<Result<Vec<_>, _>>()?;
        let all = counts
            .iter()
            .fold(0usize, |all, count| all.saturating_add(*count));
        if all > reader.remaining() {
            return Err(SegmentError::InvalidColumns);
        }
        self.rows.reserve_exact(all);
        self.ends.reserve_exact(counts.len());
        let rows = to_u64(self.cell_index.len());
        for count in counts {
            let mut row = 0u64;
            for _ in 0..count {
                row = row.saturating_add(reader.varint()?);
                match u32::try_from(row) {
                    Ok(index) if row < rows => self.rows.push(index),
                    _ => return Err(SegmentError::InvalidColumns),
                }
            }
            self.ends.push(self.rows.len());
        }
        Ok(())
    }
}

impl Postings {
    /// Returns the postings of the texts with these ids, in the order in which their rows were read.
    pub(super) fn new(ids: Vec<StringId>, citing: Arc<CitingRows>) -> Self {
        Self { ids, citing }
    }

    /// Returns each text's id with its number of citations in the selected responses, which can be 0.
    pub(super) fn counts<'a>(&'a self, selection: &Selection) -> impl Iterator<Item = CitedText> + use<'a> {
        // Most texts have few rows, so one loop over all rows is faster than one loop per text.
        let selected = self.citing.cell_index.selected(selection);
        let sums = selected.map(|selected| {
            let mut sum = 0u32;
            let mut sums = Vec::with_capacity(self.citing.rows.len() + 1);
            sums.push(sum);
            sums.extend(self.citing.rows.iter().map(|row| {
                sum += u32::from(at(&selected, *row));
                sum
            }));
            sums
        });
        let mut start = 0;
        self.ids.iter().zip(&self.citing.ends).map(move |(text, end)| {
            let count = match &sums {
                None => to_u64(end - start),
                Some(sums) => {
                    let sum = |index: usize| sums.get(index).copied().unwrap_or_default(); // It has each end.
                    u64::from(sum(*end) - sum(start))
                }
            };
            start = *end;
            CitedText {
                text_id: *text,
                count,
            }
        })
    }

    /// Returns the counts of [`Postings::counts`] for the `wanted` texts only.
    pub(super) fn counts_of<'a, W: Fn(StringId) -> bool>(
        &'a self,
        selection: &Selection,
        wanted: W,
    ) -> impl Iterator<Item = CitedText> + use<'a, W> {
        let selected = self.citing.cell_index.selected(selection);
        let texts = self.texts().filter(move |(text, _)| wanted(*text));
        texts.map(move |(text, rows)| {
            let count = match &selected {
                None => to_u64(rows.len()),
                Some(selected) => rows.iter().map(|row| u64::from(at(selected, *row))).sum(),
            };
            CitedText { text_id: text, count }
        })
    }

    /// Returns one entry per selected response and `wanted` text that it cites.
    pub(super) fn citing(
        &self,
        selection: &Selection,
        wanted: impl Fn(StringId) -> bool,
    ) -> Vec<CitingResponse> {
        let selected = self.citing.cell_index.selected(selection);
        let prompts: Vec<PromptOrdinal> = self.citing.cell_index.cells().map(|cell| cell.prompt).collect();
        let mut citing = Vec::new();
        for (text, rows) in self.texts().filter(|(text, _)| wanted(*text)) {
            for times in rows.chunk_by(|a, b| a == b) {
                let row = times[0];
                let prompt = prompts.get(to_usize(row));
                let is_selected = selected.as_ref().is_none_or(|selected| at(selected, row));
                if let (Some(prompt), true) = (prompt, is_selected) {
                    citing.push(CitingResponse {
                        text_id: text,
                        prompt: *prompt,
                        count: to_u64(times.len()),
                    });
                }
            }
        }
        citing
    }

    /// Returns the citations of each selected response that has some, by prompt, then model.
    pub(super) fn count_by_response(
        &self,
        selection: &Selection,
        wanted: impl Fn(StringId) -> bool,
    ) -> Vec<(Cell, CitationCounts)> {
        let mut counts = vec![CitationCounts::default(); self.citing.cell_index.len()];
        for (text, rows) in self.texts() {
            let wanted = u64::from(wanted(text));
            for row in rows {
                if let Some(counts) = counts.get_mut(to_usize(*row)) {
                    counts.wanted += wanted;
                    counts.all += 1;
                }
            }
        }
        let selected = self.citing.cell_index.selected(selection);
        let cells = self.citing.cell_index.cells().zip(counts).enumerate();
        cells
            .filter(|(row, (_, counts))| {
                counts.all > 0 && selected.as_ref().is_none_or(|rows| rows.get(*row) == Some(&true))
            })
            .map(|(_, of_cell)| of_cell)
            .collect()
    }

    fn texts(&self) -> impl Iterator<Item = (StringId, &[u32])> {
        let mut start = 0;
        self.ids.iter().zip(&self.citing.ends).map(move |(text, end)| {
            let rows = self.citing.rows.get(start..*end).unwrap_or_default(); // Decoding has checked the ends.
            start = *end;
            (*text, rows)
        })
    }
}

fn at(selected: &[bool], row: u32) -> bool {
    selected.get(to_usize(row)) == Some(&true)
}

/// Writes the number of rows of each text, then the rows of each text as gaps, the first one from 0.
///
/// The rows of a text must be ascending and can repeat.
pub(super) fn write_postings(texts: &[Vec<u32>], writer: &mut ColumnWriter) {
    for rows in texts {
        writer.count(rows.len());
    }
    for rows in texts {
        debug_assert!(rows.is_sorted());
        let mut previous = 0;
        for row in rows {
            writer.varint(u64::from(row - previous));
            previous = *row;
        }
    }
}
