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

use domain::cell::Cell;
use domain::family::Family;
use domain::number::to_usize;
use domain::ordinal_set::OrdinalSet;
use domain::time::Timestamp;

use super::spelling::{folded, spelling};
use super::{FanoutRow, Fanouts};
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

    /// Decodes a segment and interns its spellings and their folded forms in `texts`, where they remain even
    /// if decoding fails later.
    pub fn decode(segment: &[u8], texts: &mut StringInterner) -> Result<Self, SegmentError> {
        let columns = decode_segment(Family::Fanouts, segment)?;
        let mut reader = ColumnReader::new(&columns);
        let mut fanouts = Self::read_rows(&mut reader)?;
        let spellings = read_spellings(&mut reader, texts)?;
        fanouts.read_searches(reader, &spellings)?;
        Ok(fanouts)
    }

    /// Reads everything but the searches.
    fn read_rows(reader: &mut ColumnReader<'_>) -> Result<Self, SegmentError> {
        let mut fanouts = Self {
            cell_index: CellIndex::read(reader)?,
            ..Self::default()
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

    /// Reads the searches, which end the columns.
    fn read_searches(
        &mut self,
        mut reader: ColumnReader<'_>,
        spellings: &[SpellingIds],
    ) -> Result<(), SegmentError> {
        let mut sets = Vec::with_capacity(self.ends.len().min(reader.remaining()));
        for _ in self.cell_index.prompts() {
            sets.push(reader.ordinals::<u32>()?);
        }
        let searches = self.ends.last().copied().unwrap_or_default(); // None without searches.
        if searches > reader.remaining() {
            return Err(SegmentError::InvalidColumns);
        }
        self.spelled.reserve_exact(searches);
        self.folded.reserve_exact(searches);
        let mut ends = self.ends.iter();
        for (row, set) in self.cell_index.prompts().zip(&sets) {
            let rows = self
                .cell_index
                .model_sets()
                .get(row.model_set)
                .map_or(0, OrdinalSet::len);
            // The end of the searches of the prompt's last row.
            let Some(end) = rows.checked_sub(1).and_then(|last| ends.nth(last)) else {
                return Err(SegmentError::InvalidColumns);
            };
            while self.spelled.len() < *end {
                let index = to_usize(reader.varint()?);
                let spelling = set.as_slice().get(index).and_then(|s| usize::try_from(*s).ok());
                let ids = spelling.and_then(|spelling| spellings.get(spelling));
                let ids = ids.ok_or(SegmentError::InvalidColumns)?;
                self.spelled.push(ids.spelled);
                self.folded.push(ids.folded);
            }
        }
        reader.expect_end()
    }
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

/// The ids of a spelling and of its folded form.
#[derive(Clone, Copy)]
struct SpellingIds {
    spelled: StringId,
    folded: StringId,
}

fn read_spellings(
    reader: &mut ColumnReader<'_>,
    texts: &mut StringInterner,
) -> Result<Vec<SpellingIds>, SegmentError> {
    let mut ids = Vec::new();
    for spelled in texts.intern_all(reader.texts()?.into_iter()) {
        let folded = texts.intern_ascii_lowercase(spelled);
        ids.push(SpellingIds { spelled, folded });
    }
    let mut next = 0usize;
    for _ in 0..reader.count()? {
        let skipped = usize::try_from(reader.varint()?).map_err(|_| SegmentError::InvalidColumns)?;
        let index = next.saturating_add(skipped);
        let ids = ids.get_mut(index).ok_or(SegmentError::InvalidColumns)?;
        ids.folded = texts.intern(reader.text()?);
        next = index.saturating_add(1);
    }
    Ok(ids)
}
