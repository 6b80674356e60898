//! A clock for tests.

use std::sync::{Mutex, MutexGuard, PoisonError};

use domain::clock::Clock;
use domain::time::Timestamp;

/// A clock for tests. It stands still until it is set.
pub struct FixedClock {
    times: Mutex<FixedTimes>,
}

/// The times that a fixed clock shows.
struct FixedTimes {
    service: Timestamp,
    real: Timestamp,
}

impl FixedClock {
    /// Creates a clock whose service time and real time are both `at`.
    pub fn frozen(at: Timestamp) -> Self {
        Self {
            times: Mutex::new(FixedTimes {
                service: at,
                real: at,
            }),
        }
    }

    fn lock(&self) -> MutexGuard<'_, FixedTimes> {
        self.times.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets service time.
    pub fn set(&self, to: Timestamp) {
        self.lock().service = to;
    }

    /// Sets real time.
    pub fn set_real(&self, to: Timestamp) {
        self.lock().real = to;
    }
}

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        self.lock().service
    }

    fn real_now(&self) -> Timestamp {
        self.lock().real
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fixed_clock_moves_only_when_it_is_set() {
        let clock = FixedClock::frozen(Timestamp::from_millis(10));
        clock.set(Timestamp::from_millis(20));
        assert_eq!(
            (clock.now(), clock.real_now()),
            (Timestamp::from_millis(20), Timestamp::from_millis(10))
        );
        clock.set_real(Timestamp::from_millis(30));
        assert_eq!(
            (clock.now(), clock.real_now()),
            (Timestamp::from_millis(20), Timestamp::from_millis(30))
        );
    }
}
