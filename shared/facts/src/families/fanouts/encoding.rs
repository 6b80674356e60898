//! The encoding of fanouts segments.
//!
//! ```text
//! cells       the cell index: which prompts and models ran searches
//! timestamps  when each row was answered
//! counts      one varint per row: the number of its searches, at least 1
//! dictionary  the distinct spellings, sorted
//! folds       count, then one entry per spelling whose folded form is not just its ASCII letters in lower
//!             case: the gap to the entry before, as a varint, and the folded form
//! sets        for each prompt the set of spellings that its rows ran
//! searches    one varint per search, by prompt, then model, in order: its index in the prompt's set
//! ```
//!
//! Models tend to run the same searches for one prompt, so that indexes in the prompt's own set are small.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::cell::Cell;
use domain::family::Family;
use domain::number::to_usize;
use domain::ordinal_set::OrdinalSet;
use domain::time::Timestamp;

use super::spelling::{folded, spelling};
use super::{DecodedFanouts, FanoutRow, FanoutRows, Fanouts};
use crate::codec::{
    CellIndex, ColumnReader, ColumnWriter, SegmentError, StringId, StringInterner, decode_segment,
    encode_segment, read_timestamps, write_timestamps,
};

impl Fanouts {
    /// Encodes rows in any order. Equal rows give equal bytes. Of several rows for one prompt and model it
    /// keeps the first.
    ///
    /// Blank queries are left out, and so are rows without any other query.
    pub fn encode(mut rows: Vec<FanoutRow>) -> Vec<u8> {
        rows.sort_by_key(|row| (row.prompt, row.model));
        rows.dedup_by_key(|row| (row.prompt, row.model));
        for row in &mut rows {
            for query in &mut row.queries {
                *query = spelling(query);
            }
            row.queries.retain(|query| !query.is_empty());
        }
        rows.retain(|row| !row.queries.is_empty());

        let mut writer = ColumnWriter::default();
        let cells: Vec<Cell> = rows.iter().map(FanoutRow::cell).collect();
        CellIndex::new(&cells).write(&mut writer);
        let answered_at: Vec<Timestamp> = rows.iter().map(|row| row.answered_at).collect();
        write_timestamps(&answered_at, &mut writer);
        for row in &rows {
            writer.count(row.queries.len());
        }
        let spellings = index_spellings(rows.iter().flat_map(|row| &row.queries).map(String::as_str));
        write_spellings(&spellings, &mut writer);
        write_searches(&rows, &spellings, &mut writer);
        encode_segment(Family::Fanouts, &writer.finish())
    }

    /// Decodes a segment and interns its spellings and their folded forms in `texts`.
    pub fn decode(segment: &[u8], texts: &mut StringInterner) -> Result<Self, SegmentError> {
        Ok(DecodedFanouts::decode(segment)?.intern(texts))
    }
}

impl DecodedFanouts {
    pub(crate) fn decode(segment: &[u8]) -> Result<Self, SegmentError> {
        let columns = decode_segment(Family::Fanouts, segment)?;
        let mut reader = ColumnReader::new(&columns);
        let rows = read_rows(&mut reader)?;
        let spellings = reader.texts()?;
        let folds = read_folds(&mut reader, spellings.len())?;
        let searches = read_searches(reader, &rows, spellings.len())?;
        Ok(Self {
            rows: Arc::new(rows),
            spellings,
            folds,
            searches,
        })
    }

    /// Interns the spellings and their folded forms in `texts`.
    pub(crate) fn intern(&self, texts: &mut StringInterner) -> Fanouts {
        let spelled = texts.intern_all(self.spellings.iter());
        let folded = spelled.iter().map(|id| texts.intern_ascii_lowercase(*id));
        let mut folded: Vec<StringId> = folded.collect();
        for (index, fold) in &self.folds {
            if let Some(folded) = folded.get_mut(*index) {
                *folded = texts.intern(fold);
            }
        }
        let ids = |of: &[StringId]| {
            let ids = self
                .searches
                .iter()
                .filter_map(|spelling| of.get(to_usize(*spelling)));
            ids.copied().collect()
        };
        Fanouts {
            rows: self.rows.clone(),
            spelled: ids(&spelled),
            folded: ids(&folded),
        }
    }
}

/// Reads everything but the searches.
fn read_rows(reader: &mut ColumnReader<'_>) -> Result<FanoutRows, SegmentError> {
    let mut fanouts = FanoutRows {
        cell_index: CellIndex::read(reader)?,
        ..FanoutRows::default()
    };
    let rows = fanouts.cell_index.len();
    fanouts.answered_at = read_timestamps(reader, rows)?;
    fanouts.ends.reserve_exact(rows);
    let mut end = 0usize;
    for _ in 0..rows {
        let count = to_usize(reader.varint()?);
        if count == 0 {
            return Err(SegmentError::InvalidColumns);
        }
        end = end.saturating_add(count);
        fanouts.ends.push(end);
    }
    Ok(fanouts)
}

