//! The comparison of two windows.

use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::clusters::{Clusters, variance_of_independent_answers};
use crate::exact;
use crate::observation::Side;
use crate::observations::Observations;
use crate::variance::Variance;

/// The least number of prompts whose variance can be estimated.
pub const MIN_PROMPTS: usize = 6;
/// The least number of days with answers in each window.
pub const MIN_DAYS: usize = 3;
/// The probability that an interval contains the true change.
pub const CONFIDENCE: f64 = 0.95;
/// The variance is at least this share of the variance of independent answers. An estimate from a few prompts
/// or days can be almost 0 by chance.
pub const MIN_SHARE_OF_INDEPENDENT: f64 = 0.25;

/// What varies by chance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// The change differs from prompt to prompt. The result is about all prompts of this kind.
    Prompts,
    /// There are too few prompts, so that only days are compared. The result is about these prompts.
    Days,
}

/// How a share has changed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Comparison {
    /// The weighted mean change of the pairs, −1 to 1.
    pub change: f64,
    /// The low and the high end of the 95 % interval of the change.
    pub interval: [f64; 2],
    /// The probability that chance alone moves the share at least so far if nothing has changed.
    pub p_value: f64,
    pub unit: Unit,
    pub standard_error: f64,
    pub degrees_of_freedom: f64,
}

