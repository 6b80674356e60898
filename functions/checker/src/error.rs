//! The errors of steps.

use thiserror::Error;

/// The error of a step. The queue delivers the step's event again.
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
    #[error("a model's facts cannot be decoded: {0}")]
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
