//! Many comparisons at once.

/// The share of false discoveries among all discoveries, on average.
pub const FALSE_DISCOVERY_RATE: f64 = 0.05;

/// Returns which p-values are discoveries, so that on average at most [`FALSE_DISCOVERY_RATE`] of them are
/// false (Benjamini and Hochberg, "Controlling the false discovery rate", Journal of the Royal Statistical
/// Society B 57, 1995).
pub fn are_discoveries(p_values: &[f64]) -> Vec<bool> {
    let mut sorted = p_values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let tests = p_values.len() as f64;
    let is_below =
        |(index, p_value): &(usize, &f64)| **p_value <= FALSE_DISCOVERY_RATE * (*index as f64 + 1.0) / tests;
    let largest = sorted.iter().enumerate().rfind(is_below);
    let largest = largest.map(|(_, p_value)| *p_value);
    p_values
        .iter()
        .map(|p_value| largest.is_some_and(|largest| *p_value <= largest))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_test_is_judged_at_five_percent_and_one_of_many_at_less() {
        assert_eq!(are_discoveries(&[0.05]), [true]);
        assert_eq!(are_discoveries(&[]), [false; 0]);
        let mut many = vec![0.5; 24];
        many.push(0.003);
        assert!(are_discoveries(&many).iter().all(|found| !found), "0.003 of 25");
        many[24] = 0.001;
        assert_eq!(are_discoveries(&many).iter().filter(|found| **found).count(), 1);
        assert_eq!(are_discoveries(&[0.04; 10]), [true; 10], "all of them together");
    }
}
