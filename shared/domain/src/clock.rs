//! The clock, which functions receive as an argument.

use crate::time::Timestamp;

/// A source of service time and real time. In production they are equal; on the local host, service time can
/// be moved forward.
pub trait Clock: Send + Sync + 'static {
    /// Returns the service time. All stored instants are in service time.
    fn now(&self) -> Timestamp;

    /// Returns the real time. The windows of rate limits are in real time.
    fn real_now(&self) -> Timestamp;
}
