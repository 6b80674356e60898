//! Decisions that weigh many features: linear classifiers whose weights a logistic regression has learned
//! from labelled texts.
//!
//! A feature is something that a text has or has not, such as a word before a name. It is known by the hash
//! of what it is, so the weights need no dictionary ("feature hashing", Weinberger et al., 2009). The weights
//! are learned by the command `train` of `tests/reading`.

/// The number of features. Few of those that occur share an id.
pub const FEATURE_COUNT: usize = 1 << 19;

/// The integer that stands for a weight of 1 in the stored weights. The sum of the weights of all features of
/// a text is the logarithm of the odds that the answer is yes.
pub const WEIGHT_SCALE: f32 = 16.0;

/// The weights of all features and the sum from which the answer is yes.
pub struct Classifier {
    /// A signed byte each, times `WEIGHT_SCALE`.
    weights: &'static [u8; FEATURE_COUNT],
    threshold: i16,
}

impl Classifier {
    pub(crate) const fn new(weights: &'static [u8; FEATURE_COUNT], threshold: i16) -> Self {
        Self { weights, threshold }
    }

    /// Returns whether a text with `features` is what the classifier looks for.
    pub(crate) fn accepts(&self, features: &[u32]) -> bool {
        let weight = |&feature: &u32| {
            self.weights
                .get(feature as usize)
                .map_or(0, |&byte| byte.cast_signed())
        };
        let sum: i32 = features.iter().map(weight).map(i32::from).sum();
        sum > i32::from(self.threshold)
    }

    /// Returns the weights as they are stored.
    pub fn weights(&self) -> &[u8] {
        self.weights
    }

    /// Returns whether these odds, as their logarithm, are enough.
    pub fn accepts_log_odds(&self, log_odds: f32) -> bool {
        log_odds * WEIGHT_SCALE > f32::from(self.threshold)
    }
}

/// The features of a text, while they are collected.
#[derive(Default)]
pub(crate) struct Features(Vec<u32>);

impl Features {
    /// Adds the feature of a kind that consists of `parts`.
    pub(crate) fn add(&mut self, kind: u8, parts: &[&[u8]]) {
        let mut hash = fnv(FNV_START, &[kind]);
        for part in parts {
            hash = fnv(hash, part);
            hash = fnv(hash, &[0xff]);
        }
        // The upper bits are mixed best.
        let id = (hash >> (u64::BITS - FEATURE_COUNT.trailing_zeros())) as u32;
        self.0.push(id);
    }

    /// Returns the ids of the features, each once, sorted.
    pub(crate) fn into_ids(mut self) -> Vec<u32> {
        self.0.sort_unstable();
        self.0.dedup();
        self.0
    }
}

/// The start of a 64-bit hash by Fowler, Noll and Vo (FNV-1a).
const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

fn fnv(hash: u64, bytes: &[u8]) -> u64 {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(hash, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    static WEIGHTS: [u8; FEATURE_COUNT] = {
        let mut weights = [0; FEATURE_COUNT];
        weights[1] = 20;
        weights[2] = (-5i8).cast_unsigned();
        weights
    };

    #[test]
    fn a_feature_has_the_same_id_wherever_it_occurs_and_is_counted_once() {
        let ids = |kinds: &[(u8, &[&[u8]])]| {
            let mut features = Features::default();
            for (kind, parts) in kinds {
                features.add(*kind, parts);
            }
            features.into_ids()
        };
        let [one, other]: [&[&[u8]]; 2] = [&[b"a", b"bc"], &[b"ab", b"c"]];
        let alone = ids(&[(1, one)]);
        assert_eq!(ids(&[(1, one), (1, one)]), alone);
        assert_ne!(ids(&[(2, one)]), alone);
        assert_ne!(ids(&[(1, other)]), alone);
        let all = ids(&[(1, other), (2, one), (1, one)]);
        assert_eq!(all.len(), 3);
        assert!(all.is_sorted() && all.contains(&alone[0]));
        assert!(all.iter().all(|&id| (id as usize) < FEATURE_COUNT));
    }

    #[test]
    fn the_sum_of_the_weights_must_exceed_the_threshold() {
        let classifier = Classifier::new(&WEIGHTS, 19);
        assert!(classifier.accepts(&[0, 1, 3]));
        assert!(!classifier.accepts(&[1, 2]));
        assert!(!classifier.accepts(&[]));
        assert!(!classifier.accepts(&[u32::MAX]));
        assert!(classifier.accepts_log_odds(20.0 / WEIGHT_SCALE));
        assert!(!classifier.accepts_log_odds(19.0 / WEIGHT_SCALE));
    }
}
