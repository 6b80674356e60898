//! Logistic regression on features that are there or not.

use mentions::training::WEIGHT_SCALE;

use crate::sentences::Example;

/// The number of times that all examples are seen.
const EPOCHS: usize = 30;
/// The number of last epochs whose weights are averaged, so that the order of the examples matters less.
const AVERAGED_EPOCHS: usize = 10;
/// The size of the first steps.
const RATE: f32 = 0.05;
/// The strength of the penalty on large weights. The penalty is half of it times the sum of their squares.
const PENALTY: f32 = 0.1;
/// The number of examples that a feature must have. Rarer ones have no weight.
const MIN_EXAMPLES: f32 = 3.0;

/// The smallest weight that is stored, in units.
const MIN_STORED_WEIGHT: f32 = 1.5;

/// Returns the weights of `features` features that explain `examples` best, with small weights preferred.
///
/// The method is stochastic gradient descent with a step size per weight (AdaGrad, Duchi et al., 2011). The
/// order of the examples is the same in each run.
pub fn learn_weights(examples: &[&Example], features: usize) -> Vec<f32> {
    let mut weights = vec![0f32; features];
    let mut squares = vec![1e-2f32; features];
    let mut counts = vec![0f32; features];
    for feature in examples.iter().flat_map(|example| &example.features) {
        counts[*feature as usize] += 1.0;
    }
    let mut order: Vec<usize> = (0..examples.len()).collect();
    let mut random = 1u64;
    let mut means = vec![0f32; features];
    for epoch in 0..EPOCHS {
        shuffle(&mut order, &mut random);
        for &i in &order {
            let Some(example) = examples.get(i) else { continue };
            let error = probability(&weights, &example.features) - f32::from(u8::from(example.answer));
            for &feature in &example.features {
                let at = feature as usize;
                if counts[at] < MIN_EXAMPLES {
                    continue;
                }
                let gradient = error + PENALTY * weights[at] / counts[at];
                squares[at] += gradient * gradient;
                weights[at] -= RATE * gradient / squares[at].sqrt();
            }
        }
        if epoch >= EPOCHS - AVERAGED_EPOCHS {
            for (mean, weight) in means.iter_mut().zip(&weights) {
                *mean += weight / AVERAGED_EPOCHS as f32;
            }
        }
    }
    means
}

/// Returns the logarithm of the odds that the answer is yes: the sum of the weights of `features`.
pub fn log_odds(weights: &[f32], features: &[u32]) -> f32 {
    features.iter().map(|&feature| weights[feature as usize]).sum()
}

/// Returns the weights as `mentions` stores them: signed bytes, in units of 1 / `WEIGHT_SCALE`. Weights of
/// less than one and a half are left out, which makes a function's package smaller.
pub fn weights_to_bytes(weights: &[f32]) -> Vec<u8> {
    let byte = |&weight: &f32| {
        let scaled = weight * WEIGHT_SCALE;
        let kept = if scaled.abs() < MIN_STORED_WEIGHT {
            0.0
        } else {
            scaled
        };
        (kept.round().clamp(-127.0, 127.0) as i8).cast_unsigned()
    };
    weights.iter().map(byte).collect()
}

fn probability(weights: &[f32], features: &[u32]) -> f32 {
    1.0 / (1.0 + (-log_odds(weights, features)).exp())
}

fn shuffle(order: &mut [usize], random: &mut u64) {
    for i in (1..order.len()).rev() {
        // Xorshift (Marsaglia, 2003).
        *random ^= *random << 13;
        *random ^= *random >> 7;
        *random ^= *random << 17;
        order.swap(i, (*random % (i as u64 + 1)) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feature_that_decides_gets_the_weight_and_one_that_tells_nothing_gets_little() {
        let examples: Vec<Example> = (0..200)
            .map(|i| Example {
                // 0 occurs always, 1 in every yes, 2 in half of both, 3 once.
                features: [
                    Some(0),
                    (i % 2 == 0).then_some(1),
                    (i % 4 < 2).then_some(2),
                    (i == 0).then_some(3),
                ]
                .into_iter()
                .flatten()
                .collect(),
                answer: i % 2 == 0,
                language: "en".to_owned(),
                name: "Acme".to_owned(),
                text: i.to_string(),
            })
            .collect();
        let weights = learn_weights(&examples.iter().collect::<Vec<_>>(), 4);
        assert!(log_odds(&weights, &[0, 1]) > 2.0, "{weights:?}");
        assert!(log_odds(&weights, &[0]) < -1.0, "{weights:?}");
        assert!(weights[2].abs() < weights[1] / 4.0, "{weights:?}");
        assert_eq!(weights[3], 0.0);
    }

    #[test]
    fn weights_are_stored_as_signed_bytes() {
        let stored = weights_to_bytes(&[1.0, -1.0, 0.09, 100.0, -100.0]);
        let signed: Vec<i8> = stored.into_iter().map(u8::cast_signed).collect();
        assert_eq!(signed, [16, -16, 0, 127, -127]);
    }
}
