//! How the comparison, and the tests that others use, judge simulated answers.

use domain::metrics::Share;
use rand::SeedableRng;
use rand::rngs::StdRng;
use statistics::{Counts, Observation, Observations};
use statrs::distribution::{ContinuousCDF, Normal};

use crate::world::World;

/// The level of all tests.
pub(crate) const LEVEL: f64 = 0.05;

/// How many tries of a case had which result.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Figures {
    pub(crate) tries: u32,
    /// The comparison finds a change.
    pub(crate) found: u32,
    /// The interval contains the true change.
    pub(crate) covered: u32,
    /// The Wilson intervals of the two windows do not overlap.
    pub(crate) wilson: u32,
    /// A test of two proportions finds a change.
    pub(crate) two_proportions: u32,
}

impl Figures {
    /// Simulates a case.
    pub(crate) fn of(world: &World, tries: u32, seed: u64) -> Self {
        let mut rng = StdRng::seed_from_u64(seed);
        let mut figures = Self {
            tries,
            ..Self::default()
        };
        for _ in 0..tries {
            figures.add(world, &world.draw(&mut rng));
        }
        figures
    }

    fn add(&mut self, world: &World, answers: &[Observation]) {
        let mut sides = [Counts::default(); 2];
        for answer in answers {
            sides[answer.side.index()].add(answer.counts);
        }
        let [base, window] = sides.map(|counts| Share {
            mentions: counts.count,
            responses: counts.total,
        });
        self.wilson += u32::from(base.is_above(window) || window.is_above(base));
        self.two_proportions += u32::from(two_proportions(sides) <= LEVEL);
        let observations: Observations = answers.iter().copied().collect();
        let Some(compared) = observations.compare(observations.prompts(), |_| true) else {
            return;
        };
        let [low, high] = compared.interval;
        self.found += u32::from(compared.p_value <= LEVEL);
        self.covered += u32::from((low..=high).contains(&world.change));
    }

    /// Returns the percentage of the tries that a number is.
    pub(crate) fn percentage(&self, number: u32) -> f64 {
        100.0 * f64::from(number) / f64::from(self.tries)
    }
}

/// Returns the p-value of the test of two proportions, which takes answers for independent.
fn two_proportions([base, window]: [Counts; 2]) -> f64 {
    let mut both = base;
    both.add(window);
    let rate = both.rate();
    let variance = rate * (1.0 - rate) * (1.0 / base.total as f64 + 1.0 / window.total as f64);
    if variance == 0.0 {
        return 1.0;
    }
    let z = (window.rate() - base.rate()).abs() / variance.sqrt();
    2.0 * Normal::standard().sf(z)
}
