//! A vendor's format, and the errors that it encodes.

use serde_json::Value;

use super::request::Request;
use crate::demo::generated_answer::GeneratedAnswer;

/// The text of a refusal.
pub(super) const REFUSAL: &str = "I'm sorry, but I can't help with that.";

/// A vendor's format.
pub(in crate::demo) struct Format {
    /// Decodes the body, a JSON object. The error is the name of a missing parameter.
    pub(in crate::demo) read: fn(&Value) -> Result<Request, &'static str>,
    /// Encodes an answer as the body of a response.
    pub(in crate::demo) write: fn(&GeneratedAnswer) -> Value,
    /// Encodes an error as the body of a response.
    pub(in crate::demo) error: fn(&ErrorResponse) -> Value,
    /// Whether an error has a `Retry-After` header.
    pub(in crate::demo) has_retry_after: bool,
}

/// An error of the API.
#[derive(Debug)]
pub(in crate::demo) struct ErrorResponse {
    pub(in crate::demo) status: u16,
    pub(in crate::demo) message: String,
    /// The name of the invalid parameter.
    pub(in crate::demo) param: Option<&'static str>,
    /// Seconds after which the client is asked to retry.
    pub(in crate::demo) retry_after: Option<u32>,
}

impl ErrorResponse {
    /// Returns the name that most vendors give an error with this status.
    pub(super) fn kind(&self) -> &'static str {
        match self.status {
            401 => "authentication_error",
            402 => "billing_error",
            403 => "permission_error",
            404 => "not_found_error",
            429 => "rate_limit_error",
            503 | 529 => "overloaded_error",
            500.. => "api_error",
            _ => "invalid_request_error",
        }
    }
}
