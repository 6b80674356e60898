//! Pairs of a prompt and a model, and the change between the windows.
//!
//! With `y` of `n` answers of pair `k` in the base (0) and the window (1), the change is the Mantel–Haenszel
//! risk difference
//!
//! ```text
//! change = Σ w_k (y_k1 / n_k1 − y_k0 / n_k0) / Σ w_k,    w_k = n_k0 n_k1 / (n_k0 + n_k1)
//! ```
//!
//! (Greenland and Robins, "Estimation of a common effect parameter from sparse follow-up data", Biometrics
//! 41, 1985). If all pairs were asked equally often, it is the difference of the two scores. If not, it still
//! compares each pair with itself.

use crate::observation::{Counts, Side};

/// The answers of one prompt and one model in both windows. A pair without answers in one of them has no
/// weight.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Pair {
    sides: [Counts; 2],
}

impl Pair {
    pub(crate) fn add(&mut self, side: Side, counts: Counts) {
        self.sides[side.index()].add(counts);
    }

    pub(crate) fn has_weight(&self) -> bool {
        self.sides.iter().all(|counts| counts.total > 0)
    }

    pub(crate) fn counts(&self, side: Side) -> Counts {
        self.sides[side.index()]
    }

    /// Returns the weight: half the harmonic mean of the totals.
    pub(crate) fn weight(&self) -> f64 {
        let [base, window] = self.sides.map(|counts| counts.total as f64);
        if base + window == 0.0 {
            return 0.0;
        }
        base * window / (base + window)
    }

    /// Returns the difference of the rates.
    pub(crate) fn difference(&self) -> f64 {
        let [base, window] = self.sides.map(Counts::rate);
        window - base
    }

    /// Returns the rates with which the answers of a pair that has a weight are compared.
    pub(crate) fn rates(&self) -> PairRates {
        let weight = self.weight();
        let [base, window] = self.sides;
        let mut both = base;
        both.add(window);
        PairRates {
            of_side: [base.rate(), window.rate()],
            of_both: both.rate(),
            factors: [-weight / base.total as f64, weight / window.total as f64],
        }
    }
}

/// The rates of a pair that has answers in both windows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PairRates {
    of_side: [f64; 2],
    of_both: f64,
    /// The part of one answer in the change, by window.
    factors: [f64; 2],
}

impl PairRates {
    /// Returns the part of some answers in the change that the pair's rate of the window does not explain.
    pub(crate) fn residual(&self, side: Side, counts: Counts) -> f64 {
        self.factors[side.index()] * counts.above(self.of_side[side.index()])
    }

    /// Returns by how much some answers exceed the pair's rate of both windows together.
    pub(crate) fn score(&self, counts: Counts) -> f64 {
        counts.above(self.of_both)
    }
}
