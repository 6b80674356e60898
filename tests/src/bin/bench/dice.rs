//! Choices that are not even.

use acceptance::SeededRng;

/// From 0 to below 1.
pub(crate) fn real(dice: &mut SeededRng) -> f64 {
    (dice.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

/// True in that share of all cases.
pub(crate) fn hit(dice: &mut SeededRng, share: f64) -> bool {
    real(dice) < share
}

/// A rank from 0 to below `most`: the probability falls with the rank as 1 / rank does.
pub(crate) fn zipf(dice: &mut SeededRng, most: f64) -> usize {
    (most.powf(real(dice)) - 1.0) as usize
}

pub(crate) fn of<'a, T>(dice: &mut SeededRng, choices: &'a [T]) -> &'a T {
    dice.choose(choices)
}
