//! Comparisons equal those of an independent implementation, `reference/make.py`.

use serde::Deserialize;
use statistics::{Comparison, Counts, Observation, Observations, Side, are_discoveries};

#[derive(Deserialize)]
struct Reference {
    comparisons: Vec<Case>,
    families: Vec<Family>,
}

#[derive(Deserialize)]
struct Case {
    /// Prompt, model, window, day, count and total.
    rows: Vec<(u32, u32, usize, u32, u64, u64)>,
    expected: Option<Expected>,
}

#[derive(Deserialize)]
struct Expected {
    change: f64,
    interval: [f64; 2],
    p_value: f64,
    standard_error: f64,
    degrees_of_freedom: f64,
}

#[derive(Deserialize)]
struct Family {
    p_values: Vec<f64>,
    discoveries: Vec<bool>,
}

/// The data sets and what `reference/make.py` computes for them, as [`Reference`].
const REFERENCE: &str = include_str!("../reference/cases.json");

fn compare(case: &Case) -> Option<Comparison> {
    let observation = |&(prompt, model, side, day, count, total): &_| Observation {
        prompt,
        model,
        side: Side::BOTH[side],
        day,
        counts: Counts { count, total },
    };
    let observations: Observations = case.rows.iter().map(observation).collect();
    observations.compare(observations.prompts(), |_| true)
}

fn assert_close(seen: f64, expected: f64, what: &str) {
    let tolerance = 1e-9 * expected.abs().max(1.0);
    assert!(
        (seen - expected).abs() <= tolerance,
        "{what}: {seen} instead of {expected}"
    );
}

#[test]
fn comparisons_equal_those_of_an_independent_implementation() {
    let reference: Reference = serde_json::from_str(REFERENCE).unwrap();
    assert!(reference.comparisons.len() >= 50);
    for (number, case) in reference.comparisons.iter().enumerate() {
        match (compare(case), &case.expected) {
            (None, None) => {}
            (Some(seen), Some(expected)) => {
                let name = |what: &str| format!("{what} of comparison {number}");
                assert_close(seen.change, expected.change, &name("change"));
                assert_close(seen.interval[0], expected.interval[0], &name("low end"));
                assert_close(seen.interval[1], expected.interval[1], &name("high end"));
                assert_close(seen.p_value, expected.p_value, &name("p-value"));
                assert_close(
                    seen.standard_error,
                    expected.standard_error,
                    &name("standard error"),
                );
                assert_close(
                    seen.degrees_of_freedom,
                    expected.degrees_of_freedom,
                    &name("degrees of freedom"),
                );
            }
            (seen, expected) => panic!("comparison {number}: {seen:?}, expected: {}", expected.is_some()),
        }
    }
}

#[test]
fn discoveries_equal_those_of_an_independent_implementation() {
    let reference: Reference = serde_json::from_str(REFERENCE).unwrap();
    for family in reference.families {
        assert_eq!(are_discoveries(&family.p_values), family.discoveries);
    }
}
