//! The errors of the API, and the one place where they become HTTP responses.
//!
//! An error keeps its public message and its internal cause apart, so that the cause reaches only the log.

use std::time::Duration;

use domain::error::InvalidField;
use domain::time::whole_seconds;
use lambda_http::Body;
use lambda_http::http::header::{ALLOW, CONTENT_TYPE, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use lambda_http::http::{Response, StatusCode};
use serde_json::json;

/// The time after which a client can retry when the table or a provider is unavailable.
const UNAVAILABLE_RETRY: Duration = Duration::from_secs(5);

/// An error response: a status from 400 to 503 and the body `{"error": message}`, with `retryAfter` in
/// seconds if a retry can succeed.
#[derive(Debug)]
pub struct ApiError {
    status: StatusCode,
    /// The message that is shown to the client.
    message: String,
    /// The cause, which is only logged.
    internal: Option<String>,
    /// The time after which the client can retry.
    retry_after: Option<Duration>,
    /// How a client authenticates, if the API key is missing or invalid.
    challenge: Option<&'static str>,
    /// The methods of the path, if it does not have the request's method.
    pub(crate) allow: Option<String>,
}

impl ApiError {
    fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self {
            status,
            message: message.into(),
            internal: None,
            retry_after: None,
            challenge: None,
            allow: None,
        }
    }

    /// Creates a 400 for invalid input. The message names the field and the rule.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    /// Creates a 401 for a request without an API key.
    pub(crate) fn missing_key() -> Self {
        Self {
            challenge: Some("Bearer realm=\"visibility\""),
            ..Self::new(StatusCode::UNAUTHORIZED, "Missing API key")
        }
    }

    /// Creates a 401 for an API key that is unknown or deactivated.
    pub(crate) fn invalid_key(message: &str) -> Self {
        Self {
            challenge: Some("Bearer realm=\"visibility\", error=\"invalid_token\""),
            ..Self::new(StatusCode::UNAUTHORIZED, message)
        }
    }

    /// Creates a 403 for a request that the key's scope, or the workspace's plan, credits or limits, do not
    /// allow.
    pub fn forbidden(message: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, message)
    }

    /// Creates a 404 for an item that does not exist or belongs to another workspace. `what` names the kind
    /// of item.
    pub fn not_found(what: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, format!("{what} not found"))
    }

    /// Creates a 404 for one of several items of a request. `field` says which one.
    pub fn not_found_at(what: &str, field: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, format!("{what} not found: {field}"))
    }

    /// Creates a 405 for a path that does not have the method. `allow` lists the path's methods, separated by
    /// commas.
    pub fn method_not_allowed(allow: String) -> Self {
        Self {
            allow: Some(allow),
            ..Self::new(StatusCode::METHOD_NOT_ALLOWED, "Method not allowed")
        }
    }

    /// Creates a 409 for a request that conflicts with the current state.
    pub fn conflict(message: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, message)
    }

    /// Creates a 413 for a body that is larger than `max` bytes.
    pub fn too_large(max: usize) -> Self {
        Self::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            format!("body must be at most {max} bytes"),
        )
    }

    /// Creates a 429 for an exceeded rate limit. `retry_after` is the time until the limit's next window.
    pub fn too_many(message: impl Into<String>, retry_after: Duration) -> Self {
        Self {
            retry_after: Some(retry_after),
            ..Self::new(StatusCode::TOO_MANY_REQUESTS, message)
        }
    }

    /// Creates a 503 for a failure after which a retry can succeed. `internal` is only logged.
    pub fn unavailable(message: impl Into<String>, internal: impl std::fmt::Display) -> Self {
        Self {
            internal: Some(internal.to_string()),
            retry_after: Some(UNAVAILABLE_RETRY),
            ..Self::new(StatusCode::SERVICE_UNAVAILABLE, message)
        }
    }

    /// Creates a 502 for a provider that does not do what the service asks of it, and will not until the
    /// operator changes something. `internal` is only logged.
    pub fn provider_refuses(message: impl Into<String>, internal: impl std::fmt::Display) -> Self {
        Self {
            internal: Some(internal.to_string()),
            ..Self::new(StatusCode::BAD_GATEWAY, message)
        }
    }

    /// Creates a 503 for a table that is unavailable or too slow.
    pub(crate) fn temporarily_unavailable(internal: impl std::fmt::Display) -> Self {
        Self::unavailable("The service is temporarily unavailable", internal)
    }

    /// Creates a 500 with a fixed message. The cause is only logged.
    pub fn internal(cause: impl std::fmt::Display) -> Self {
        Self {
            internal: Some(cause.to_string()),
            ..Self::new(StatusCode::INTERNAL_SERVER_ERROR, "Internal server error")
        }
    }

    /// Returns the message that clients see.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the HTTP status.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// Returns the number of seconds after which the client can retry.
    pub fn retry_after_seconds(&self) -> Option<u64> {
        self.retry_after.map(whole_seconds)
    }

    /// Logs the cause.
    pub fn log_cause(&self) {
        if let Some(cause) = &self.internal {
            tracing::error!(http.status = self.status.as_u16(), cause, "a request failed");
        }
    }

    pub(crate) fn into_response(self) -> Response<Body> {
        self.log_cause();
        let mut body = json!({ "error": self.message });
        let retry_after = self.retry_after_seconds();
        if let Some(seconds) = retry_after {
            body["retryAfter"] = seconds.into();
        }
        let mut response = Response::new(Body::Text(body.to_string()));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(seconds) = retry_after {
            headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        if let Some(challenge) = self.challenge {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
        }
        if let Some(Ok(allow)) = self.allow.as_deref().map(HeaderValue::from_str) {
            headers.insert(ALLOW, allow);
        }
        response
    }
}

impl From<InvalidField> for ApiError {
    fn from(invalid: InvalidField) -> Self {
        Self::invalid(invalid.to_string())
    }
}
