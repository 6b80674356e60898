//! Delays between retries.

use std::time::Duration;

/// An exponential backoff: the delay doubles with each retry up to a maximum.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Backoff {
    /// The delay before the first retry.
    pub base: Duration,
    /// The maximum delay.
    pub max: Duration,
    /// The part of a delay that is random, from 0 (none) to 1 (all).
    pub jitter: f64,
}

impl Backoff {
    /// Returns a backoff without jitter.
    pub const fn new(base: Duration, max: Duration) -> Self {
        Self {
            base,
            max,
            jitter: 0.0,
        }
    }

    /// Makes a part of each delay random, so that concurrent callers do not retry at the same time.
    #[must_use]
    pub const fn with_jitter(self, jitter: f64) -> Self {
        Self { jitter, ..self }
    }

    /// Returns the delay before a retry. `retry` counts from 0. `random` is a uniform number from 0 to 1,
    /// which has no effect without jitter.
    pub fn delay(&self, retry: u32, random: f64) -> Duration {
        let factor = 2u32.saturating_pow(retry);
        let full = self.base.saturating_mul(factor).min(self.max);
        full.mul_f64(1.0 - self.jitter * random)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MILLISECOND: Duration = Duration::from_millis(1);

    #[test]
    fn a_delay_doubles_up_to_the_maximum() {
        let backoff = Backoff::new(20 * MILLISECOND, 500 * MILLISECOND);
        let delays = [0, 1, 4, 5, 31, 32, u32::MAX].map(|retry| backoff.delay(retry, 0.5).as_millis());
        assert_eq!(delays, [20, 40, 320, 500, 500, 500, 500]);
    }

    #[test]
    fn a_random_delay_keeps_the_part_that_is_not_jitter() {
        let backoff = Backoff::new(20 * MILLISECOND, 500 * MILLISECOND).with_jitter(0.75);
        assert_eq!(backoff.delay(2, 0.0), 80 * MILLISECOND);
        assert_eq!(backoff.delay(2, 1.0), 20 * MILLISECOND);
        let delay = backoff.delay(2, 0.5);
        assert!(delay > 20 * MILLISECOND && delay < 80 * MILLISECOND, "{delay:?}");
    }
}
