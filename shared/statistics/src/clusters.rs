//! Sums over what belongs together: the answers to a prompt, and those of a day.

use crate::observation::{Counts, Side};
use crate::observations::{DayCounts, Observations};
use crate::pairs::{Pair, PairRates};

/// The answers to one prompt.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PromptSum {
    /// The sum of the weights of the prompt's pairs.
    pub(crate) weight: f64,
    /// The sum of their differences, weighted.
    pub(crate) difference: f64,
}

/// The answers of one day to all prompts.
#[derive(Debug, Clone, Copy, Default)]
struct DaySum {
    has_answers: bool,
    residual: f64,
}

/// The sums of a slice.
#[derive(Debug, Default)]
pub(crate) struct Clusters {
    /// One per prompt that has a pair with a weight.
    pub(crate) prompts: Vec<PromptSum>,
    /// One per day with answers, by window.
    days: [Vec<DaySum>; 2],
    /// The sum of the squared residuals of each prompt and day, by window.
    pub(crate) squares_within_prompts: [f64; 2],
    pairs: Vec<PairOfSlice>,
}

/// What the days of a pair are compared with.
#[derive(Debug, Clone, Copy)]
struct PairOfSlice {
    /// The index of the pair in the observations.
    index: usize,
    rates: PairRates,
}

impl Clusters {
    /// Sums over the selected prompts and models.
    pub(crate) fn new(
        observations: &Observations,
        prompts: impl IntoIterator<Item = u32>,
        is_model: impl Fn(u32) -> bool + Copy,
    ) -> Self {
        let mut clusters = Self::default();
        let mut pairs: Vec<PairOfSlice> = Vec::new();
        // The index in `pairs` at which those of each prompt end.
        let mut ends: Vec<usize> = Vec::new();
        for prompt in prompts {
            let mut sum = PromptSum {
                weight: 0.0,
                difference: 0.0,
            };
            for (index, pair) in observations.compared_pairs_of(prompt, is_model) {
                sum.weight += pair.weight();
                sum.difference += pair.weight() * pair.difference();
                let rates = pair.rates();
                pairs.push(PairOfSlice { index, rates });
            }
            if sum.weight > 0.0 {
                clusters.prompts.push(sum);
                ends.push(pairs.len());
            }
        }
        for side in Side::BOTH {
            for day in observations.days(side) {
                clusters.add_day(side, day, &pairs, &ends);
            }
        }
        clusters.pairs = pairs;
        clusters
    }

    fn add_day(&mut self, side: Side, day: &[DayCounts], pairs: &[PairOfSlice], ends: &[usize]) {
        let mut sum = DaySum::default();
        let mut start = 0;
        for end in ends {
            let mut residual = 0.0;
            for pair in &pairs[start..*end] {
                if let Some(counts) = day.get(pair.index).and_then(|day| day.get()) {
                    residual += pair.rates.residual(side, counts);
                    sum.has_answers = true;
                }
            }
            start = *end;
            sum.residual += residual;
            self.squares_within_prompts[side.index()] += residual * residual;
        }
        if sum.has_answers {
            self.days[side.index()].push(sum);
        }
    }

    /// Returns the sum of all weights.
    pub(crate) fn weight(&self) -> f64 {
        self.prompts.iter().map(|prompt| prompt.weight).sum()
    }

    /// Returns the change, or 0 without any weight.
    pub(crate) fn change(&self) -> f64 {
        let weight = self.weight();
        if weight == 0.0 {
            return 0.0;
        }
        self.prompts.iter().map(|prompt| prompt.difference).sum::<f64>() / weight
    }

    fn days(&self, side: Side) -> &[DaySum] {
        &self.days[side.index()]
    }

    /// Returns the number of days with answers in a window.
    pub(crate) fn day_count(&self, side: Side) -> usize {
        self.days(side).len()
    }

    /// Returns the sum of the squared residuals of the days of a window.
    pub(crate) fn squares_of_days(&self, side: Side) -> f64 {
        sum_of_squares(self.days(side).iter().map(|day| day.residual))
    }

    /// Returns by how much the answers of each day of a window exceed the common rates of both windows.
    pub(crate) fn scores(&self, observations: &Observations, side: Side) -> Vec<f64> {
        let score = |day: &[DayCounts]| {
            let answered = self.pairs.iter().filter_map(|pair| {
                let counts = day.get(pair.index)?.get()?;
                Some(pair.rates.score(counts))
            });
            answered.reduce(|sum, score| sum + score)
        };
        observations.days(side).filter_map(score).collect()
    }
}

fn sum_of_squares(values: impl Iterator<Item = f64>) -> f64 {
    values.map(|value| value * value).sum()
}

/// Returns the variance that the change of a slice would have if answers were independent.
///
/// The rate of a pair is drawn towards the rate of its window as if by one more answer, so that the variance
/// is not 0 if all answers of a pair are alike.
pub(crate) fn variance_of_independent_answers(
    observations: &Observations,
    prompts: impl IntoIterator<Item = u32>,
    is_model: impl Fn(u32) -> bool + Copy,
) -> f64 {
    let prompts = prompts.into_iter();
    let pairs = prompts.flat_map(|prompt| observations.compared_pairs_of(prompt, is_model));
    let pairs: Vec<&Pair> = pairs.map(|(_, pair)| pair).collect();
    let rates = Side::BOTH.map(|side| {
        // One answer of each kind is added (Agresti and Caffo, The American Statistician 54, 2000).
        let mut all = Counts { count: 1, total: 2 };
        pairs.iter().for_each(|pair| all.add(pair.counts(side)));
        all.rate()
    });
    let (mut weight, mut variance) = (0.0, 0.0);
    for pair in pairs {
        weight += pair.weight();
        for side in Side::BOTH {
            let counts = pair.counts(side);
            let rate = (counts.count as f64 + rates[side.index()]) / (counts.total as f64 + 1.0);
            variance += pair.weight().powi(2) * rate * (1.0 - rate) / counts.total as f64;
        }
    }
    variance / f64::powi(weight, 2)
}
