//! Sets of the ordinals of prompts, models or brands.

use crate::ordinal::Ordinal;

/// Distinct ordinals in ascending order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OrdinalSet<T>(Vec<T>);

impl<T: Ordinal> OrdinalSet<T> {
    /// Creates a set of ordinals that are ascending and distinct.
    pub fn from_ascending(ordinals: Vec<T>) -> Self {
        debug_assert!(ordinals.is_sorted_by(|a, b| a < b));
        Self(ordinals)
    }

    pub fn contains(&self, ordinal: T) -> bool {
        match self.0.as_slice() {
            // Most sets of brands have one.
            [only] => *only == ordinal,
            many => many.binary_search(&ordinal).is_ok(),
        }
    }

    pub fn contains_any(&self, ordinals: &[T]) -> bool {
        ordinals.iter().any(|ordinal| self.contains(*ordinal))
    }

    /// Returns how many of these ordinals are in the set.
    pub fn count_contained(&self, ordinals: &[T]) -> usize {
        match self.0.as_slice() {
            [only] => ordinals.iter().filter(|ordinal| *ordinal == only).count(),
            _ => ordinals.iter().filter(|ordinal| self.contains(**ordinal)).count(),
        }
    }

    pub fn as_slice(&self) -> &[T] {
        &self.0
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T> Default for OrdinalSet<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Ordinal> FromIterator<T> for OrdinalSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(ordinals: I) -> Self {
        let mut sorted: Vec<T> = ordinals.into_iter().collect();
        sorted.sort_unstable();
        sorted.dedup();
        Self(sorted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinals_are_a_set_whatever_their_order() {
        let set: OrdinalSet<u32> = [5, 1, 5, 3].into_iter().collect();
        assert_eq!(set.as_slice(), [1, 3, 5]);
        assert!(set.contains(3) && !set.contains(2));
        assert!(set.contains_any(&[2, 3]) && !set.contains_any(&[2, 4]) && !set.contains_any(&[]));
        assert_eq!(set.count_contained(&[5, 2, 1, 5]), 3);
        assert_eq!(OrdinalSet::from_iter([5]).count_contained(&[5, 2, 1, 5]), 2);
        assert_eq!((set.len(), set.is_empty()), (3, false));
    }
}
