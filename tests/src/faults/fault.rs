//! What can go wrong with a call, and how often it did.

use std::sync::atomic::{AtomicUsize, Ordering};

/// What happens to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// 400 `ProvisionedThroughputExceededException`; nothing happened.
    Throttled,
    /// 400 `RequestLimitExceeded`; nothing happened.
    LimitExceeded,
    /// 500 `InternalServerError`; nothing happened.
    ServerError,
    /// 503 `ServiceUnavailable`; nothing happened.
    ServiceUnavailable,
    /// 502 with a proxy's page in place of JSON; nothing happened.
    BadGateway,
    /// 400 `ValidationException`; nothing happened. No passing trouble: the request is wrong.
    InvalidField,
    /// No connection; nothing was sent.
    Unreachable,
    /// The request never arrives: the attempt times out.
    TimeoutBefore,
    /// The call took effect, and the attempt timed out before its response came.
    TimeoutAfter,
    /// The call took effect, and the connection broke before its response came.
    Lost,
    /// The call took effect, and the connection broke in the middle of the response's body.
    Reset,
    /// The call took effect, and half of the response's body is missing.
    Truncated,
    /// The response comes late, but in time.
    Slow,
    /// Of `TransactWriteItems`: cancelled by a conflict at the first action. Of `UpdateItem`: refused for a
    /// conflict with a transaction.
    Conflict,
    /// Of `TransactWriteItems`: 400 `TransactionInProgressException`; nothing happened.
    InProgress,
    /// Of `BatchGetItem`: every second key is left unread.
    Unprocessed,
    /// Of `Query`: one item at most, and where the next page begins.
    ShortPage,
    /// Of `Query`: no item, and where the next page begins.
    EmptyPage,
    /// Of `PutEvents`: every second entry, from the first on, is refused.
    FailedEntries,
    /// The process dies before the request is sent: the call never ends, and [`super::Faults::crashed`] does.
    CrashBefore,
    /// The process dies after the call took effect.
    CrashAfter,
}

static COUNTS: [AtomicUsize; Fault::PASSING.len()] = [const { AtomicUsize::new(0) }; Fault::PASSING.len()];

impl Fault {
    /// What a service must get over.
    pub const PASSING: [Self; 18] = [
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

    /// The fault that this one is for an operation: what it does not know is throttling.
    pub fn of(self, operation: &str) -> Self {
        let is_known = match self {
            Self::Conflict => matches!(operation, "TransactWriteItems" | "UpdateItem"),
            Self::InProgress => operation == "TransactWriteItems",
            Self::Unprocessed => operation == "BatchGetItem",
            Self::ShortPage | Self::EmptyPage => operation == "Query",
            Self::FailedEntries => operation == "PutEvents",
            _ => true,
        };
        if is_known { self } else { Self::Throttled }
    }

    /// The call's own answer is the caller's in the end: the fault costs it at most further calls.
    pub fn is_harmless(self) -> bool {
        matches!(self, Self::Slow | Self::ShortPage | Self::EmptyPage)
    }

    pub(super) fn count(self) {
        if let Some(place) = Self::PASSING.iter().position(|known| *known == self) {
            COUNTS[place].fetch_add(1, Ordering::Relaxed);
        }
    }

    /// How often each fault happened in this process so far.
    pub fn counts() -> impl Iterator<Item = (Self, usize)> {
        Self::PASSING
            .into_iter()
            .zip(&COUNTS)
            .map(|(fault, count)| (fault, count.load(Ordering::Relaxed)))
    }
}
