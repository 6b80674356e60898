//! Figures that are computed from counts, never from other figures: shares, their intervals, and averages.

use std::iter::Sum;

use serde::{Deserialize, Serialize};

/// The 97.5 % quantile of the standard normal distribution, for two-sided 95 % intervals.
const Z: f64 = 1.959_964;

/// The number of answered responses, and how many of them mention a brand.
///
/// If `mentions` exceeds `responses`, it counts as `responses`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "AnswerCounts")]
pub struct Share {
    /// How many of the answered responses mention the brand.
    pub mentions: u64,
    /// The number of answered responses.
    pub responses: u64,
}

impl Share {
    /// Adds the counts of another share, which must be about other responses.
    pub fn add(&mut self, other: Self) {
        self.mentions = self.mentions.saturating_add(other.mentions);
        self.responses = self.responses.saturating_add(other.responses);
    }

    /// Returns the visibility score, 0 to 100 with two decimals, or `None` if there are no responses.
    pub fn score(self) -> Option<f64> {
        percent(self.mentions, self.responses)
    }

    /// Returns the Wilson 95 % interval of the score as `[low, high]`, 0 to 100 with two decimals.
    ///
    /// Returns `None` if there are no responses. `low` is exactly 0 if no response mentions the brand, and
    /// `high` is exactly 100 if all of them do.
    pub fn interval(self) -> Option<[f64; 2]> {
        let score = self.score()?;
        let mentions = self.mentions.min(self.responses);
        let n = self.responses as f64;
        let p = mentions as f64 / n;
        let zz = Z * Z / n;
        let center = (p + zz / 2.0) / (1.0 + zz);
        let half = Z * (p * (1.0 - p) / n + zz / (4.0 * n)).sqrt() / (1.0 + zz);
        let low = match mentions {
            0 => 0.0,
            // Rounding must not move a bound past the score.
            _ => two_decimals(100.0 * (center - half)).clamp(0.0, score),
        };
        let high = if mentions == self.responses {
            100.0
        } else {
            two_decimals(100.0 * (center + half)).clamp(score, 100.0)
        };
        Some([low, high])
    }

    /// Returns whether this share is significantly higher than the other, so that their 95 % intervals do not
    /// overlap.
    pub fn is_above(self, other: Self) -> bool {
        match (self.interval(), other.interval()) {
            (Some([low, _]), Some([_, high])) => low > high,
            _ => false,
        }
    }
}

impl Sum for Share {
    fn sum<I: Iterator<Item = Self>>(shares: I) -> Self {
        shares.fold(Self::default(), |mut total, share| {
            total.add(share);
            total
        })
    }
}

/// Returns 100 × `part` / `total`, 0 to 100, rounded half up to two decimals. Returns `None` if `total` is 0.
pub fn percent(part: u64, total: u64) -> Option<f64> {
    divide(100 * u128::from(part.min(total)), total)
}

/// Returns `sum` / `count`, rounded half up to two decimals. Returns `None` if `count` is 0.
pub fn average(sum: u64, count: u64) -> Option<f64> {
    divide(u128::from(sum), count)
}

/// Rounds a number to two decimals, half away from zero. Returns infinities and NaN unchanged.
pub fn two_decimals(value: f64) -> f64 {
    let rounded = (value * 100.0).round() / 100.0;
    if rounded.is_finite() { rounded } else { value }
}

/// Divides and rounds half up to two decimals. Returns `None` if the denominator is 0.
///
/// The quotient is rounded as an integer number of hundredths, because halves such as 1.005 have no exact
/// `f64`.
fn divide(numerator: u128, denominator: u64) -> Option<f64> {
    let denominator = u128::from(denominator);
    let rounded = (200 * numerator + denominator).checked_div(2 * denominator)?;
    Some(rounded as f64 / 100.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn share(mentions: u64, responses: u64) -> Share {
        Share { mentions, responses }
    }

    #[test]
    fn a_share_of_no_responses_has_neither_score_nor_interval() {
        assert_eq!(share(0, 0).score(), None);
        assert_eq!(share(0, 0).interval(), None);
        assert_eq!(average(0, 0), None);
    }

    #[test]
    fn a_score_has_two_decimals_and_halves_go_up() {
        assert_eq!(share(1, 3).score(), Some(33.33));
        assert_eq!(share(2, 3).score(), Some(66.67));
        assert_eq!(share(1, 32).score(), Some(3.13));
        // 1.005 %: as a float it is a little less.
        assert_eq!(share(201, 20_000).score(), Some(1.01));
        assert_eq!(average(5, 2), Some(2.5));
        assert_eq!(average(201, 200), Some(1.01));
        assert_eq!(two_decimals(-2.346), -2.35);
    }

    #[test]
    fn an_interval_is_a_wilson_interval() {
        // Published values: 1 of 10, 5 of 10 and 81 of 263 (Newcombe 1998: 0.2553 to 0.3662).
        assert_eq!(share(1, 10).interval(), Some([1.79, 40.42]));
        assert_eq!(share(5, 10).interval(), Some([23.66, 76.34]));
        assert_eq!(share(81, 263).interval(), Some([25.53, 36.62]));
        assert_eq!(share(0, 10).interval(), Some([0.0, 27.75]));
        assert_eq!(share(10, 10).interval(), Some([72.25, 100.0]));
    }

    #[test]
    fn shares_add_up_by_their_counts() {
        let total: Share = [share(1, 2), share(0, 1), share(2, 2)].into_iter().sum();
        assert_eq!(total, share(3, 5));
        let mut full = share(u64::MAX, u64::MAX);
        full.add(share(1, 1));
        assert_eq!(full.score(), Some(100.0));
    }

    fn counts() -> impl Strategy<Value = (u64, u64)> {
        prop_oneof![
            (0u64..40, 0u64..40),
            (0u64..100_000, 0u64..100_000),
            (any::<u64>(), any::<u64>())
        ]
    }

    proptest! {
        #[test]
        fn an_interval_contains_its_score_and_lies_within_0_to_100((mentions, responses) in counts()) {
            let share = share(mentions, responses);
            match (share.score(), share.interval()) {
                (None, None) => prop_assert_eq!(responses, 0),
                (Some(score), Some([low, high])) => {
                    prop_assert!(0.0 <= low && low <= score && score <= high && high <= 100.0);
                    prop_assert!(mentions > 0 || low == 0.0);
                    prop_assert!(mentions < responses || high == 100.0);
                    for figure in [score, low, high] {
                        prop_assert_eq!(two_decimals(figure), figure);
                    }
                }
                other => prop_assert!(false, "{:?}", other),
            }
        }

        #[test]
        fn an_interval_of_few_responses_has_a_width(mentions in 0u64..100, misses in 0u64..100) {
            if let Some([low, high]) = share(mentions, mentions + misses).interval() {
                prop_assert!(high - low > 1.0);
            }
        }

        #[test]
        fn an_average_lies_within_half_a_hundredth(sum in 0u64..1_000_000, count in 1u64..10_000) {
            let exact = sum as f64 / count as f64;
            prop_assert!((average(sum, count).unwrap() - exact).abs() <= 0.005 + 1e-9);
        }
    }
}
