//! What can go wrong with the table, apart from the business's own answers. The texts are made of fixed words, names
//! and codes: the SDK's own would show items and answers of the table, and with them what clients wrote.

use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::operation::RequestId;
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
    E: ProvideErrorMetadata,
{
    fn from(error: SdkError<E>) -> Self {
        let described = described(&error);
        if is_transient(&error) {
            Self::Unavailable(described)
        } else {
            Self::Broken(described)
        }
    }
}

/// `UpdateItem: ThrottlingException (request 0A1B…)`: the call, what came of it, and AWS's id of it.
pub(crate) fn described<E, R>(error: &SdkError<E, R>) -> String
where
    E: ProvideErrorMetadata,
    SdkError<E, R>: RequestId,
{
    let call = std::any::type_name::<E>().rsplit("::").next().unwrap_or_default();
    let call = call.trim_end_matches("Error");
    let what = match error {
        SdkError::ConstructionFailure(_) => "the request cannot be made",
        SdkError::TimeoutError(_) => "no answer in time",
        SdkError::DispatchFailure(failure) if failure.is_timeout() => "no connection in time",
        SdkError::DispatchFailure(failure) if failure.is_io() => "no connection",
        SdkError::DispatchFailure(_) => "the request was not sent",
        SdkError::ServiceError(answer) => answer.err().code().unwrap_or("an error without a code"),
        _ => "an unreadable answer",
    };
    match error.request_id() {
        Some(id) => format!("{call}: {what} (request {id})"),
        None => format!("{call}: {what}"),
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
