//! The kinds of faults, and how often each one occurred.

use std::sync::atomic::{AtomicUsize, Ordering};

/// A fault of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Returns 400 `ProvisionedThroughputExceededException`. The call has no effect.
    Throttled,
    /// Returns 400 `RequestLimitExceeded`. The call has no effect.
    LimitExceeded,
    /// Returns 500 `InternalServerError`. The call has no effect.
    ServerError,
    /// Returns 503 `ServiceUnavailable`. The call has no effect.
    ServiceUnavailable,
    /// Returns 502 with a proxy's HTML page. The call has no effect.
    BadGateway,
    /// Returns 400 `ValidationException`. The call has no effect. This fault is not transient: the request is
    /// wrong.
    ValidationError,
    /// The connection cannot be established. The call has no effect.
    Unreachable,
    /// The request never arrives, and the attempt times out.
    TimeoutBefore,
    /// The call takes effect, and the attempt times out before the response arrives.
    TimeoutAfter,
    /// The call takes effect, and the connection breaks before the response arrives.
    Lost,
    /// The call takes effect, and the connection breaks in the middle of the response's body.
    Reset,
    /// The call takes effect, and half of the response's body is missing.
    Truncated,
    /// The response arrives late, but before the timeout.
    Slow,
    /// Cancels a `TransactWriteItems` with a conflict at its first action, or refuses an `UpdateItem` for a
    /// conflict with a transaction.
    Conflict,
    /// Returns 400 `TransactionInProgressException` to a `TransactWriteItems`. The call has no effect.
    InProgress,
    /// Leaves every second key of a `BatchGetItem` unprocessed.
    Unprocessed,
    /// Shortens the page of a `Query` to at most one item.
    ShortPage,
    /// Returns a page of a `Query` without items.
    EmptyPage,
    /// Refuses every second entry of a `PutEvents`, beginning with the first one.
    FailedEntries,
    /// The process dies before the request is sent. The call never ends, and
    /// [`super::FaultInjector::crashed`] completes.
    CrashBefore,
    /// The process dies after the call took effect.
    CrashAfter,
}

static COUNTS: [AtomicUsize; Fault::TRANSIENT.len()] =
    [const { AtomicUsize::new(0) }; Fault::TRANSIENT.len()];

impl Fault {
    /// The transient faults, which the service must tolerate.
    pub const TRANSIENT: [Self; 18] = [
        Self::Throttled,
        Self::LimitExceeded,
        Self::ServerError,
        Self::ServiceUnavailable,
        Self::BadGateway,
        Self::Unreachable,
        Self::TimeoutBefore,
        Self::TimeoutAfter,
        Self::Lost,
        Self::Reset,
        Self::Truncated,
        Self::Slow,
        Self::Conflict,
        Self::InProgress,
        Self::Unprocessed,
        Self::ShortPage,
        Self::EmptyPage,
        Self::FailedEntries,
    ];

    /// Returns this fault if it applies to the operation, or else throttling.
    pub fn for_operation(self, operation: &str) -> Self {
        let is_applicable = match self {
            Self::Conflict => matches!(operation, "TransactWriteItems" | "UpdateItem"),
            Self::InProgress => operation == "TransactWriteItems",
            Self::Unprocessed => operation == "BatchGetItem",
            Self::ShortPage | Self::EmptyPage => operation == "Query",
            Self::FailedEntries => operation == "PutEvents",
            _ => true,
        };
        if is_applicable { self } else { Self::Throttled }
    }

    /// Returns whether the caller still receives the call's own result, possibly after further calls.
    pub fn is_harmless(self) -> bool {
        matches!(self, Self::Slow | Self::ShortPage | Self::EmptyPage)
    }

    /// Counts an occurrence.
    pub(super) fn count(self) {
        if let Some(index) = Self::TRANSIENT.iter().position(|known| *known == self) {
            COUNTS[index].fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Returns how often each transient fault has occurred in this process.
    pub fn counts() -> impl Iterator<Item = (Self, usize)> {
        Self::TRANSIENT
            .into_iter()
            .zip(&COUNTS)
            .map(|(fault, count)| (fault, count.load(Ordering::Relaxed)))
    }
}
