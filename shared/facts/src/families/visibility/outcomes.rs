//! The outcomes of responses, which a visibility segment stores as a dictionary.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use domain::answer::ResponseState;
use domain::number::to_u32;
use domain::ordinal::BrandOrdinal;

use crate::codec::{ColumnReader, ColumnWriter, SegmentError};

/// The outcome of a response. Responses with equal outcomes share one entry of the dictionary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct CellOutcome<'a> {
    pub(crate) state: ResponseState,
    /// The ordinals of the mentioned brands, in order of first mention.
    pub(crate) brands: &'a [BrandOrdinal],
}

/// A list of outcomes, which stores all their brands in one vector.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct OutcomeTable {
    outcomes: Vec<OutcomeSpan>,
    /// The brands of all outcomes, one outcome after the other.
    brands: Vec<BrandOrdinal>,
}

/// The state of an outcome, and where its brands end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct OutcomeSpan {
    state: ResponseState,
    /// An index into [`OutcomeTable::brands`].
    end: u32,
}

impl OutcomeSpan {
    fn end(self) -> usize {
        self.end as usize
    }
}

impl OutcomeTable {
    pub(crate) fn len(&self) -> usize {
        self.outcomes.len()
    }

    pub(super) fn get(&self, index: usize) -> Option<CellOutcome<'_>> {
        let start = match index.checked_sub(1) {
            None => 0,
            Some(before) => self.outcomes.get(before)?.end(),
        };
        let outcome = self.outcomes.get(index)?;
        Some(CellOutcome {
            state: outcome.state,
            brands: self.brands.get(start..outcome.end())?,
        })
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = CellOutcome<'_>> {
        let outcomes = self.outcomes.iter().zip(self.brands());
        outcomes.map(|(outcome, brands)| CellOutcome {
            state: outcome.state,
            brands,
        })
    }

    /// Returns whether each outcome is an answer.
    pub(super) fn are_answers(&self) -> impl Iterator<Item = bool> {
        self.outcomes
            .iter()
            .map(|outcome| outcome.state == ResponseState::Answered)
    }

    /// Returns the brands of each outcome.
    pub(super) fn brands(&self) -> impl Iterator<Item = &[BrandOrdinal]> {
        let mut start = 0;
        self.outcomes.iter().map(move |outcome| {
            let brands = self.brands.get(start..outcome.end()).unwrap_or_default(); // Ends are checked.
            start = outcome.end();
            brands
        })
    }

    /// Allocates for this number of outcomes, each with a brand or two.
    pub(super) fn with_capacity(outcomes: usize) -> Self {
        Self {
            outcomes: Vec::with_capacity(outcomes),
            brands: Vec::with_capacity(2 * outcomes),
        }
    }

    /// Allocates for more outcomes, each with a brand or two.
    pub(super) fn reserve(&mut self, outcomes: usize) {
        self.outcomes.reserve_exact(outcomes);
        self.brands.reserve_exact(2 * outcomes);
    }

    /// Adds an outcome.
    pub(super) fn push(&mut self, outcome: CellOutcome<'_>) {
        self.brands.extend_from_slice(outcome.brands);
        self.finish_outcome(outcome.state);
    }

    /// Reads an outcome as [`write_outcome`] writes it, and adds it.
    pub(super) fn read(&mut self, reader: &mut ColumnReader<'_>) -> Result<(), SegmentError> {
        let head = reader.varint()?;
        let state = match head % 3 {
            0 => ResponseState::Answered,
            1 => ResponseState::Refused,
            _ => ResponseState::Failed,
        };
        for _ in 0..head / 3 {
            self.brands.push(reader.ordinal()?.into());
        }
        self.finish_outcome(state);
        Ok(())
    }

    /// Adds an outcome with the brands that were pushed last.
    fn finish_outcome(&mut self, state: ResponseState) {
        self.outcomes.push(OutcomeSpan {
            state,
            // A segment has far fewer brands than this type can count.
            end: to_u32(self.brands.len()),
        });
    }
}

/// Writes an outcome: `3 × number of brands + state`, then the brands.
pub(super) fn write_outcome(outcome: CellOutcome<'_>, writer: &mut ColumnWriter) {
    let state = match outcome.state {
        ResponseState::Answered => 0,
        ResponseState::Refused => 1,
        ResponseState::Failed => 2,
    };
    writer.count(outcome.brands.len() * 3 + state);
    for brand in outcome.brands {
        writer.varint(brand.get().into());
    }
}

/// Returns the outcomes that occur more than once, the most frequent first, at most `max` of them.
///
/// Equally frequent outcomes are in ascending order.
pub(super) fn common_outcomes<'a>(
    outcomes: impl Iterator<Item = CellOutcome<'a>>,
    max: usize,
) -> Vec<CellOutcome<'a>> {
    let mut counts: BTreeMap<CellOutcome<'a>, usize> = BTreeMap::new();
    for outcome in outcomes {
        *counts.entry(outcome).or_default() += 1;
    }
    let mut common: Vec<_> = counts.into_iter().filter(|(_, count)| *count > 1).collect();
    common.sort_by_key(|(_, count)| Reverse(*count));
    common.truncate(max);
    common.into_iter().map(|(outcome, _)| outcome).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(state: ResponseState, brands: &[u32]) -> CellOutcome<'static> {
        let brands: Vec<BrandOrdinal> = brands.iter().copied().map(BrandOrdinal::new).collect();
        CellOutcome {
            state,
            brands: brands.leak(),
        }
    }

    #[test]
    fn the_most_frequent_outcomes_come_first_and_single_ones_not_at_all() {
        let (a, b, c) = (
            outcome(ResponseState::Answered, &[1]),
            outcome(ResponseState::Answered, &[2]),
            outcome(ResponseState::Failed, &[]),
        );
        let all = [b, c, a, c, b, c, a, outcome(ResponseState::Refused, &[])];
        assert_eq!(common_outcomes(all.into_iter(), 9), [c, a, b]);
        assert_eq!(common_outcomes(all.into_iter(), 2), [c, a]);
    }

    #[test]
    fn outcomes_keep_their_own_brands() {
        let mut outcomes = OutcomeTable::default();
        let all = [
            outcome(ResponseState::Answered, &[3, 1]),
            outcome(ResponseState::Failed, &[]),
            outcome(ResponseState::Refused, &[7]),
        ];
        for outcome in all {
            outcomes.push(outcome);
        }
        assert_eq!(outcomes.iter().collect::<Vec<_>>(), all);
        assert_eq!([0, 1, 2].map(|index| outcomes.get(index)), all.map(Some));
        assert_eq!(outcomes.get(3), None);
    }

    #[test]
    fn more_brands_than_there_are_bytes_is_an_error() {
        let mut writer = ColumnWriter::default();
        writer.varint(u64::MAX);
        writer.raw(&[1, 2, 3]);
        let bytes = writer.finish();
        let read = OutcomeTable::default().read(&mut ColumnReader::new(&bytes));
        assert_eq!(read, Err(SegmentError::InvalidColumns));
    }
}
