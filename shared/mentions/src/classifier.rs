//! Decisions that weigh many features: linear classifiers whose weights a logistic regression has learned from labelled texts.
//!
//! A feature is something that a text has or has not, such as a word before a name. It is known by the hash of what it is, so
//! the weights need no dictionary ("feature hashing", Weinberger et al., 2009). The weights are learned by the command `train`
//! of `tests/reading`.

/// The number of features. Few of those that occur share a number.
pub const FEATURES: usize = 1 << 18;

/// The number of units of a weight of 1. The sum of the weights of all features of a text is the logarithm of the odds.
pub const UNITS: f32 = 32.0;

/// The weights of all features and the sum from which the answer is yes.
pub struct Classifier {
    /// One byte each: signed, in `UNITS`.
    weights: &'static [u8; FEATURES],
    threshold: i16,
}

impl Classifier {
    pub(crate) const fn new(weights: &'static [u8; FEATURES], threshold: i16) -> Self {
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

    /// Returns whether a sum of weights, in units of 1, is enough.
    pub fn accepts_sum(&self, sum: f32) -> bool {
        sum * UNITS > f32::from(self.threshold)
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
        let number = (hash >> (u64::BITS - FEATURES.trailing_zeros())) as u32;
        self.0.push(number);
    }

    /// Returns the features, each once, sorted.
    pub(crate) fn into_numbers(mut self) -> Vec<u32> {
        self.0.sort_unstable();
        self.0.dedup();
        self.0
    }
}

/// The start of a 64-bit hash by Fowler, Noll and Vo (FNV-1a).
const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

/// Continues the hash with `bytes`.
fn fnv(hash: u64, bytes: &[u8]) -> u64 {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(hash, step)
}