impl Observations {
    /// Compares the windows in the answers of some models to some prompts.
    ///
    /// Pairs of a prompt and a model without answers in one of the windows do not count. Returns `None` if
    /// fewer than [`MIN_DAYS`] days of a window have answers of the others.
    pub fn compare(
        &self,
        prompts: impl IntoIterator<Item = u32> + Clone,
        is_model: impl Fn(u32) -> bool + Copy,
    ) -> Option<Comparison> {
        let clusters = Clusters::new(self, prompts.clone(), is_model);
        if Side::BOTH
            .map(|side| clusters.day_count(side))
            .into_iter()
            .min()?
            < MIN_DAYS
        {
            return None;
        }
        let (unit, variance, exact) = if clusters.prompts.len() >= MIN_PROMPTS {
            let differences: Vec<f64> = clusters.prompts.iter().map(|prompt| prompt.difference).collect();
            let variance = Variance::between_prompts(&clusters);
            (Unit::Prompts, variance, exact::sign_flips(&differences))
        } else {
            let variance = Variance::between_days(&clusters);
            let [base, window] = Side::BOTH.map(|side| clusters.day_count(side));
            let exact = exact::arrangements(base + window, window).and_then(|_| {
                let [base, window] = Side::BOTH.map(|side| clusters.scores(self, side));
                exact::rearrangements(&base, &window)
            });
            (Unit::Days, variance, exact)
        };
        let independent = variance_of_independent_answers(self, prompts, is_model);
        let least = MIN_SHARE_OF_INDEPENDENT * independent;
        let standard_error = variance.value.max(least).sqrt();
        let change = clusters.change();
        let t = StudentsT::new(0.0, 1.0, variance.degrees_of_freedom).ok()?;
        let half = t.inverse_cdf(0.5 + CONFIDENCE / 2.0) * standard_error;
        let p_value = (2.0 * t.sf((change / standard_error).abs())).min(1.0);
        Some(Comparison {
            change,
            interval: [(change - half).max(-1.0), (change + half).min(1.0)],
            p_value: exact.map_or(p_value, |exact| exact.max(p_value)),
            unit,
            standard_error,
            degrees_of_freedom: variance.degrees_of_freedom,
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::observation::{Counts, Observation};

    fn observations() -> impl Strategy<Value = Vec<Observation>> {
        let one = (0u32..10, 0u32..3, any::<bool>(), 0u32..8, 0u64..4, 0u64..4);
        let observation = one.prop_map(|(prompt, model, is_base, day, hits, misses)| Observation {
            prompt,
            model,
            side: if is_base { Side::Base } else { Side::Window },
            day,
            counts: Counts {
                count: hits,
                total: hits + misses,
            },
        });
        vec(observation, 0..200)
    }

    fn compare(observations: &[Observation]) -> Option<Comparison> {
        let all: Observations = observations.iter().copied().collect();
        all.compare(all.prompts(), |_| true)
    }

    fn assert_equal(one: Option<Comparison>, other: Option<Comparison>) {
        let numbers = |compared: Option<Comparison>| {
            compared.map(|c| {
                [
                    c.change,
                    c.interval[0],
                    c.interval[1],
                    c.p_value,
                    c.standard_error,
                ]
            })
        };
        match (numbers(one), numbers(other)) {
            (Some(one), Some(other)) => {
                for (one, other) in one.into_iter().zip(other) {
                    assert!((one - other).abs() < 1e-6, "{one} and {other}");
                }
            }
            (one, other) => assert_eq!(one, other),
        }
    }

    proptest! {
        #[test]
        fn a_comparison_is_finite_and_its_interval_contains_the_change(observations in observations()) {
            if let Some(compared) = compare(&observations) {
                let [low, high] = compared.interval;
                prop_assert!(-1.0 <= low && low <= compared.change && compared.change <= high && high <= 1.0);
                prop_assert!((0.0..=1.0).contains(&compared.p_value));
                prop_assert!(compared.standard_error > 0.0 && compared.standard_error.is_finite());
                prop_assert!(compared.degrees_of_freedom >= 1.0);
                // A change that is found is outside the interval, so that the interval never contradicts the
                // verdict.
                prop_assert!(compared.p_value > 0.05 || low > -1e-12 || high < 1e-12);
            }
        }

        #[test]
        fn the_order_of_observations_makes_no_difference(
            (one, other) in observations().prop_flat_map(|all| (Just(all.clone()), Just(all).prop_shuffle())),
        ) {
            assert_equal(compare(&one), compare(&other));
        }

        #[test]
        fn exchanged_windows_exchange_the_sign(observations in observations()) {
            let exchanged: Vec<Observation> = observations
                .iter()
                .map(|observed| Observation {
                    side: if observed.side == Side::Base { Side::Window } else { Side::Base },
                    ..*observed
                })
                .collect();
            let negated = compare(&exchanged).map(|compared| Comparison {
                change: -compared.change,
                interval: [-compared.interval[1], -compared.interval[0]],
                ..compared
            });
            assert_equal(compare(&observations), negated);
        }

        #[test]
        fn a_prompt_that_was_asked_in_one_window_only_changes_nothing(
            observations in observations(), days in 0u32..8,
        ) {
            let mut more = observations.clone();
            more.extend((0..days).map(|day| Observation {
                prompt: 11,
                model: 0,
                side: Side::Window,
                day,
                counts: Counts { count: 1, total: 1 },
            }));
            assert_equal(compare(&observations), compare(&more));
        }
    }

    /// Returns one answer per prompt, day and window, which is a mention if `is_mention` says so.
    fn answers(prompts: u32, days: u32, is_mention: impl Fn(Side, u32, u32) -> bool) -> Vec<Observation> {
        let mut answers = Vec::new();
        for side in Side::BOTH {
            for (prompt, day) in (0..prompts).flat_map(|prompt| (0..days).map(move |day| (prompt, day))) {
                answers.push(Observation {
                    prompt,
                    model: 0,
                    side,
                    day,
                    counts: Counts {
                        count: u64::from(is_mention(side, prompt, day)),
                        total: 1,
                    },
                });
            }
        }
        answers
    }

    #[test]
    fn a_change_of_every_prompt_is_found_and_that_of_one_of_them_is_not() {
        let all = answers(25, 30, |side, prompt, day| {
            (prompt + day) % 10 < if side == Side::Base { 5 } else { 3 }
        });
        let compared = compare(&all).unwrap();
        assert_eq!(compared.unit, Unit::Prompts);
        assert!(
            (compared.change + 0.2).abs() < 1e-9 && compared.p_value < 0.001,
            "{compared:?}"
        );
        let one = answers(25, 30, |side, prompt, day| {
            (prompt + day) % 10 < if side == Side::Base || prompt > 0 { 5 } else { 0 }
        });
        assert!(compare(&one).unwrap().p_value > 0.05);
    }

    #[test]
    fn a_change_that_all_prompts_share_exactly_is_found() {
        // On which days a prompt is mentioned does not matter.
        for seed in 0..50 {
            let alike = answers(8, 10, |side, prompt, day| {
                let place = (day * 7 + prompt * (seed % 9 + 1) + day * day * (seed / 9)) % 10;
                place < if side == Side::Base { 8 } else { 2 }
            });
            let compared = compare(&alike).unwrap();
            assert!(
                compared.degrees_of_freedom >= 7.0 && compared.p_value < 0.05,
                "{compared:?}"
            );
        }
    }

    #[test]
    fn few_prompts_are_compared_by_days_and_two_days_are_too_few() {
        let of_days = |days| {
            compare(&answers(2, days, |side, prompt, day| {
                side == Side::Base && (prompt + day) % 4 > 0
            }))
        };
        assert_eq!(of_days(2), None);
        let compared = of_days(7).unwrap();
        assert_eq!(compared.unit, Unit::Days);
        assert!(compared.p_value < 0.01, "{compared:?}");
    }
}
