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
