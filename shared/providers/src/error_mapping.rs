//! Maps error responses of all vendors to [`AskError`].

use reqwest::header::HeaderMap;
use serde_json::Value;

use crate::AskError;
use crate::error_body::ErrorBody;
use crate::http::HttpResponse;
use crate::{retry_after, stated_limit};

/// The reason of a refusal that the vendor has not explained.
const BLOCKED: &str = "the request was blocked before it reached the model";

/// Returns the body of a successful response. Every other status is an error.
pub(crate) fn require_success(response: HttpResponse) -> Result<Vec<u8>, AskError> {
    if response.status.is_success() {
        Ok(response.body)
    } else {
        Err(error_for_response(&response))
    }
}

/// Returns the error for an `error` in the body of a successful response. The provider has accepted the
/// request.
pub(crate) fn error_in_body(body: &Value) -> AskError {
    let error = ErrorBody::new(body);
    if let Some(status) = error.status() {
        return error_for_status(status, &error, &HeaderMap::new());
    }
    let reason = |what: &str| {
        error
            .display_code()
            .map_or_else(|| what.to_owned(), |code| format!("{what} ({code})"))
    };
    if error.is_quota() {
        AskError::quota_exhausted(reason("the quota is used up"))
    } else if error.is_rate_limit() {
        throttled(&HeaderMap::new(), &error, reason("the rate limit is reached"))
    } else if error.is_overload() {
        throttled(&HeaderMap::new(), &error, reason("the provider is overloaded"))
    } else if error.is_content_policy() {
        AskError::permanent(reason("the prompt was refused"))
    } else {
        AskError::answer_lost(reason("the provider failed"))
    }
}

/// Returns the error for a response without success. The header `x-should-retry` overrides the status.
fn error_for_response(response: &HttpResponse) -> AskError {
    let body: Value = serde_json::from_slice(&response.body).unwrap_or(Value::Null);
    let error = error_for_status(
        response.status.as_u16(),
        &ErrorBody::new(&body),
        &response.headers,
    );
    match (error, should_retry(&response.headers)) {
        (AskError::Unavailable { reason, .. } | AskError::AnswerLost { reason }, Some(false)) => {
            AskError::Permanent { reason }
        }
        (AskError::Permanent { reason }, Some(true)) => AskError::Unavailable {
            retry_after: retry_after::from_headers(&response.headers),
            is_throttled: false,
            requests_per_minute: None,
            reason,
        },
        (error, _) => error,
    }
}

/// Only the vendor's own words about key, account or quota reject the account, because a firewall or a
/// gateway refuses single questions with the same statuses.
fn error_for_status(status: u16, error: &ErrorBody<'_>, headers: &HeaderMap) -> AskError {
    let reason = |what: &str| match error.display_code() {
        Some(code) => format!("{what} ({status}, {code})"),
        None => format!("{what} ({status})"),
    };
    match status {
        400..500 if error.is_too_large() => AskError::permanent(reason("the request is too large")),
        429 if error.is_zero_quota() => AskError::permanent(reason("the model cannot be used with this key")),
        400..500 if error.is_quota() => AskError::quota_exhausted(reason("the quota is used up")),
        400 | 403 if error.is_content_policy() => AskError::permanent(reason("the prompt was refused")),
        401 | 403 if error.is_unsupported_model() => {
            AskError::permanent(reason("the model cannot be used with this key"))
        }
        400 | 401 | 403 if error.is_invalid_key() => AskError::invalid_key(reason("the key was refused")),
        402 if error.is_stated() => AskError::quota_exhausted(reason("the quota is used up")),
        401..=403 => AskError::forbidden(reason(BLOCKED)),
        408 | 409 => AskError::answer_lost(reason("the request was given up")),
        // A rate limit that must not be retried is a quota that does not reset soon.
        429 if should_retry(headers) == Some(false) && error.is_stated() => {
            AskError::quota_exhausted(reason("the quota is used up"))
        }
        429 if should_retry(headers) == Some(false) => AskError::forbidden(reason(BLOCKED)),
        429 => throttled(headers, error, reason("the rate limit is reached")),
        529 => throttled(headers, error, reason("the provider is overloaded")),
        503 => match throttled(headers, error, reason("the provider is overloaded")) {
            // Without a sign that the provider is busy, this is an outage.
            AskError::Unavailable {
                retry_after: None,
                reason,
                ..
            } if !error.is_overload() => AskError::unavailable(reason),
            busy => busy,
        },
        500.. => AskError::answer_lost(reason("the provider failed")),
        404 => AskError::permanent(reason("the model or the address is unknown")),
        300..400 => AskError::permanent(reason("the address is another one")),
        _ => AskError::permanent(reason("the request was refused")),
    }
}

fn throttled(headers: &HeaderMap, error: &ErrorBody<'_>, reason: String) -> AskError {
    AskError::Unavailable {
        retry_after: retry_after::from_headers(headers)
            .or_else(|| retry_after::from_error_details(error.details())),
        is_throttled: true,
        requests_per_minute: stated_limit::from_headers(headers),
        reason,
    }
}

/// Parses the header `x-should-retry`, in which a vendor says whether a retry can succeed.
fn should_retry(headers: &HeaderMap) -> Option<bool> {
    headers.get("x-should-retry")?.to_str().ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests;
