//! Errors of asking a provider.

use std::time::Duration;

use domain::provider_rate::Throttle;

/// Why there is no answer, classified by what the caller can do about it.
///
/// A reason is short and consists of fixed words, numbers and the provider's error code. It never contains a
/// key, an address or a payload, so it can be shown to anybody.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.reason())]
pub enum AskError {
    /// The provider did not accept the request because of a rate limit, an overload or a missing connection.
    /// The caller can retry, after `retry_after` if the provider gave a hint.
    Unavailable {
        retry_after: Option<Duration>,
        /// Whether the provider itself throttled the request. An outage or a missing connection says nothing
        /// about its limit.
        is_throttled: bool,
        /// The limit that the provider states, in requests per minute.
        requests_per_minute: Option<u32>,
        reason: String,
    },
    /// The provider accepted the request, possibly for money, but there is no usable answer: it timed out,
    /// the connection broke, or the answer is unreadable or failed.
    AnswerLost { reason: String },
    /// The provider answered without a word, which mostly passes: the same question often has an answer when
    /// it is asked again.
    Empty { reason: String },
    /// The account has no quota or credits left.
    QuotaExhausted { reason: String },
    /// The provider refuses the key, or the key cannot be used.
    InvalidKey { reason: String },
    /// The request was refused as an account's requests are, but not in the vendor's words about key, account
    /// or quota: a firewall or a gateway refuses this question alone, or every one. A retry of the same
    /// request is likely to fail again.
    Forbidden { reason: String },
    /// A retry of the same request would fail again.
    Permanent { reason: String },
}

impl AskError {
    pub(crate) fn unavailable(reason: impl Into<String>) -> Self {
        Self::Unavailable {
            retry_after: None,
            is_throttled: false,
            requests_per_minute: None,
            reason: reason.into(),
        }
    }

    pub(crate) fn answer_lost(reason: impl Into<String>) -> Self {
        Self::AnswerLost {
            reason: reason.into(),
        }
    }

    pub(crate) fn quota_exhausted(reason: impl Into<String>) -> Self {
        Self::QuotaExhausted {
            reason: reason.into(),
        }
    }

    pub(crate) fn invalid_key(reason: impl Into<String>) -> Self {
        Self::InvalidKey {
            reason: reason.into(),
        }
    }

    pub(crate) fn forbidden(reason: impl Into<String>) -> Self {
        Self::Forbidden {
            reason: reason.into(),
        }
    }

    pub(crate) fn permanent(reason: impl Into<String>) -> Self {
        Self::Permanent {
            reason: reason.into(),
        }
    }

    pub(crate) fn timed_out(timeout: Duration) -> Self {
        Self::answer_lost(format!("no answer within {} s", timeout.as_secs_f64()))
    }

    /// Returns the error of a question after the provider accepted an earlier request for it. Retrying would
    /// pay for that request again, so the answer is lost.
    pub(crate) fn after_accepted_request(self) -> Self {
        match self {
            Self::Unavailable { reason, .. } => Self::AnswerLost { reason },
            other => other,
        }
    }

    /// Returns whether the provider accepted the request, so that it counts as asked and may have been paid
    /// for.
    pub fn was_accepted(&self) -> bool {
        matches!(self, Self::AnswerLost { .. } | Self::Empty { .. })
    }

    /// Returns what the provider said about its limit if it throttled the request.
    pub fn throttle(&self) -> Option<Throttle> {
        match self {
            Self::Unavailable {
                retry_after,
                is_throttled: true,
                requests_per_minute,
                ..
            } => Some(Throttle {
                retry_after: *retry_after,
                requests_per_minute: *requests_per_minute,
            }),
            _ => None,
        }
    }

    /// Returns what went wrong, in words that can be shown to anybody.
    pub fn reason(&self) -> &str {
        match self {
            Self::Unavailable { reason, .. }
            | Self::AnswerLost { reason }
            | Self::Empty { reason }
            | Self::QuotaExhausted { reason }
            | Self::InvalidKey { reason }
            | Self::Forbidden { reason }
            | Self::Permanent { reason } => reason,
        }
    }
}
