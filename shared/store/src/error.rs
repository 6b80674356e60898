//! What can go wrong with the table, apart from the business's own answers.

use aws_sdk_dynamodb::error::{DisplayErrorContext, ProvideErrorMetadata, SdkError};
use thiserror::Error;

#[derive(Debug, Error)]
pub enum StoreError {
    /// Throttled, timed out or in conflict after all retries. Trying again later can succeed.
    #[error("the table is unavailable: {0}")]
    Unavailable(String),
    /// The table refused the request, or holds an item that cannot be read: a fault of ours.
    #[error("the table answered unexpectedly: {0}")]
    Broken(String),
    /// The same request, by its `Idempotency-Key`, took effect already.
    #[error("the request was answered before")]
    Repeated,
}

impl StoreError {
    /// Whether the same call may succeed later.
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::Unavailable(_))
    }

    pub(crate) fn unreadable(what: &str, why: impl std::fmt::Display) -> Self {
        Self::Broken(format!("{what}: {why}"))
    }
}

impl<E> From<SdkError<E>> for StoreError
where
    E: std::error::Error + ProvideErrorMetadata + 'static,
{
    fn from(error: SdkError<E>) -> Self {
        let transient = is_transient(&error);
        let context = DisplayErrorContext(&error).to_string();
        if transient {
            Self::Unavailable(context)
        } else {
            Self::Broken(context)
        }
    }
}

/// The request may or may not have taken effect, or was turned away for load: worth another try.
pub(crate) fn is_transient<E: ProvideErrorMetadata>(error: &SdkError<E>) -> bool {
    match error {
        // A failed server, or an answer that cannot be read: neither says what is wrong with the request.
        SdkError::ServiceError(e) if e.raw().status().is_server_error() || e.err().code().is_none() => true,
        SdkError::ServiceError(e) => matches!(
            e.err().code(),
            Some(
                "ProvisionedThroughputExceededException"
                    | "ThrottlingException"
                    | "RequestLimitExceeded"
                    | "InternalServerError"
                    | "InternalFailure"
                    | "ServiceUnavailable"
                    | "TransactionConflictException"
                    | "TransactionInProgressException"
                    | "LimitExceededException"
            )
        ),
        SdkError::ConstructionFailure(_) => false,
        _ => true,
    }
}
