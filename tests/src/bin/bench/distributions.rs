//! Random choices with uneven probabilities.

use acceptance::SeededRng;

/// A uniformly distributed number from 0 to below 1.
pub(crate) fn real(rng: &mut SeededRng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

/// True with a probability of `share`.
pub(crate) fn hit(rng: &mut SeededRng, share: f64) -> bool {
    real(rng) < share
}

/// A rank from 0 to below `most`, by Zipf's law: the probability is proportional to 1 / rank.
pub(crate) fn zipf(rng: &mut SeededRng, most: f64) -> usize {
    (most.powf(real(rng)) - 1.0) as usize
}

pub(crate) fn of<'a, T>(rng: &mut SeededRng, choices: &'a [T]) -> &'a T {
    rng.choose(choices)
}
