//! Sets of the ordinals of prompts, models or brands.

/// Distinct ordinals in ascending order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct OrdinalSet(Vec<u32>);

impl OrdinalSet {
    pub fn contains(&self, ordinal: u32) -> bool {
        self.0.binary_search(&ordinal).is_ok()
    }

    pub fn as_slice(&self) -> &[u32] {
        &self.0
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<u32> for OrdinalSet {
    fn from_iter<I: IntoIterator<Item = u32>>(ordinals: I) -> Self {
        let mut sorted: Vec<u32> = ordinals.into_iter().collect();
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
        let set: OrdinalSet = [5, 1, 5, 3].into_iter().collect();
        assert_eq!(set.as_slice(), [1, 3, 5]);
        assert!(set.contains(3) && !set.contains(2));
        assert_eq!((set.len(), set.is_empty()), (3, false));
    }
}
