//! Why there is no answer.

use std::time::Duration;

/// Why there is no answer, by what to do about it. Reasons are short and made of fixed words, numbers and the provider's
/// error code: they can be shown and never hold a key, an address or a payload.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.reason())]
pub enum AskError {
    /// The provider did not take it: rate limit, overload, no connection. Ask again later, after the provider's own hint if it gave one.
    Wait { after: Option<Duration>, reason: String },
    /// The provider took it, maybe for money, and there is no answer: time-out, broken connection, unreadable or failed answer.
    Lost { reason: String },
    /// The account has nothing left to spend.
    QuotaExhausted { reason: String },
    /// The key is refused or cannot be used.
    BadKey { reason: String },
    /// Asking the same again gives the same.
    Fatal { reason: String },
}

impl AskError {
    pub(crate) fn wait(reason: impl Into<String>) -> Self {
        let reason = reason.into();
        Self::Wait { after: None, reason }
    }

    pub(crate) fn lost(reason: impl Into<String>) -> Self {
        Self::Lost {
            reason: reason.into(),
        }
    }

    pub(crate) fn fatal(reason: impl Into<String>) -> Self {
        Self::Fatal {
            reason: reason.into(),
        }
    }

    pub(crate) fn late(timeout: Duration) -> Self {
        Self::lost(format!("no answer within {} s", timeout.as_secs_f64()))
    }

    /// The error of an ask whose earlier request was taken: what could have waited is lost.
    pub(crate) fn after_a_part(self) -> Self {
        match self {
            Self::Wait { reason, .. } => Self::Lost { reason },
            other => other,
        }
    }

    /// Whether the provider took the request, so that it counts as an ask and may have been paid for.
    pub fn taken(&self) -> bool {
        matches!(self, Self::Lost { .. })
    }

    /// What went wrong, in words that can be shown to anybody.
    pub fn reason(&self) -> &str {
        match self {
            Self::Wait { reason, .. }
            | Self::Lost { reason }
            | Self::QuotaExhausted { reason }
            | Self::BadKey { reason }
            | Self::Fatal { reason } => reason,
        }
    }
}
