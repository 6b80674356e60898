//! The segments of a month, each of which holds the facts of all checks of a month in one family.
//!
//! A year of days is hundreds of segments, most of which name the same domains and searches again. Merged into a segment, the
//! checks of a month share one dictionary, and reading them takes a fraction of the bytes. Decoding a month's segment gives for each
//! check what decoding the check's own segment gives.
//!
//! ```text
//! checks   count, then for each check, ascending: the gap of its day, and its number
//! lengths  the bytes of the shared columns, then those of each check's columns
//! shared   the columns that the checks share: the dictionary of the family, if it has one
//! columns  the columns of each check
//! ```
//!
//! The columns of a check are those of its own segment, except that a family with a dictionary replaces the texts of the check by
//! the set of their indexes in the shared dictionary.

use std::ops::Range;

use super::citations::Citations;
use super::family::{Family, decode_month_segment, decode_segment, encode_month_segment};
use super::fanouts::Fanouts;
use crate::check_key::CheckKey;
use crate::facts::codec::{ColumnReader, ColumnWriter, MAX_PAYLOAD_BYTES, SegmentError};
use crate::time::Day;

/// Merges the segments of a month's checks into one segment. The checks must be ascending and distinct. Equal segments give equal
/// bytes.
///
/// Returns `None` if the family has no segments of months, or if the merged segment would be too long.
pub fn merge_segments<S: AsRef<[u8]>>(
    family: Family,
    segments: &[(CheckKey, S)],
) -> Result<Option<Vec<u8>>, SegmentError> {
    let columns = |(check, segment): &(CheckKey, S)| Ok((*check, decode_segment(family, segment.as_ref())?));
    let columns: Vec<(CheckKey, Vec<u8>)> = match family {
        Family::Links => return Ok(None),
        _ => segments
            .iter()
            .map(columns)
            .collect::<Result<_, SegmentError>>()?,
    };
    let (shared, of_checks) = match family {
        Family::Citations => Citations::merge_columns(&columns)?,
        Family::Fanouts => Fanouts::merge_columns(&columns)?,
        Family::Visibility | Family::Responses | Family::Links => (Vec::new(), columns),
    };
    let columns = write_month(&shared, &of_checks);
    Ok((columns.len() <= MAX_PAYLOAD_BYTES).then(|| encode_month_segment(family, &columns)))
}

/// The columns of each check of a month, and those that they share.
pub(super) type MergedColumns = (Vec<u8>, Vec<(CheckKey, Vec<u8>)>);

fn write_month(shared: &[u8], of_checks: &[(CheckKey, Vec<u8>)]) -> Vec<u8> {
    debug_assert!(of_checks.is_sorted_by(|(a, _), (b, _)| a < b));
    let mut writer = ColumnWriter::default();
    writer.count(of_checks.len());
    let mut previous = Day(0);
    for (CheckKey { day, check }, _) in of_checks {
        writer.signed(i64::from(day.0) - i64::from(previous.0));
        writer.varint(check.get().into());
        previous = *day;
    }
    writer.count(shared.len());
    for (_, columns) in of_checks {
        writer.count(columns.len());
    }
    writer.raw(shared);
    for (_, columns) in of_checks {
        writer.raw(columns);
    }
    writer.finish()
}

/// The columns of a month's segment.
pub(super) struct MonthColumns {
    columns: Vec<u8>,
    shared: Range<usize>,
    of_checks: Vec<(CheckKey, Range<usize>)>,
}

impl MonthColumns {
    pub(super) fn decode(family: Family, segment: &[u8]) -> Result<Self, SegmentError> {
        let columns = decode_month_segment(family, segment)?;
        let mut reader = ColumnReader::new(&columns);
        let mut checks = Vec::with_capacity(reader.clone().count()?);
        let mut day = 0i64;
        for _ in 0..reader.count()? {
            day = day.saturating_add(reader.signed()?);
            checks.push(CheckKey {
                day: Day(i32::try_from(day).map_err(|_| SegmentError::InvalidColumns)?),
                check: reader.ordinal()?.into(),
            });
        }
        if !checks.is_sorted_by(|a, b| a < b) {
            return Err(SegmentError::InvalidColumns);
        }
        let shared = reader.count()?;
        let lengths = checks.iter().map(|_| reader.count());
        let lengths = lengths.collect::<Result<Vec<_>, _>>()?;
        let mut start = columns.len() - reader.remaining();
        let mut next = |length: usize| {
            let span = start..start.saturating_add(length);
            start = span.end;
            span
        };
        let shared = next(shared);
        let of_checks: Vec<_> = checks
            .into_iter()
            .zip(lengths)
            .map(|(check, length)| (check, next(length)))
            .collect();
        if start != columns.len() {
            return Err(SegmentError::InvalidColumns);
        }
        Ok(Self {
            columns,
            shared,
            of_checks,
        })
    }

    /// Returns the columns that the checks share.
    pub(super) fn shared(&self) -> ColumnReader<'_> {
        ColumnReader::new(self.columns.get(self.shared.clone()).unwrap_or_default())
    }

    /// Decodes the columns of the checks that `is_wanted` selects.
    pub(super) fn decode_checks<'a, F>(
        &'a self,
        is_wanted: impl Fn(CheckKey) -> bool,
        mut decode: impl FnMut(ColumnReader<'a>) -> Result<F, SegmentError>,
    ) -> Result<Vec<(CheckKey, F)>, SegmentError> {
        let mut decoded = Vec::with_capacity(self.of_checks.len());
        for (check, span) in &self.of_checks {
            if is_wanted(*check) {
                let columns = self.columns.get(span.clone()).unwrap_or_default();
                decoded.push((*check, decode(ColumnReader::new(columns))?));
            }
        }
        Ok(decoded)
    }
}

#[cfg(test)]
mod tests;
