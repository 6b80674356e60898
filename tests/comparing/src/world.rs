//! Answers that depend on each other in a known way, and whose true change is known.

use rand::rngs::StdRng;
use rand::{Rng, RngExt};
use rand_distr::{Beta, Distribution};
use statistics::{Counts, Observation, Side};

/// What answers have in common besides the share.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Dependence {
    /// The correlation of the answers to one prompt, 0 to 1.
    pub(crate) prompts: f64,
    /// Whether the prompts differ from each other in the same way in both windows. If not, each window draws
    /// anew how they differ.
    pub(crate) is_steady: bool,
    /// The correlation of the answers of one day, 0 to 1.
    pub(crate) days: f64,
}

impl Dependence {
    /// Returns the cases for a number of prompts. If a single prompt were drawn anew, its share would really
    /// change.
    pub(crate) fn all(prompts: u32) -> Vec<Self> {
        let mut all = Vec::new();
        for days in [0.0, 0.05] {
            for correlation in [0.0, 0.2, 0.5] {
                for is_steady in [true, false] {
                    let is_drawn_anew = !is_steady && correlation > 0.0;
                    let is_few = prompts < 6;
                    if (is_steady || is_drawn_anew) && !(is_few && correlation > 0.0) {
                        all.push(Self {
                            prompts: correlation,
                            is_steady,
                            days,
                        });
                    }
                }
            }
        }
        all
    }
}

/// Two windows of answers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct World {
    pub(crate) prompts: u32,
    pub(crate) models: u32,
    pub(crate) days: u32,
    /// The mean share of the base, 0 to 1.
    pub(crate) rate: f64,
    /// The change of the mean share.
    pub(crate) change: f64,
    pub(crate) dependence: Dependence,
}

impl World {
    /// Draws the answers of both windows, one per prompt, model and day.
    pub(crate) fn draw(&self, rng: &mut StdRng) -> Vec<Observation> {
        let answers = self.prompts * self.models * self.days * 2;
        let mut drawn = Vec::with_capacity(answers as usize);
        let mut rates = self.rates_of_prompts(rng);
        for side in Side::BOTH {
            if side == Side::Window && !self.dependence.is_steady {
                rates = self.rates_of_prompts(rng);
            }
            for day in 0..self.days {
                self.draw_day(&rates, side, rng, |prompt, model, counts| {
                    drawn.push(Observation {
                        prompt,
                        model,
                        side,
                        day,
                        counts,
                    });
                });
            }
        }
        drawn
    }

    /// Draws the answers of a day of the base or the window, and passes each to `add` with the numbers of its
    /// prompt and model.
    pub(crate) fn draw_day(
        &self,
        rates: &[f64],
        side: Side,
        rng: &mut StdRng,
        mut add: impl FnMut(u32, u32, Counts),
    ) {
        let shift = log_odds(beta(self.rate, self.dependence.days, rng)) - log_odds(self.rate);
        for (prompt, rate) in (0..).zip(rates) {
            let rate = self.rate_of_day(*rate, shift, side);
            for model in 0..self.models {
                let count = u64::from(rng.random::<f64>() < rate);
                add(prompt, model, Counts { count, total: 1 });
            }
        }
    }

    /// Draws how often the answers to each prompt mention the brand.
    pub(crate) fn rates_of_prompts(&self, rng: &mut StdRng) -> Vec<f64> {
        let correlation = self.dependence.prompts;
        (0..self.prompts)
            .map(|_| beta(self.rate, correlation, rng))
            .collect()
    }

    /// Returns a prompt's rate on a day whose log odds are shifted. In the window, the share of what is
    /// missing grows evenly, so that the mean changes by `change`.
    fn rate_of_day(&self, rate: f64, shift: f64, side: Side) -> f64 {
        let rate = if shift == 0.0 {
            rate
        } else {
            1.0 / (1.0 + (-log_odds(rate) - shift).exp())
        };
        match side {
            Side::Base => rate,
            Side::Window => rate + self.change * (1.0 - rate) / (1.0 - self.rate),
        }
    }
}

/// Draws a rate with this mean, so that two answers of this rate have this correlation.
fn beta(mean: f64, correlation: f64, rng: &mut impl Rng) -> f64 {
    if correlation == 0.0 {
        return mean;
    }
    let size = (1.0 - correlation) / correlation;
    let beta = Beta::new(mean * size, (1.0 - mean) * size);
    beta.map_or(mean, |beta| beta.sample(rng))
}

fn log_odds(rate: f64) -> f64 {
    let rate = rate.clamp(1e-9, 1.0 - 1e-9);
    (rate / (1.0 - rate)).ln()
}
