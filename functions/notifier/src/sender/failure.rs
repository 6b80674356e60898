//! Why a message was not accepted.

use std::error::Error;

use thiserror::Error as ThisError;

use super::resolver::NotPermitted;

/// Why a message was not accepted. The text is shown to clients and says nothing about this machine's
/// network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ThisError)]
pub enum Failure {
    /// The host has an address that is not public.
    #[error("The host has no public address")]
    NotPermitted,
    #[error("No connection")]
    Connection,
    #[error("No response in time")]
    Timeout,
    #[error("The connection broke before the response")]
    Broken,
    #[error("HTTP status {0}: redirects are not followed")]
    Redirect(u16),
    #[error("HTTP status {0}")]
    Status(u16),
}

impl Failure {
    /// Returns the HTTP status of the response, if there was one.
    pub fn status(self) -> Option<u16> {
        match self {
            Self::Redirect(status) | Self::Status(status) => Some(status),
            Self::NotPermitted | Self::Connection | Self::Timeout | Self::Broken => None,
        }
    }

    pub(super) fn of(error: &reqwest::Error) -> Self {
        let mut source: Option<&dyn Error> = Some(error);
        while let Some(cause) = source {
            if cause.is::<NotPermitted>() {
                return Self::NotPermitted;
            }
            source = cause.source();
        }
        if error.is_timeout() {
            Self::Timeout
        } else if error.is_connect() {
            Self::Connection
        } else {
            Self::Broken
        }
    }
}
