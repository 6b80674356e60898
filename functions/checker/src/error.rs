//! Why a step could not be taken. The queue delivers its event again.

use thiserror::Error;

#[derive(Debug, Error)]
pub enum CheckerError {
    #[error(transparent)]
    Store(#[from] store::StoreError),
    #[error(transparent)]
    Bus(#[from] events::BusError),
    #[error(transparent)]
    Event(#[from] events::Unreadable),
    #[error("a model's facts cannot be read: {0}")]
    Facts(String),
}

impl CheckerError {
    /// Whether the same step may succeed later.
    pub(crate) fn is_transient(&self) -> bool {
        match self {
            Self::Store(error) => error.is_transient(),
            Self::Bus(_) => true,
            Self::Event(_) | Self::Facts(_) => false,
        }
    }
}