/// Reads the searches, which end the columns, as indexes of spellings.
fn read_searches(
    mut reader: ColumnReader<'_>,
    rows: &FanoutRows,
    spellings: usize,
) -> Result<Vec<u32>, SegmentError> {
    let FanoutRows { cell_index, ends, .. } = rows;
    let mut sets = Vec::with_capacity(ends.len().min(reader.remaining()));
    for _ in cell_index.prompts() {
        sets.push(reader.ordinals::<u32>()?);
    }
    let all = ends.last().copied().unwrap_or_default(); // None without searches.
    if all > reader.remaining() {
        return Err(SegmentError::InvalidColumns);
    }
    let mut searches = Vec::with_capacity(all);
    let mut ends = ends.iter();
    for (row, set) in cell_index.prompts().zip(&sets) {
        let rows = cell_index
            .model_sets()
            .get(row.model_set)
            .map_or(0, OrdinalSet::len);
        // The end of the searches of the prompt's last row.
        let Some(end) = rows.checked_sub(1).and_then(|last| ends.nth(last)) else {
            return Err(SegmentError::InvalidColumns);
        };
        while searches.len() < *end {
            let index = to_usize(reader.varint()?);
            let spelling = set.as_slice().get(index).copied();
            let known = spelling.filter(|spelling| to_usize(*spelling) < spellings);
            searches.push(known.ok_or(SegmentError::InvalidColumns)?);
        }
    }
    reader.expect_end()?;
    Ok(searches)
}

/// Returns the distinct spellings, each with its index in the dictionary.
fn index_spellings<'a>(all: impl Iterator<Item = &'a str>) -> BTreeMap<&'a str, u32> {
    let mut spellings: BTreeMap<&str, u32> = all.map(|spelling| (spelling, 0)).collect();
    for (index, spelling) in (0..).zip(spellings.values_mut()) {
        *spelling = index;
    }
    spellings
}

/// Returns the folded form of a spelling, unless it is just its ASCII letters in lower case.
fn stored_fold(spelling: &str) -> Option<String> {
    Some(folded(spelling)).filter(|folded| spelling.to_ascii_lowercase() != *folded)
}

/// Writes the dictionary of spellings, and the folded forms that are stored.
fn write_spellings(spellings: &BTreeMap<&str, u32>, writer: &mut ColumnWriter) {
    writer.texts(spellings.keys().copied());
    let folds: Vec<(u32, String)> = spellings
        .iter()
        .filter_map(|(text, index)| Some((*index, stored_fold(text)?)))
        .collect();
    writer.count(folds.len());
    let mut next = 0;
    for (index, folded) in &folds {
        writer.varint(u64::from(index - next));
        writer.text(folded);
        next = index + 1;
    }
}

fn write_searches(rows: &[FanoutRow], spellings: &BTreeMap<&str, u32>, writer: &mut ColumnWriter) {
    let index = |query: &String| spellings.get(query.as_str()).copied();
    let prompts = || rows.chunk_by(|a, b| a.prompt == b.prompt);
    let set = |rows: &[FanoutRow]| -> OrdinalSet<u32> {
        let queries = rows.iter().flat_map(|row| &row.queries);
        queries.filter_map(index).collect()
    };
    let sets: Vec<OrdinalSet<u32>> = prompts().map(set).collect();
    for set in &sets {
        writer.ordinals(set);
    }
    for (rows, set) in prompts().zip(&sets) {
        for spelling in rows.iter().flat_map(|row| &row.queries).filter_map(index) {
            writer.count(set.as_slice().partition_point(|other| *other < spelling));
        }
    }
}

/// Reads the folded forms that are stored, each with the index of its spelling.
fn read_folds(reader: &mut ColumnReader<'_>, spellings: usize) -> Result<Vec<(usize, String)>, SegmentError> {
    let mut folds = Vec::new();
    let mut next = 0usize;
    for _ in 0..reader.count()? {
        let skipped = usize::try_from(reader.varint()?).map_err(|_| SegmentError::InvalidColumns)?;
        let index = next.saturating_add(skipped);
        if index >= spellings {
            return Err(SegmentError::InvalidColumns);
        }
        folds.push((index, reader.text()?.to_owned()));
        next = index.saturating_add(1);
    }
    Ok(folds)
}
