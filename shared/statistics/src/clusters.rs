//! Sums over what belongs together: the answers to a prompt, and those of a day.

use crate::observation::{Counts, Side};
use crate::observations::{Observations, PromptObservations};
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
    score: f64,
}

/// The sums of a slice.
#[derive(Debug, Default)]
pub(crate) struct Clusters {
    /// One per prompt that has a pair with a weight.
    pub(crate) prompts: Vec<PromptSum>,
    days: [Vec<DaySum>; 2],
    /// The sum of the squared residuals of each prompt and day, by window.
    pub(crate) squares_within_prompts: [f64; 2],
}

impl Clusters {
    /// Sums over the selected prompts and models.
    pub(crate) fn new(
        observations: &Observations,
        prompts: impl IntoIterator<Item = u32>,
        is_model: impl Fn(u32) -> bool + Copy,
    ) -> Self {
        let mut clusters = Self::default();
        let mut of_prompt: [Vec<f64>; 2] = Default::default();
        for prompt in prompts
            .into_iter()
            .filter_map(|prompt| observations.of_prompt(prompt))
        {
            clusters.add_pairs(prompt, is_model);
            clusters.add_answers(prompt, is_model, &mut of_prompt);
        }
        clusters
    }

    fn add_pairs(&mut self, prompt: &PromptObservations, is_model: impl Fn(u32) -> bool) {
        let mut sum = PromptSum {
            weight: 0.0,
            difference: 0.0,
        };
        for pair in prompt.pairs(is_model) {
            sum.weight += pair.weight();
            sum.difference += pair.weight() * pair.difference();
        }
        if sum.weight > 0.0 {
            self.prompts.push(sum);
        }
    }

    /// Adds the answers to a prompt to their days. `residuals` is space for the prompt's residuals by window and day.
    fn add_answers(
        &mut self,
        prompt: &PromptObservations,
        is_model: impl Fn(u32) -> bool,
        residuals: &mut [Vec<f64>; 2],
    ) {
        let pairs = (0..).zip(&prompt.pairs);
        let rates: Vec<Option<PairRates>> = pairs
            .map(|(model, pair)| is_model(model).then(|| pair.rates()).flatten())
            .collect();
        for answers in &prompt.answers {
            let Some(rates) = &rates[answers.model as usize] else {
                continue;
            };
            let (side, day) = (answers.side.index(), answers.day as usize);
            if self.days[side].len() <= day {
                self.days[side].resize(day + 1, DaySum::default());
            }
            if residuals[side].len() <= day {
                residuals[side].resize(day + 1, 0.0);
            }
            let residual = rates.residual(answers.side, answers.counts);
            residuals[side][day] += residual;
            let sum = &mut self.days[side][day];
            sum.has_answers = true;
            sum.residual += residual;
            sum.score += rates.score(answers.counts);
        }
        for (total, residuals) in self.squares_within_prompts.iter_mut().zip(residuals) {
            *total += sum_of_squares(residuals.iter().copied());
            residuals.fill(0.0);
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

    fn days(&self, side: Side) -> impl Iterator<Item = &DaySum> {
        self.days[side.index()].iter().filter(|day| day.has_answers)
    }

    /// Returns the number of days with answers in a window.
    pub(crate) fn day_count(&self, side: Side) -> usize {
        self.days(side).count()
    }

    /// Returns the sum of the squared residuals of the days of a window.
    pub(crate) fn squares_of_days(&self, side: Side) -> f64 {
        sum_of_squares(self.days(side).map(|day| day.residual))
    }

    /// Returns by how much the answers of each day exceed the common rates of both windows.
    pub(crate) fn scores(&self, side: Side) -> Vec<f64> {
        self.days(side).map(|day| day.score).collect()
    }
}

fn sum_of_squares(values: impl Iterator<Item = f64>) -> f64 {
    values.map(|value| value * value).sum()
}

/// Returns the variance that the change of a slice would have if answers were independent.
///
/// The rate of a pair is drawn towards the rate of its window as if by one more answer, so that the variance is not 0 if all
/// answers of a pair are alike.
pub(crate) fn variance_of_independent_answers(
    observations: &Observations,
    prompts: impl IntoIterator<Item = u32>,
    is_model: impl Fn(u32) -> bool + Copy,
) -> f64 {
    let prompts = prompts
        .into_iter()
        .filter_map(|prompt| observations.of_prompt(prompt));
    let pairs: Vec<&Pair> = prompts.flat_map(|prompt| prompt.pairs(is_model)).collect();
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
