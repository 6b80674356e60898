//! Measures the CPU time of the current thread.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// Returns the CPU time that this thread has used so far.
pub(crate) fn now() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    let nanos = u32::try_from(now.tv_nsec).expect("below a second");
    Duration::new(now.tv_sec.unsigned_abs(), nanos)
}

/// Runs `work`, and returns its result with the CPU time that this thread used for it.
pub(crate) fn measure<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let before = now();
    let result = work();
    (result, now() - before)
}

/// Returns the median, or zero if there are no values.
pub(crate) fn median(mut all: Vec<Duration>) -> Duration {
    all.sort_unstable();
    all.get(all.len() / 2).copied().unwrap_or_default()
}
