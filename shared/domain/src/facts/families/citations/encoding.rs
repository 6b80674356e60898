//! The encoding of citations segments.
//!
//! ```text
//! cells     the cell index: which prompts and models have a response that cites something
//! domains   the cited domains, grouped by ending
//! counts    one varint per domain: the number of its citations
//! rows      for each domain the rows that cite it, ascending, as gaps; a row once per citation
//! ```
//!
//! The checks of a month share the column `domains`, and each of them has the set of its domains' indexes instead.

use std::collections::{BTreeMap, BTreeSet};

use super::{CitationRow, Citations};
use crate::check_key::CheckKey;
use crate::facts::codec::{
    Cell, CellIndex, ColumnReader, ColumnWriter, DomainKey, SegmentError, StringId, StringInterner,
    read_domain_names, write_domain_names,
};
use crate::facts::families::family::{Family, decode_segment, encode_segment};
use crate::facts::families::month::{MergedColumns, MonthColumns};
use crate::facts::families::postings::{Postings, write_postings};
use crate::facts::families::rows::first_of_each_cell;

impl Citations {
    /// Encodes rows in any order. Of several rows for one prompt and model it keeps the first.
    ///
    /// A citation takes about one byte.
    pub fn encode(rows: &[CitationRow]) -> Vec<u8> {
        let mut rows = first_of_each_cell(rows, CitationRow::cell);
        rows.retain(|row| row.domains.iter().any(|(_, count)| *count > 0));
        let mut cited: BTreeMap<DomainKey<'_>, Vec<u32>> = BTreeMap::new();
        for (index, row) in (0u32..).zip(&rows) {
            for (domain, count) in row.domains.iter().filter(|(_, count)| *count > 0) {
                let rows = cited.entry(DomainKey::new(domain)).or_default();
                rows.extend(std::iter::repeat_n(
                    index,
                    usize::try_from(*count).unwrap_or_default(),
                ));
            }
        }

        let cells: Vec<Cell> = rows.iter().map(|row| row.cell()).collect();
        let mut writer = ColumnWriter::default();
        CellIndex::new(&cells).write(&mut writer);
        write_domain_names(&cited.keys().copied().collect::<Vec<_>>(), &mut writer);
        write_postings(&cited.into_values().collect::<Vec<_>>(), &mut writer);
        encode_segment(Family::Citations, &writer.finish())
    }

    /// Decodes a segment and interns its domains in `texts`, where they remain even if decoding fails later.
    pub fn decode(segment: &[u8], texts: &mut StringInterner) -> Result<Self, SegmentError> {
        let columns = decode_segment(Family::Citations, segment)?;
        let mut reader = ColumnReader::new(&columns);
        let cell_index = CellIndex::read(&mut reader)?;
        let ids = read_domains(&mut reader, texts)?;
        Self::from_columns(cell_index, ids, reader)
    }

    /// Decodes those checks of a month's segment that `is_wanted` selects, and interns the domains of all of them.
    pub fn decode_month(
        segment: &[u8],
        texts: &mut StringInterner,
        is_wanted: impl Fn(CheckKey) -> bool,
    ) -> Result<Vec<(CheckKey, Self)>, SegmentError> {
        let month = MonthColumns::decode(Family::Citations, segment)?;
        let mut shared = month.shared();
        let domains = read_domains(&mut shared, texts)?;
        shared.expect_end()?;
        month.decode_checks(is_wanted, |mut reader| {
            let cell_index = CellIndex::read(&mut reader)?;
            let ids = reader.indexed(&domains)?;
            Self::from_columns(cell_index, ids, reader)
        })
    }

    /// Reads the postings of the domains with these ids, which end the columns.
    fn from_columns(
        cell_index: CellIndex,
        ids: Vec<StringId>,
        mut reader: ColumnReader<'_>,
    ) -> Result<Self, SegmentError> {
        let mut postings = Postings::new(cell_index);
        postings.read(ids, &mut reader)?;
        reader.expect_end()?;
        Ok(Self(postings))
    }

    /// Merges the columns of checks.
    pub(in crate::facts::families) fn merge_columns(
        of_checks: &[(CheckKey, Vec<u8>)],
    ) -> Result<MergedColumns, SegmentError> {
        let mut split = Vec::with_capacity(of_checks.len());
        for (check, columns) in of_checks {
            let mut reader = ColumnReader::new(columns);
            let (cells, _) = reader.span(CellIndex::read)?;
            let mut domains = Vec::new();
            read_domain_names(&mut reader, |domain| domains.push(domain.to_owned()))?;
            split.push((*check, cells, domains, reader.rest()));
        }
        let all: BTreeSet<DomainKey<'_>> = split
            .iter()
            .flat_map(|(_, _, domains, _)| domains)
            .map(|domain| DomainKey::new(domain))
            .collect();
        let index: BTreeMap<DomainKey<'_>, u32> = all.iter().copied().zip(0..).collect();
        let mut shared = ColumnWriter::default();
        write_domain_names(&Vec::from_iter(all), &mut shared);
        let merged = split.iter().map(|(check, cells, domains, postings)| {
            let mut writer = ColumnWriter::default();
            writer.raw(cells);
            writer.indexes(
                domains
                    .iter()
                    .filter_map(|domain| index.get(&DomainKey::new(domain)).copied()),
            )?;
            writer.raw(postings);
            Ok((*check, writer.finish()))
        });
        Ok((shared.finish(), merged.collect::<Result<_, _>>()?))
    }
}

/// Reads domains and returns their ids.
fn read_domains(
    reader: &mut ColumnReader<'_>,
    texts: &mut StringInterner,
) -> Result<Vec<StringId>, SegmentError> {
    let mut ids = Vec::new();
    read_domain_names(reader, |domain| ids.push(texts.intern(domain)))?;
    Ok(ids)
}

#[cfg(test)]
mod tests;
