//! The outcome of each response, in the bytes in which a visibility segment stores them.

use std::slice::Iter;

use domain::number::to_u32;

/// The byte of a cell whose outcome is not common.
pub(super) const OTHER: u8 = u8::MAX;
/// The maximum number of common outcomes.
pub(super) const MAX_COMMON: usize = OTHER as usize;

/// The outcome of each cell, as an index into a table of outcomes, which has the common outcomes and then the
/// others in the order of their cells.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct OutcomeBytes {
    /// The number of common outcomes, at most [`MAX_COMMON`].
    common: usize,
    /// One byte per cell: the index of a common outcome, or [`OTHER`] for the next of the other outcomes.
    bytes: Vec<u8>,
}

impl OutcomeBytes {
    pub(super) fn new(common: usize, bytes: Vec<u8>) -> Self {
        Self { common, bytes }
    }

    /// Returns the number of common outcomes.
    pub(super) fn common(&self) -> usize {
        self.common
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns whether each byte is [`OTHER`] or the index of a common outcome.
    pub(super) fn are_in_table(&self) -> bool {
        // Without an early end, many bytes are compared at once.
        let is_in_table = |byte: u8| byte == OTHER || usize::from(byte) < self.common;
        self.bytes.iter().fold(true, |all, byte| all & is_in_table(*byte))
    }

    /// Returns the number of cells whose outcomes are not common.
    pub(super) fn count_others(&self) -> usize {
        count_others(&self.bytes)
    }

    /// Returns the number of cells with each of the common outcomes.
    pub(super) fn count_common(&self) -> impl Iterator<Item = u32> {
        let mut counts = [0; 1 + MAX_COMMON];
        for byte in &self.bytes {
            if let Some(count) = counts.get_mut(usize::from(*byte)) {
                *count += 1;
            }
        }
        counts.into_iter().take(self.common)
    }

    /// Returns the index of the outcome of each cell.
    pub(super) fn indexes(&self) -> OutcomeIndexes<'_> {
        OutcomeIndexes {
            bytes: self.bytes.iter(),
            // At most 255.
            next_other: to_u32(self.common),
        }
    }
}

/// The indexes of the outcomes of consecutive cells.
#[derive(Debug, Clone)]
pub(crate) struct OutcomeIndexes<'a> {
    bytes: Iter<'a, u8>,
    /// The index of the next outcome that is not common.
    next_other: u32,
}

impl OutcomeIndexes<'_> {
    /// Takes the indexes of the first `count` cells out. Returns `None` and takes nothing if there are fewer.
    pub(super) fn split_off_first(&mut self, count: usize) -> Option<Self> {
        let (first, rest) = self.bytes.as_slice().split_at_checked(count)?;
        let split_off = Self {
            bytes: first.iter(),
            next_other: self.next_other,
        };
        self.bytes = rest.iter();
        self.next_other += to_u32(count_others(first));
        Some(split_off)
    }
}

impl Iterator for OutcomeIndexes<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        match *self.bytes.next()? {
            OTHER => {
                let index = self.next_other;
                self.next_other += 1;
                Some(index)
            }
            index => Some(u32::from(index)),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.bytes.size_hint()
    }
}

impl ExactSizeIterator for OutcomeIndexes<'_> {}

fn count_others(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte == OTHER).count()
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// Returns a number of common outcomes, and cells that each have one of them or an outcome of their own.
    fn outcomes() -> impl Strategy<Value = OutcomeBytes> {
        (0..=MAX_COMMON).prop_flat_map(|common| {
            let byte = prop_oneof![
                Just(OTHER),
                (0..=OTHER).prop_map(move |byte| { if usize::from(byte) < common { byte } else { OTHER } })
            ];
            vec(byte, 0..60).prop_map(move |bytes| OutcomeBytes::new(common, bytes))
        })
    }

    /// Returns the index of each cell's outcome: that of a common one, or the number of outcomes before it.
    fn scan(outcomes: &OutcomeBytes) -> Vec<u32> {
        let mut table = outcomes.common();
        let mut indexes = Vec::new();
        for byte in outcomes.as_bytes() {
            if *byte == OTHER {
                indexes.push(table);
                table += 1;
            } else {
                indexes.push(usize::from(*byte));
            }
        }
        indexes
            .into_iter()
            .map(|index| u32::try_from(index).unwrap())
            .collect()
    }

    proptest! {
        #[test]
        fn each_other_outcome_has_the_next_index_also_in_parts(outcomes in outcomes(), sizes in vec(0usize..9, 0..20)) {
            let expected = scan(&outcomes);
            prop_assert!(outcomes.are_in_table());
            prop_assert_eq!(outcomes.indexes().collect::<Vec<_>>(), expected.clone());
            let (mut left, mut parts) = (outcomes.indexes(), Vec::new());
            for size in sizes {
                if let Some(part) = left.split_off_first(size) {
                    prop_assert_eq!(part.len(), size);
                    parts.extend(part);
                } else {
                    prop_assert!(left.len() < size);
                }
            }
            parts.extend(left);
            prop_assert_eq!(parts, expected);
        }

        #[test]
        fn counts_are_those_of_the_indexes(outcomes in outcomes()) {
            let indexes = scan(&outcomes);
            let count = |index: usize| indexes.iter().filter(|of_cell| **of_cell as usize == index).count();
            let common: Vec<usize> = outcomes.count_common().map(|count| count as usize).collect();
            prop_assert_eq!(common, (0..outcomes.common()).map(count).collect::<Vec<_>>());
            let others = indexes.iter().filter(|index| **index as usize >= outcomes.common()).count();
            prop_assert_eq!(outcomes.count_others(), others);
        }
    }

    #[test]
    fn an_index_beyond_the_common_outcomes_is_not_in_the_table() {
        assert!(!OutcomeBytes::new(3, vec![OTHER, 2, 3]).are_in_table());
        assert!(OutcomeBytes::new(3, vec![OTHER, 2, 0]).are_in_table());
    }
}
