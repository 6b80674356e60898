//! The service's clock in a run: the paused time of the runtime, which passes when all tasks are idle, plus
//! the clock jumps of the schedule.

use std::sync::atomic::{AtomicI64, Ordering};

use domain::clock::Clock;
use domain::time::Timestamp;
use tokio::time::Instant;

use crate::store::table::NOON;

pub(super) struct SimulatedClock {
    start: Instant,
    offset_ms: AtomicI64,
    /// The latest instant that was read. The clock may have been set back since.
    latest: AtomicI64,
}

impl SimulatedClock {
    pub(super) fn start() -> Self {
        Self {
            start: Instant::now(),
            offset_ms: AtomicI64::new(0),
            latest: AtomicI64::new(0),
        }
    }

    pub(super) fn jump(&self, ms: i64) {
        self.offset_ms.fetch_add(ms, Ordering::Relaxed);
    }

    pub(super) fn latest(&self) -> Timestamp {
        Timestamp::from_millis(self.latest.load(Ordering::Relaxed).max(self.now().as_millis()))
    }
}

impl Clock for SimulatedClock {
    fn now(&self) -> Timestamp {
        let passed = NOON + self.start.elapsed();
        let now = Timestamp::from_millis(passed.as_millis() + self.offset_ms.load(Ordering::Relaxed));
        self.latest.fetch_max(now.as_millis(), Ordering::Relaxed);
        now
    }

    fn real_now(&self) -> Timestamp {
        self.now()
    }
}
