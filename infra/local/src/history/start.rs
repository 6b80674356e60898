//! The service time at which the host starts.

use domain::time::{DAY, MINUTE, Timestamp};

use crate::clock::resume;

/// The days that the demo's history covers, today included.
const DAYS: u32 = 30;

/// Returns the service time at which the host starts. It lies in the past if a history has to be generated or
/// completed.
pub(crate) fn start_time(
    saved: Option<Timestamp>,
    has_demo: bool,
    needs_history: bool,
    real: Timestamp,
) -> Timestamp {
    match saved {
        Some(saved) if needs_history && has_demo => saved,
        // The history is older than the data of an earlier run without a demo.
        _ if needs_history => first_check(real),
        saved => resume(saved, real),
    }
}

/// Returns the time of the first check of the history. It is chosen such that the last check is earlier today.
fn first_check(real: Timestamp) -> Timestamp {
    let since_midnight = real.duration_since(real.day().start());
    real - (DAYS - 1) * DAY - (since_midnight / 2).min(5 * MINUTE)
}
