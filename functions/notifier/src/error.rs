//! The errors of the notifier.

use thiserror::Error;

/// The error of an invocation or of a message.
#[derive(Debug, Error)]
pub enum NotifierError {
    #[error(transparent)]
    Store(#[from] store::StoreError),
    #[error(transparent)]
    Event(#[from] events::Unreadable),
}
