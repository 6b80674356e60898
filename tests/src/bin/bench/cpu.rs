//! The CPU time of this thread.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

pub(crate) fn now() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    let nanos = u32::try_from(now.tv_nsec).expect("below a second");
    Duration::new(now.tv_sec.unsigned_abs(), nanos)
}

/// The result of `work`, with the CPU time that this thread took for it.
pub(crate) fn of<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let before = now();
    let done = work();
    (done, now() - before)
}

/// The median, or zero if there are no values.
pub(crate) fn median(mut all: Vec<Duration>) -> Duration {
    all.sort_unstable();
    all.get(all.len() / 2).copied().unwrap_or_default()
}
