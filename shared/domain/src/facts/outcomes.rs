//! What responses come to, as the visibility family's dictionary holds it.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::column::{Reader, Writer};
use super::frame::BadSegment;
use crate::answer::State;

/// A response's state, and the ordinals of the brands it mentions in order of first mention.
pub(super) type Outcome<'a> = (State, &'a [u32]);

/// Outcomes by index, their brands in one list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Outcomes {
    states: Vec<State>,
    /// Where each outcome's brands end in `brands`.
    ends: Vec<usize>,
    brands: Vec<u32>,
}

impl Outcomes {
    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    /// Bytes of memory, about.
    pub(super) fn bytes(&self) -> usize {
        self.states.capacity() + 8 * self.ends.capacity() + 4 * self.brands.capacity()
    }

    pub(super) fn get(&self, index: usize) -> Option<Outcome<'_>> {
        let start = match index.checked_sub(1) {
            None => 0,
            Some(before) => *self.ends.get(before)?,
        };
        let brands = self.brands.get(start..*self.ends.get(index)?)?;
        Some((*self.states.get(index)?, brands))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Outcome<'_>> {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    /// Adds an outcome and gives its index.
    pub(super) fn push(&mut self, (state, brands): Outcome<'_>) -> u32 {
        self.brands.extend_from_slice(brands);
        self.close(state)
    }

    /// Reads an outcome as [`write`] writes it, and gives its index.
    pub(super) fn read(&mut self, reader: &mut Reader<'_>) -> Result<u32, BadSegment> {
        let head = reader.varint()?;
        let state = match head % 3 {
            0 => State::Answered,
            1 => State::Refused,
            _ => State::Failed,
        };
        for _ in 0..head / 3 {
            self.brands.push(reader.ordinal()?);
        }
        Ok(self.close(state))
    }

    fn close(&mut self, state: State) -> u32 {
        let index = self.states.len();
        self.states.push(state);
        self.ends.push(self.brands.len());
        u32::try_from(index).unwrap_or(u32::MAX)
    }
}

/// `3 × brands + state`, then the brands.
pub(super) fn write((state, brands): Outcome<'_>, writer: &mut Writer) {
    let state = match state {
        State::Answered => 0,
        State::Refused => 1,
        State::Failed => 2,
    };
    writer.count(brands.len() * 3 + state);
    for brand in brands {
        writer.varint(u64::from(*brand));
    }
}

/// The outcomes that occur more than once, at most `most` of them: the most frequent, of equally frequent ones
/// the least.
pub(super) fn common<'a>(outcomes: impl Iterator<Item = Outcome<'a>>, most: usize) -> Vec<Outcome<'a>> {
    let mut counts: BTreeMap<Outcome<'a>, usize> = BTreeMap::new();
    for outcome in outcomes {
        *counts.entry(outcome).or_default() += 1;
    }
    let mut common: Vec<_> = counts.into_iter().filter(|(_, count)| *count > 1).collect();
    common.sort_by_key(|(_, count)| Reverse(*count));
    common.truncate(most);
    common.into_iter().map(|(outcome, _)| outcome).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_frequent_outcomes_come_first_and_single_ones_not_at_all() {
        let (a, b, c) = (
            (State::Answered, &[1][..]),
            (State::Answered, &[2][..]),
            (State::Failed, &[][..]),
        );
        let all = [b, c, a, c, b, c, a, (State::Refused, &[])];
        assert_eq!(common(all.into_iter(), 9), [c, a, b]);
        assert_eq!(common(all.into_iter(), 2), [c, a]);
    }

    #[test]
    fn outcomes_keep_their_own_brands() {
        let mut outcomes = Outcomes::default();
        let all = [
            (State::Answered, &[3, 1][..]),
            (State::Failed, &[]),
            (State::Refused, &[7]),
        ];
        assert_eq!(all.map(|outcome| outcomes.push(outcome)), [0, 1, 2]);
        assert_eq!(outcomes.iter().collect::<Vec<_>>(), all);
        assert_eq!(outcomes.get(3), None);
    }

    #[test]
    fn more_brands_than_there_are_bytes_is_an_error() {
        let mut writer = Writer::default();
        writer.varint(u64::MAX);
        writer.raw(&[1, 2, 3]);
        let bytes = writer.finish();
        let read = Outcomes::default().read(&mut Reader::new(&bytes));
        assert_eq!(read, Err(BadSegment::Columns));
    }
}
