//! How far chance moves the change.
//!
//! With `r` = the part of an observation in the change that its pair's rates do not explain, `± w_k / n_k (y
//! − n p_k)`, the sums of squares of clusters give the variances (all divided by the square of the sum of the
//! weights):
//!
//! - between prompts: `G / (G − 1) Σ_p u_p²`, where `u_p = Σ_k w_k (δ_k − change)` for the pairs of prompt
//!   `p`. Whatever the answers to a prompt have in common is in it, be it over days or models.
//! - between days: `Σ_s D_s / (D_s − 1) Σ_d (Σ r)²` over the days of each window. What the answers of a day
//!   have in common is in it.
//! - between days within prompts: the same over the answers to one prompt on one day. It is in both of the
//!   others.
//!
//! Two-way clusters add the first two and subtract the third (Cameron, Gelbach and Miller, "Robust inference
//! with multiway clustering", Journal of Business & Economic Statistics 29, 2011). What days add is not below
//! 0 here.
//!
//! Degrees of freedom are those of Satterthwaite ("An approximate distribution of estimates of variance
//! components", Biometrics Bulletin 2, 1946).

use crate::clusters::Clusters;
use crate::observation::Side;

/// Differences of variances below this share of them are rounding errors.
const ROUNDING_ERROR: f64 = 1e-9;

/// A variance of the change and its degrees of freedom.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Variance {
    pub(crate) value: f64,
    pub(crate) degrees_of_freedom: f64,
}

impl Variance {
    /// Returns the variance `value` that is estimated from some variances, each with its own degrees of
    /// freedom. It has at least the least of theirs.
    fn estimated_from(value: f64, parts: &[Self]) -> Self {
        let spread = parts
            .iter()
            .map(|part| part.value * part.value / part.degrees_of_freedom);
        let spread = spread.sum::<f64>();
        let least = parts
            .iter()
            .map(|part| part.degrees_of_freedom)
            .fold(f64::INFINITY, f64::min);
        let degrees_of_freedom = if spread > 0.0 {
            (value * value / spread).max(least)
        } else {
            least
        };
        Self {
            value,
            degrees_of_freedom,
        }
    }

    /// Returns the variance with prompts as the units that vary.
    pub(crate) fn between_prompts(clusters: &Clusters) -> Self {
        let change = clusters.change();
        let residuals = clusters.prompts.iter();
        let squares: f64 = residuals
            .map(|prompt| (prompt.difference - prompt.weight * change).powi(2))
            .sum();
        let between = Self {
            value: correction(clusters.prompts.len()) * squares / clusters.weight().powi(2),
            degrees_of_freedom: clusters.prompts.len() as f64 - 1.0,
        };
        let days = Self::between_days(clusters);
        let added = added_by_days(clusters);
        if added <= ROUNDING_ERROR * days.value {
            return between;
        }
        // What days add is the difference of two variances, and as uncertain as the larger of them.
        Self::estimated_from(between.value + added, &[between, days])
    }

    /// Returns the variance with days as the units that vary.
    pub(crate) fn between_days(clusters: &Clusters) -> Self {
        let sides = Side::BOTH.map(|side| {
            let days = clusters.day_count(side);
            Self {
                value: correction(days) * clusters.squares_of_days(side) / clusters.weight().powi(2),
                degrees_of_freedom: days as f64 - 1.0,
            }
        });
        Self::estimated_from(sides.iter().map(|side| side.value).sum(), &sides)
    }
}

/// Returns what days add to the variance between prompts. Chance can make it negative.
fn added_by_days(clusters: &Clusters) -> f64 {
    let added = Side::BOTH.map(|side| {
        let within = clusters.squares_within_prompts[side.index()];
        correction(clusters.day_count(side)) * (clusters.squares_of_days(side) - within)
    });
    added.iter().sum::<f64>() / clusters.weight().powi(2)
}

/// Returns `n / (n − 1)`, by which the squares of `n` clusters are too small on average.
fn correction(clusters: usize) -> f64 {
    let n = clusters as f64;
    n / (n - 1.0)
}
