//! The clock, which functions receive as an argument.

use std::time::Duration;

use crate::time::Timestamp;

/// A source of service time and real time. In production they are equal; the local host can run service time faster.
pub trait Clock: Send + Sync + 'static {
    /// Returns the service time. All stored instants are in service time.
    fn now(&self) -> Timestamp;

    /// Returns the real time. The windows of rate limits are in real time.
    fn real_now(&self) -> Timestamp;

    /// Returns the service time that passes in a duration of real time.
    ///
    /// Leases, deadlines, timeouts and the intervals between reconciliations are durations of real time.
    fn to_service_time(&self, real: Duration) -> Duration;
}
