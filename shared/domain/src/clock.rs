//! The clock. It is read in `main` and passed in everywhere else.

use std::time::Duration;

use crate::time::Timestamp;

/// A source of service time and real time. In production they are equal; the local host can run service time faster.
pub trait Clock: Send + Sync + 'static {
    /// Returns the service time, which all stored instants are in.
    fn now(&self) -> Timestamp;

    /// Returns the real time, which rate windows are in.
    fn real_now(&self) -> Timestamp;

    /// Converts a duration of real time to the service time that passes meanwhile. Leases, deadlines, timeouts and the
    /// intervals between reconciliations are durations of real time.
    fn to_service_time(&self, real: Duration) -> Duration;
}
