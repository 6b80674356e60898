//! A citations segment as bytes.
//!
//! ```text
//! matrix    the prompts and models whose responses cite something: its rows
//! domains   as `names` writes them
//! counts    one varint per domain: how many citations it has
//! rows      for each domain the rows that cite it, as distances, once per citation
//! ```

use std::collections::BTreeMap;

use super::{CitationRow, Citations, names};
use crate::facts::column::{Reader, Writer};
use crate::facts::frame::{BadSegment, Family, open, seal};
use crate::facts::postings::{Postings, first_of_each, write_rows};
use crate::facts::{Matrix, Texts};

impl Citations {
    /// The sealed segment of these rows, whatever their order. Of several rows of one prompt and model the
    /// first counts. A citation takes about a byte.
    pub fn encode(rows: &[CitationRow]) -> Vec<u8> {
        let mut rows = first_of_each(rows, |row| (row.prompt, row.model));
        rows.retain(|row| row.domains.iter().any(|(_, count)| *count > 0));
        let mut cited: BTreeMap<(&str, &str), Vec<u32>> = BTreeMap::new();
        for (index, row) in (0u32..).zip(&rows) {
            for (domain, count) in row.domains.iter().filter(|(_, count)| *count > 0) {
                let rows = cited.entry(names::key(domain)).or_default();
                rows.extend(std::iter::repeat_n(
                    index,
                    usize::try_from(*count).unwrap_or_default(),
                ));
            }
        }

        let pairs: Vec<(u32, u32)> = rows.iter().map(|row| (row.prompt, row.model)).collect();
        let mut writer = Writer::default();
        Matrix::new(&pairs).write(&mut writer);
        names::write(&cited.keys().copied().collect::<Vec<_>>(), &mut writer);
        write_rows(&cited.into_values().collect::<Vec<_>>(), &mut writer);
        seal(Family::Citations, &writer.finish())
    }

    /// The citations of a sealed segment, their domains numbered in `texts`. After an error `texts` may have
    /// texts that nothing names.
    pub fn decode(sealed: &[u8], texts: &mut Texts) -> Result<Self, BadSegment> {
        let payload = open(Family::Citations, sealed)?;
        let mut reader = Reader::new(&payload);
        let mut postings = Postings::new(Matrix::read(&mut reader)?);
        let mut numbers = Vec::new();
        names::read(&mut reader, |domain| numbers.push(texts.number(domain)))?;
        postings.read(numbers, &mut reader)?;
        reader.end()?;
        Ok(Self(postings))
    }
}

#[cfg(test)]
mod tests;
