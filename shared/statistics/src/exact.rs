//! Exact tests of no change, for a few prompts or days.
//!
//! Both count the ways in which chance could have arranged what was observed, and return the share of the
//! ways whose change is at least as large as the observed one.

/// The largest number of prompts whose signs are flipped. With more prompts, the t distribution keeps its
/// level (`tests/comparing` simulates it), and finds more.
pub const MAX_FLIPPED: usize = 7;
/// The largest number of arrangements of days.
pub const MAX_ARRANGEMENTS: usize = 10_000;
/// Differences below this share of the observed change are rounding errors.
const TOLERANCE: f64 = 1e-9;

/// Returns the p-value of `Σ values`, where each value is as likely as its negative.
///
/// Returns `None` if there are more than [`MAX_FLIPPED`] values.
pub fn sign_flips(values: &[f64]) -> Option<f64> {
    if values.len() > MAX_FLIPPED {
        return None;
    }
    let observed = values.iter().sum::<f64>().abs();
    let scale: f64 = values.iter().map(|value| value.abs()).sum();
    let ways = 1u32 << values.len();
    let as_large = (0..ways).filter(|way| {
        let flipped = values.iter().enumerate().map(|(index, value)| {
            let is_flipped = way >> index & 1 == 1;
            if is_flipped { -value } else { *value }
        });
        flipped.sum::<f64>().abs() >= observed - TOLERANCE * scale
    });
    Some(as_large.count() as f64 / f64::from(ways))
}

/// Returns the p-value of `Σ second`, where the values of both lists, whose sum is 0, could be in either
/// list.
///
/// Returns `None` if there are more than [`MAX_ARRANGEMENTS`] arrangements.
pub fn rearrangements(first: &[f64], second: &[f64]) -> Option<f64> {
    let all = [first, second].concat();
    arrangements(all.len(), second.len())?;
    let observed = second.iter().sum::<f64>().abs();
    let scale: f64 = all.iter().map(|value| value.abs()).sum();
    let mut tally = Tally {
        all: &all,
        min: observed - TOLERANCE * scale,
        ways: 0,
        as_large: 0,
    };
    tally.choose(0, second.len(), 0.0);
    Some(tally.as_large as f64 / tally.ways as f64)
}

/// Returns the number of ways to choose `chosen` of `all`, or `None` above [`MAX_ARRANGEMENTS`].
pub(crate) fn arrangements(all: usize, chosen: usize) -> Option<usize> {
    let chosen = chosen.min(all.checked_sub(chosen)?);
    let mut ways = 1;
    for step in 1..=chosen {
        ways = ways * (all - chosen + step) / step;
        if ways > MAX_ARRANGEMENTS {
            return None;
        }
    }
    Some(ways)
}

/// Goes through all ways to choose values.
struct Tally<'a> {
    all: &'a [f64],
    /// The least absolute sum that counts as large as the observed one.
    min: f64,
    ways: usize,
    as_large: usize,
}

impl Tally<'_> {
    /// Chooses `left` more values, from the one at `next` on.
    fn choose(&mut self, next: usize, left: usize, sum: f64) {
        if left == 0 {
            self.ways += 1;
            self.as_large += usize::from(sum.abs() >= self.min);
            return;
        }
        for index in next..=self.all.len() - left {
            self.choose(index + 1, left - 1, sum + self.all[index]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signs_of_equal_values_are_all_alike_in_two_of_their_ways() {
        assert_eq!(sign_flips(&[1.0; 6]), Some(2.0 / 64.0));
        assert_eq!(sign_flips(&[1.0, -1.0, 0.5]), Some(1.0));
        assert_eq!(sign_flips(&[]), Some(1.0));
        assert_eq!(sign_flips(&[1.0; MAX_FLIPPED + 1]), None);
    }

    #[test]
    fn days_that_differ_completely_are_arranged_like_this_in_two_ways() {
        assert_eq!(rearrangements(&[-1.0; 3], &[1.0; 3]), Some(2.0 / 20.0));
        assert_eq!(rearrangements(&[-1.0; 7], &[1.0; 7]), Some(2.0 / 3432.0));
        assert_eq!(rearrangements(&[0.0; 3], &[0.0; 3]), Some(1.0));
        assert_eq!(rearrangements(&[1.0; 20], &[-1.0; 20]), None);
        // Of 15 ways to choose 4 of 6 days, one has a sum of 4 or −4.
        assert_eq!(rearrangements(&[-2.0; 2], &[1.0; 4]), Some(1.0 / 15.0));
        assert_eq!(arrangements(16, 8), None, "12,870");
        assert_eq!(arrangements(15, 7), Some(6_435));
    }
}
