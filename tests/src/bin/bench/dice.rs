//! Choices that are not even.

use acceptance::Dice;

/// From 0 to below 1.
pub(crate) fn real(dice: &mut Dice) -> f64 {
    (dice.roll() >> 11) as f64 / (1_u64 << 53) as f64
}

/// True in that share of all cases.
pub(crate) fn hit(dice: &mut Dice, share: f64) -> bool {
    real(dice) < share
}

/// A rank from 0 to below `most`: the probability falls with the rank as 1 / rank does.
pub(crate) fn zipf(dice: &mut Dice, most: f64) -> usize {
    (most.powf(real(dice)) - 1.0) as usize
}

pub(crate) fn of<'a, T>(dice: &mut Dice, choices: &'a [T]) -> &'a T {
    dice.one_of(choices)
}
