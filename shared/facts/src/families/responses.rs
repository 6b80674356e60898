//! The responses family: what listings contain of each response of a check.
//!
//! The state and the mentions of a response are in the visibility family.

use domain::cell::Cell;
use domain::check::Response;
use domain::family::Family;
use domain::number::to_u32;
use domain::ordinal::{ModelOrdinal, PromptOrdinal};
use domain::time::Timestamp;

use super::cited_urls::distinct_cited_urls;
use super::fanouts::fanout_row;
use crate::codec::{
    CellIndex, ColumnReader, ColumnWriter, SegmentError, Selection, decode_segment, encode_segment,
    read_timestamps, write_timestamps,
};

/// One model's response to one prompt, in any state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResponseRow {
    pub prompt: PromptOrdinal,
    pub model: ModelOrdinal,
    pub answered_at: Timestamp,
    /// Whether the model searched the web; `None` if the provider does not report it.
    pub searched: Option<bool>,
    /// Whether the answer was cut off at a length limit.
    pub truncated: bool,
    /// The number of distinct canonical URLs that the response cites. It is 0 unless the response is
    /// answered.
    pub citations: u32,
    /// The number of web searches, including repeated ones. It is 0 unless the response is answered.
    pub fanouts: u32,
}

impl ResponseRow {
    fn cell(&self) -> Cell {
        Cell {
            prompt: self.prompt,
            model: self.model,
        }
    }
}

/// Returns the row of a recorded response.
pub fn response_row(response: &Response) -> ResponseRow {
    let searches = fanout_row(response).queries;
    let searches = searches.iter().filter(|query| !query.trim().is_empty());
    ResponseRow {
        prompt: response.prompt,
        model: response.model,
        answered_at: response.answered_at,
        searched: response.searched,
        truncated: response.truncated,
        citations: to_u32(distinct_cited_urls(response).len()),
        fanouts: to_u32(searches.count()),
    }
}

/// The decoded responses of one check, by prompt, then model.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Responses {
    cell_index: CellIndex,
    columns: Vec<Columns>,
}

/// The values of a row, except its prompt and model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Columns {
    answered_at: Timestamp,
    flags: u8,
    citations: u32,
    fanouts: u32,
}

impl Responses {
    /// Encodes rows in any order. Equal rows give equal bytes. Of several rows for one prompt and model it
    /// keeps the first.
    ///
    /// ```text
    /// cells      the cell index: which prompts and models have a response
    /// timestamps when each response was answered
    /// flags      1 byte per row: 2 × (searched 0 unknown, 1 no, 2 yes) + truncated
    /// citations  one varint per row
    /// fanouts    one varint per row
    /// ```
    pub fn encode(mut rows: Vec<ResponseRow>) -> Vec<u8> {
        rows.sort_by_key(|row| (row.prompt, row.model));
        rows.dedup_by_key(|row| (row.prompt, row.model));
        let mut writer = ColumnWriter::default();
        let cells: Vec<Cell> = rows.iter().map(ResponseRow::cell).collect();
        CellIndex::new(&cells).write(&mut writer);
        let answered_at: Vec<Timestamp> = rows.iter().map(|row| row.answered_at).collect();
        write_timestamps(&answered_at, &mut writer);
        for row in &rows {
            writer.byte(flags(row.searched, row.truncated));
        }
        for row in &rows {
            writer.varint(row.citations.into());
        }
        for row in &rows {
            writer.varint(row.fanouts.into());
        }
        encode_segment(Family::Responses, &writer.finish())
    }

    /// Decodes a segment.
    pub fn decode(segment: &[u8]) -> Result<Self, SegmentError> {
        let columns = decode_segment(Family::Responses, segment)?;
        let mut reader = ColumnReader::new(&columns);
        let cell_index = CellIndex::read(&mut reader)?;
        let answered_at = read_timestamps(&mut reader, cell_index.len())?;
        let flags = reader.raw(cell_index.len())?;
        if flags.iter().any(|flags| *flags > MAX_FLAGS) {
            return Err(SegmentError::InvalidColumns);
        }
        let mut columns: Vec<Columns> = answered_at
            .into_iter()
            .zip(flags)
            .map(|(answered_at, flags)| Columns {
                answered_at,
                flags: *flags,
                citations: 0,
                fanouts: 0,
            })
            .collect();
        for row in &mut columns {
            row.citations = reader.ordinal()?;
        }
        for row in &mut columns {
            row.fanouts = reader.ordinal()?;
        }
        reader.expect_end()?;
        Ok(Self { cell_index, columns })
    }

    /// Returns all rows, by prompt, then model.
    pub fn rows(&self) -> impl Iterator<Item = ResponseRow> {
        let rows = self.cell_index.cells().zip(&self.columns);
        rows.map(|(cell, columns)| ResponseRow {
            prompt: cell.prompt,
            model: cell.model,
            answered_at: columns.answered_at,
            searched: searched(columns.flags),
            truncated: columns.flags % 2 == 1,
            citations: columns.citations,
            fanouts: columns.fanouts,
        })
    }

    /// Returns the selected rows, by prompt, then model.
    pub fn selected(&self, selection: &Selection) -> impl Iterator<Item = ResponseRow> {
        let selected = self.cell_index.selected(selection);
        self.rows().enumerate().filter_map(move |(index, row)| {
            let kept = selected
                .as_ref()
                .is_none_or(|rows| rows.get(index) == Some(&true));
            kept.then_some(row)
        })
    }
}

/// The maximum value that [`flags`] returns.
const MAX_FLAGS: u8 = 5;

fn flags(searched: Option<bool>, truncated: bool) -> u8 {
    2 * searched.map_or(0, |searched| 1 + u8::from(searched)) + u8::from(truncated)
}

fn searched(flags: u8) -> Option<bool> {
    (flags >= 2).then_some(flags >= 4)
}

#[cfg(test)]
mod tests;
