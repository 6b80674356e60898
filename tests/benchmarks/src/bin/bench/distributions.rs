//! Random choices with uneven probabilities.

use acceptance::SeededRng;

/// Returns a uniformly distributed number from 0 to below 1.
pub(crate) fn fraction(rng: &mut SeededRng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

/// Returns true with a probability of `share`.
pub(crate) fn chance(rng: &mut SeededRng, share: f64) -> bool {
    fraction(rng) < share
}

/// Returns a rank from 0 to below `bound` by Zipf's law: the probability is proportional to 1 / rank.
pub(crate) fn zipf(rng: &mut SeededRng, bound: f64) -> usize {
    (bound.powf(fraction(rng)) - 1.0) as usize
}
