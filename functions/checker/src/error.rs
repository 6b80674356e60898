//! The errors of steps.

use thiserror::Error;

/// The error of a step. The next tick takes the step up again; the queue delivers its event again only if the
/// table fails as well.
#[derive(Debug, Error)]
pub enum CheckerError {
    #[error(transparent)]
    Store(#[from] store::StoreError),
    #[error(transparent)]
    Bus(#[from] events::BusError),
    #[error(transparent)]
    Event(#[from] events::Unreadable),
    /// Other writes keep changing what the step writes.
    #[error("the facts keep changing")]
    Busy,
    #[error("a check's facts cannot be decoded: {0}")]
    Facts(String),
}

impl CheckerError {
    /// Returns whether a retry of the step can succeed.
    pub(crate) fn is_transient(&self) -> bool {
        match self {
            Self::Store(error) => error.is_transient(),
            Self::Bus(_) | Self::Busy => true,
            Self::Event(_) | Self::Facts(_) => false,
        }
    }
}
