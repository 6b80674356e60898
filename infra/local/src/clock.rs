//! The local host's clock. Service time starts at a given instant, runs at the speed of real time, and can be
//! moved forward.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use domain::clock::Clock;
use domain::time::Timestamp;
use runtime::SystemClock;

/// A clock whose service time is `start + elapsed real time`, plus every jump. Service time never runs
/// backwards.
pub struct ServiceClock {
    read_real: fn() -> Timestamp,
    state: Mutex<State>,
}

struct State {
    /// The start of service time, plus the sum of all jumps.
    start: Timestamp,
    real_start: Timestamp,
    /// The latest service time that was returned.
    last: Option<Timestamp>,
}

impl ServiceClock {
    /// Creates a clock whose service time is `start` now.
    pub fn new(start: Timestamp) -> Self {
        Self::with_real_clock(start, || SystemClock.now())
    }

    fn with_real_clock(start: Timestamp, read_real: fn() -> Timestamp) -> Self {
        let state = State {
            start,
            real_start: read_real(),
            last: None,
        };
        Self {
            read_real,
            state: Mutex::new(state),
        }
    }

    /// Moves service time forward by `time`. It then continues to run.
    pub fn advance(&self, time: Duration) {
        let mut state = lock(&self.state);
        state.start = state.start + time;
    }

    /// Moves service time forward to `to`. Does nothing if `to` is in the past.
    pub fn advance_to(&self, to: Timestamp) {
        let mut state = lock(&self.state);
        let now = self.now_in(&mut state);
        state.start = state.start + to.duration_since(now);
    }

    fn now_in(&self, state: &mut State) -> Timestamp {
        // If the system's clock is set back, service time stands still until the system's clock has caught
        // up.
        let now = state.start + (self.read_real)().duration_since(state.real_start);
        let now = state.last.map_or(now, |last| last.max(now));
        state.last = Some(now);
        now
    }
}

impl Clock for ServiceClock {
    fn now(&self) -> Timestamp {
        self.now_in(&mut lock(&self.state))
    }

    fn real_now(&self) -> Timestamp {
        (self.read_real)()
    }
}

/// Returns the service time with which a host restarts: the later of the saved service time and real time.
pub fn resume(saved: Option<Timestamp>, real: Timestamp) -> Timestamp {
    saved.map_or(real, |saved| saved.max(real))
}

/// Locks a mutex. Ignores poisoning, because no critical section panics between two related assignments.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    // Each test runs on a thread of its own, so a thread-local is the test's real clock.
    thread_local! {
        static REAL: Cell<i64> = const { Cell::new(0) };
    }

    fn set_real(ms: i64) {
        REAL.with(|real| real.set(ms));
    }

    fn clock(start: i64) -> ServiceClock {
        ServiceClock::with_real_clock(Timestamp::from_millis(start), || {
            Timestamp::from_millis(REAL.with(Cell::get))
        })
    }

    #[test]
    fn service_time_runs_as_fast_as_real_time() {
        set_real(1_000);
        let clock = clock(500_000);
        assert_eq!(clock.now(), Timestamp::from_millis(500_000));
        set_real(1_250);
        assert_eq!(clock.now(), Timestamp::from_millis(500_250));
        assert_eq!(clock.real_now(), Timestamp::from_millis(1_250));
    }

    #[test]
    fn service_time_never_runs_backwards_when_the_system_clock_does() {
        set_real(1_000);
        let clock = clock(0);
        set_real(2_000);
        assert_eq!(clock.now(), Timestamp::from_millis(1_000));
        set_real(1_500);
        assert_eq!(clock.now(), Timestamp::from_millis(1_000));
        set_real(2_001);
        assert_eq!(clock.now(), Timestamp::from_millis(1_001));
    }

    #[test]
    fn a_jump_goes_forward_and_time_continues_from_there() {
        set_real(0);
        let clock = clock(1_000);
        set_real(100);
        clock.advance_to(Timestamp::from_millis(50_000));
        assert_eq!(clock.now(), Timestamp::from_millis(50_000));
        set_real(101);
        assert_eq!(clock.now(), Timestamp::from_millis(50_001));
        for _ in 0..2 {
            clock.advance(Duration::from_secs(10));
        }
        assert_eq!(clock.now(), Timestamp::from_millis(70_001));
    }

    #[test]
    fn a_jump_into_the_past_changes_nothing() {
        let clock = clock(1_000);
        clock.advance_to(Timestamp::from_millis(999));
        assert_eq!(clock.now(), Timestamp::from_millis(1_000));
    }

    #[test]
    fn time_never_goes_back_whatever_is_done_to_the_clock() {
        for seed in 0..200_i64 {
            let mut random = seed;
            let mut below = |bound: i64| {
                random = random
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                (random >> 33).rem_euclid(bound)
            };
            let mut real = 1_000_000;
            set_real(real);
            let clock = clock(5_000);
            let mut last = clock.now();
            for step in 0..50 {
                match below(4) {
                    // The system's clock may be set back.
                    0 => real += below(1_000) - 300,
                    1 => clock.advance(Duration::from_millis(below(1_000).unsigned_abs())),
                    2 => clock.advance_to(Timestamp::from_millis(last.as_millis() + below(10_000) - 5_000)),
                    _ => real += below(100),
                }
                set_real(real);
                let now = clock.now();
                assert!(now >= last, "seed {seed}, step {step}: {now:?} after {last:?}");
                last = now;
            }
        }
    }

    #[test]
    fn extreme_instants_do_not_overflow() {
        set_real(i64::MIN);
        let clock = clock(i64::MAX);
        set_real(i64::MAX);
        clock.advance_to(Timestamp::from_millis(i64::MAX));
        clock.advance(Duration::MAX);
        assert_eq!(clock.now(), Timestamp::from_millis(i64::MAX));
    }

    #[test]
    fn a_restart_continues_at_the_later_of_saved_and_real_time() {
        assert_eq!(resume(None, Timestamp::from_millis(5)), Timestamp::from_millis(5));
        assert_eq!(
            resume(Some(Timestamp::from_millis(9)), Timestamp::from_millis(5)),
            Timestamp::from_millis(9)
        );
        assert_eq!(
            resume(Some(Timestamp::from_millis(3)), Timestamp::from_millis(5)),
            Timestamp::from_millis(5)
        );
    }

    #[test]
    fn a_new_clock_reads_the_real_one() {
        let clock = ServiceClock::new(Timestamp::from_millis(0));
        assert!(clock.real_now() > Timestamp::from_iso("2025-01-01T00:00:00Z").unwrap());
    }
}
