//! The local host's clock: service time that starts where it is told to and runs `scale` times as fast as real time.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use domain::clock::Clock;
use domain::time::Timestamp;

/// Service time = start + (real − real at the start) × scale, plus every jump made by [`ServiceClock::advance_to`].
pub struct ServiceClock {
    read_real: fn() -> Timestamp,
    state: Mutex<State>,
}

struct State {
    start: Timestamp,
    real_start: Timestamp,
    scale: u32,
    /// The time jumped so far.
    jumped: Duration,
    /// The latest service time that was shown.
    last: Option<Timestamp>,
}

impl ServiceClock {
    /// Service time is `start` now and passes `scale` milliseconds per real one; a scale of 0 counts as 1.
    pub fn new(start: Timestamp, scale: u32) -> Self {
        Self::on(start, scale, system_time)
    }

    fn on(start: Timestamp, scale: u32, read_real: fn() -> Timestamp) -> Self {
        let state = State {
            start,
            real_start: read_real(),
            scale: scale.max(1),
            jumped: Duration::ZERO,
            last: None,
        };
        Self {
            read_real,
            state: Mutex::new(state),
        }
    }

    /// Service time passes `scale` milliseconds per real one from now on.
    pub fn set_scale(&self, scale: u32) {
        let mut state = lock(&self.state);
        state.start = self.now_in(&mut state);
        state.real_start = (self.read_real)();
        state.jumped = Duration::ZERO;
        state.scale = scale.max(1);
    }

    /// Jumps forward to `to`, from where time goes on as before. An instant already past changes nothing.
    pub fn advance_to(&self, to: Timestamp) {
        let mut state = lock(&self.state);
        let now = self.now_in(&mut state);
        if to > now {
            state.jumped = state.jumped.saturating_add(to.duration_since(now));
        }
    }

    fn now_in(&self, state: &mut State) -> Timestamp {
        // The system's clock may be set back: service time then stands still until it has caught up.
        let passed = (self.read_real)().duration_since(state.real_start);
        let now = state.start + passed.saturating_mul(state.scale) + state.jumped;
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

    fn to_service_time(&self, real: Duration) -> Duration {
        real.saturating_mul(lock(&self.state).scale)
    }
}

/// Where service time goes on after a restart: never before the last instant that was `saved`.
pub fn resume(saved: Option<Timestamp>, real: Timestamp) -> Timestamp {
    saved.map_or(real, |saved| saved.max(real))
}

#[expect(
    clippy::disallowed_methods,
    reason = "the one place where the local host reads the real clock"
)]
fn system_time() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// A clock that stands still until it is set: for tests.
pub struct FixedClock {
    scale: u32,
    times: Mutex<(Timestamp, Timestamp)>,
}

impl FixedClock {
    /// Service time and real time are both `at`.
    pub fn frozen(at: Timestamp) -> Self {
        Self::scaled(at, 1)
    }

    /// As [`FixedClock::frozen`], for a service whose time would run `scale` times as fast as real time.
    pub fn scaled(at: Timestamp, scale: u32) -> Self {
        Self {
            scale: scale.max(1),
            times: Mutex::new((at, at)),
        }
    }

    /// Sets service time.
    pub fn set(&self, to: Timestamp) {
        lock(&self.times).0 = to;
    }

    /// Sets real time.
    pub fn set_real(&self, to: Timestamp) {
        lock(&self.times).1 = to;
    }
}

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        lock(&self.times).0
    }

    fn real_now(&self) -> Timestamp {
        lock(&self.times).1
    }

    fn to_service_time(&self, real: Duration) -> Duration {
        real.saturating_mul(self.scale)
    }
}

