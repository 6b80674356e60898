//! The clock, a seam: read in `main`, passed in everywhere else.

use crate::time::Timestamp;

/// Service time and real time. In production they are the same; the local host can run service time faster.
pub trait Clock: Send + Sync + 'static {
    /// Service time: what every stored instant is in.
    fn now(&self) -> Timestamp;

    /// Real time: what rate windows are in.
    fn real(&self) -> Timestamp;

    /// Service milliseconds that pass in `ms` real ones. Leases, looks, deadlines and time-outs last their real time.
    fn to_service_millis(&self, ms: i64) -> i64;
}
