//! The encoding of citations segments.
//!
//! ```text
//! cells     the cell index: which prompts and models have a response that cites something
//! domains   the cited domains, sorted
//! counts    one varint per domain: the number of its citations
//! rows      for each domain the rows that cite it, ascending, as gaps; a row once per citation
//! ```

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::cell::Cell;
use domain::family::Family;
use domain::number::to_usize;

use super::{CitationRow, Citations, DecodedCitations};
use crate::codec::{
    CellIndex, ColumnReader, ColumnWriter, SegmentError, StringInterner, decode_segment, encode_segment,
};
use crate::families::postings::{CitingRows, Postings, write_postings};
use crate::families::rows::first_of_each_cell;

impl Citations {
    /// Encodes rows in any order. Of several rows for one prompt and model it keeps the first.
    ///
    /// A citation takes about one byte.
    pub fn encode(rows: &[CitationRow]) -> Vec<u8> {
        let mut rows = first_of_each_cell(rows, CitationRow::cell);
        rows.retain(|row| row.domains.iter().any(|(_, count)| *count > 0));
        let mut cited: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
        for (index, row) in (0u32..).zip(&rows) {
            for (domain, count) in row.domains.iter().filter(|(_, count)| *count > 0) {
                let rows = cited.entry(domain).or_default();
                rows.extend(std::iter::repeat_n(index, to_usize(*count)));
            }
        }

        let cells: Vec<Cell> = rows.iter().map(|row| row.cell()).collect();
        let mut writer = ColumnWriter::default();
        CellIndex::new(&cells).write(&mut writer);
        writer.texts(cited.keys().copied());
        write_postings(&cited.into_values().collect::<Vec<_>>(), &mut writer);
        encode_segment(Family::Citations, &writer.finish())
    }

    /// Decodes a segment and interns its domains in `texts`.
    pub fn decode(segment: &[u8], texts: &mut StringInterner) -> Result<Self, SegmentError> {
        Ok(DecodedCitations::decode(segment)?.intern(texts))
    }
}

impl DecodedCitations {
    pub(crate) fn decode(segment: &[u8]) -> Result<Self, SegmentError> {
        let columns = decode_segment(Family::Citations, segment)?;
        let mut reader = ColumnReader::new(&columns);
        let mut citing = CitingRows::new(CellIndex::read(&mut reader)?);
        let domains = reader.texts()?;
        citing.read(domains.len(), &mut reader)?;
        reader.expect_end()?;
        Ok(Self {
            domains,
            citing: Arc::new(citing),
        })
    }

    /// Interns the domains in `texts`.
    pub(crate) fn intern(&self, texts: &mut StringInterner) -> Citations {
        Citations(Postings::new(
            texts.intern_all(self.domains.iter()),
            self.citing.clone(),
        ))
    }
}

#[cfg(test)]
mod tests;