/// A thread that panicked while it held the lock left nothing half done: each section is one assignment.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use domain::time::{MILLISECOND, SECOND};

    use super::*;

    // A thread of its own per test, so a thread-local is that test's real clock.
    thread_local! {
        static REAL: Cell<i64> = const { Cell::new(0) };
    }

    fn set_real(ms: i64) {
        REAL.with(|real| real.set(ms));
    }

    fn clock(start: i64, scale: u32) -> ServiceClock {
        ServiceClock::on(Timestamp::from_millis(start), scale, || {
            Timestamp::from_millis(REAL.with(Cell::get))
        })
    }

    #[test]
    fn service_time_runs_scale_times_as_fast_as_real_time() {
        set_real(1_000);
        let clock = clock(500_000, 60);
        assert_eq!(clock.now(), Timestamp::from_millis(500_000));
        set_real(1_250);
        assert_eq!(clock.now(), Timestamp::from_millis(515_000));
        assert_eq!(clock.real_now(), Timestamp::from_millis(1_250));
        assert_eq!(clock.to_service_time(250 * MILLISECOND), 15 * SECOND);
    }

    #[test]
    fn a_scale_of_nought_counts_as_one() {
        let clock = clock(0, 0);
        set_real(7);
        assert_eq!(
            (clock.now(), clock.to_service_time(7 * MILLISECOND)),
            (Timestamp::from_millis(7), 7 * MILLISECOND)
        );
    }

    #[test]
    fn service_time_never_runs_backwards_when_the_system_clock_does() {
        set_real(1_000);
        let clock = clock(0, 10);
        set_real(2_000);
        assert_eq!(clock.now(), Timestamp::from_millis(10_000));
        set_real(1_500);
        assert_eq!(clock.now(), Timestamp::from_millis(10_000));
        set_real(2_001);
        assert_eq!(clock.now(), Timestamp::from_millis(10_010));
    }

    #[test]
    fn a_jump_goes_forward_and_time_goes_on_from_there() {
        set_real(0);
        let clock = clock(1_000, 2);
        set_real(100);
        clock.advance_to(Timestamp::from_millis(50_000));
        assert_eq!(clock.now(), Timestamp::from_millis(50_000));
        set_real(101);
        assert_eq!(clock.now(), Timestamp::from_millis(50_002));
    }

    #[test]
    fn a_jump_into_the_past_changes_nothing() {
        let clock = clock(1_000, 1);
        clock.advance_to(Timestamp::from_millis(999));
        assert_eq!(clock.now(), Timestamp::from_millis(1_000));
    }

    #[test]
    fn a_new_speed_counts_from_the_change_on() {
        set_real(1_000);
        let clock = clock(500_000, 1);
        clock.advance_to(Timestamp::from_millis(600_000));
        set_real(1_100);
        clock.set_scale(60);
        assert_eq!(
            clock.now(),
            Timestamp::from_millis(600_100),
            "no jump at the change"
        );
        assert_eq!(clock.to_service_time(10 * MILLISECOND), 600 * MILLISECOND);
        set_real(1_110);
        assert_eq!(clock.now(), Timestamp::from_millis(600_700));
        clock.set_scale(2);
        assert_eq!(clock.now(), Timestamp::from_millis(600_700));
        set_real(1_120);
        assert_eq!(clock.now(), Timestamp::from_millis(600_720));
        clock.advance_to(Timestamp::from_millis(700_000));
        set_real(1_121);
        assert_eq!(clock.now(), Timestamp::from_millis(700_002));
        clock.set_scale(0);
        set_real(1_131);
        assert_eq!(
            (clock.now(), clock.to_service_time(7 * MILLISECOND)),
            (Timestamp::from_millis(700_012), 7 * MILLISECOND)
        );
    }

    #[test]
    fn time_never_goes_back_whatever_is_done_to_the_clock() {
        for seed in 0..200_i64 {
            let mut random = seed;
            let mut below = |most: i64| {
                random = random
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                (random >> 33).rem_euclid(most)
            };
            let mut real = 1_000_000;
            set_real(real);
            let clock = clock(5_000, 10);
            let mut last = clock.now();
            for step in 0..50 {
                match below(4) {
                    // The system's clock may be set back.
                    0 => real += below(1_000) - 300,
                    1 => clock.set_scale(u32::try_from(below(100_000)).unwrap()),
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
    fn far_ends_of_time_do_not_overflow() {
        set_real(i64::MIN);
        let clock = clock(i64::MAX, u32::MAX);
        set_real(i64::MAX);
        clock.advance_to(Timestamp::from_millis(i64::MAX));
        assert_eq!(clock.now(), Timestamp::from_millis(i64::MAX));
        assert_eq!(clock.to_service_time(Duration::MAX), Duration::MAX);
    }

    #[test]
    fn a_restart_goes_on_from_the_later_of_saved_and_real_time() {
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
        let clock = ServiceClock::new(Timestamp::from_millis(0), 1);
        assert!(clock.real_now() > Timestamp::from_iso("2025-01-01T00:00:00Z").unwrap());
    }

    #[test]
    fn a_fixed_clock_moves_only_when_it_is_set() {
        let clock = FixedClock::scaled(Timestamp::from_millis(10), 3);
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
        assert_eq!(clock.to_service_time(2 * MILLISECOND), 6 * MILLISECOND);
    }
}
