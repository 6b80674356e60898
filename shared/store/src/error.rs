//! The errors of the store.
//!
//! Their texts consist of fixed words, names and codes. The SDK's own texts can quote items of the table, and
//! with them what clients wrote.

use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::operation::RequestId;
use thiserror::Error;

use crate::Refusal;

/// A failure of the table or of its contents.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum StoreError {
    /// All attempts were throttled, timed out or met conflicts. A later attempt can succeed.
    #[error("the table is unavailable: {0}")]
    Unavailable(String),
    /// A request cannot be built, the table rejected it as malformed, or an item cannot be decoded. All of
    /// them are bugs.
    #[error("internal error of the store: {0}")]
    Internal(String),
}

/// The error of a write. `R` lists the reasons for which this write can be refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WriteError<R> {
    /// A rule forbids the write. Nothing was written.
    #[error("refused: {0}")]
    Refused(R),
    /// Another request with the same `Idempotency-Key` took effect first, and its reply is recorded. Nothing
    /// was written.
    #[error("another request with the same idempotency key took effect first")]
    AlreadyRecorded,
    /// The table failed. The write may have taken effect.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl<R: From<Refusal>> From<Refusal> for WriteError<R> {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal.into())
    }
}

impl<R> WriteError<R> {
    /// Returns whether the same call can succeed later.
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::Store(error) if error.is_transient())
    }
}

impl StoreError {
    /// Returns whether the same call can succeed later.
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::Unavailable(_))
    }

    /// Returns an internal error. `step` names what failed, such as `decoding an item`.
    pub(crate) fn internal(step: &str, cause: impl std::fmt::Display) -> Self {
        Self::Internal(format!("{step}: {cause}"))
    }
}

impl<E> From<SdkError<E>> for StoreError
where
    E: ProvideErrorMetadata,
{
    fn from(error: SdkError<E>) -> Self {
        let description = describe(&error);
        if is_transient(&error) {
            Self::Unavailable(description)
        } else {
            Self::Internal(description)
        }
    }
}

/// Describes an error by its call, its code and the id of the request: `UpdateItem: ThrottlingException
/// (request 0A1B)`.
pub(crate) fn describe<E, R>(error: &SdkError<E, R>) -> String
where
    E: ProvideErrorMetadata,
    SdkError<E, R>: RequestId,
{
    let error_type = std::any::type_name::<E>();
    let call = error_type.rsplit_once("::").map_or(error_type, |(_, name)| name);
    let call = call.trim_end_matches("Error");
    let what = match error {
        SdkError::ConstructionFailure(_) => "the request cannot be made",
        SdkError::TimeoutError(_) => "no response in time",
        SdkError::DispatchFailure(failure) if failure.is_timeout() => "no connection in time",
        SdkError::DispatchFailure(failure) if failure.is_io() => "no connection",
        SdkError::DispatchFailure(_) => "the request was not sent",
        SdkError::ServiceError(answer) => answer.err().code().unwrap_or("an error without a code"),
        _ => "an unreadable response",
    };
    match error.request_id() {
        Some(id) => format!("{call}: {what} (request {id})"),
        None => format!("{call}: {what}"),
    }
}

/// Returns whether a retry can succeed: the request may or may not have taken effect, or was throttled.
pub(crate) fn is_transient<E: ProvideErrorMetadata>(error: &SdkError<E>) -> bool {
    match error {
        // A server error or an unreadable response does not mean that the request is wrong.
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
