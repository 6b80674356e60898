//! What an error means, whoever the vendor is.

use reqwest::header::HeaderMap;
use serde_json::Value;

use crate::AskError;
use crate::http::Reply;
use crate::refusal::Refusal;
use crate::retry;

/// What a reply that is no success means.
pub(crate) fn refused(reply: &Reply) -> AskError {
    let body: Value = serde_json::from_slice(&reply.body).unwrap_or_default();
    let refusal = Refusal::new(&body);
    let meant = meaning(reply.status.as_u16(), &refusal, &reply.headers);
    match (meant, told_to_retry(&reply.headers)) {
        (AskError::Wait { reason, .. } | AskError::Lost { reason }, Some(false)) => {
            AskError::Fatal { reason }
        }
        (AskError::Fatal { reason }, Some(true)) => AskError::Wait {
            after: retry::hint(&reply.headers),
            reason,
        },
        (meant, _) => meant,
    }
}

/// What an `error` inside a successful reply's body means: the provider took the question and failed.
pub(crate) fn failed(body: &Value) -> AskError {
    let refusal = Refusal::new(body);
    if let Some(status) = refusal.status() {
        return meaning(status, &refusal, &HeaderMap::new());
    }
    let reason = |what: &str| {
        refusal
            .shown()
            .map_or_else(|| what.to_owned(), |code| format!("{what} ({code})"))
    };
    if refusal.is_quota() {
        quota(reason("the quota is used up"))
    } else if refusal.is_rate_limit() {
        AskError::wait(reason("the rate limit is reached"))
    } else if refusal.is(&["overloaded_error", "overloaded", "unavailable"]) {
        AskError::wait(reason("the provider is overloaded"))
    } else if refusal.is_content() {
        AskError::fatal(reason("the prompt was refused"))
    } else {
        AskError::lost(reason("the provider failed"))
    }
}

fn meaning(status: u16, refusal: &Refusal<'_>, headers: &HeaderMap) -> AskError {
    let reason = |what: &str| match refusal.shown() {
        Some(code) => format!("{what} ({status}, {code})"),
        None => format!("{what} ({status})"),
    };
    let busy = |what: &str| AskError::Wait {
        after: retry::hint(headers).or_else(|| refusal.retry_delay()),
        reason: reason(what),
    };
    match status {
        402 => quota(reason("the quota is used up")),
        400..500 if refusal.is_quota() => quota(reason("the quota is used up")),
        400 | 403 if refusal.is_content() => AskError::fatal(reason("the prompt was refused")),
        403 if refusal.is_unsupported() => AskError::fatal(reason("the model cannot be used with this key")),
        401 | 403 => bad_key(reason("the key was refused")),
        400 if refusal.is_bad_key() => bad_key(reason("the key was refused")),
        408 | 409 => AskError::lost(reason("the request was given up")),
        // A limit that is not worth waiting for does not pass.
        429 if told_to_retry(headers) == Some(false) => quota(reason("the quota is used up")),
        429 => busy("the rate limit is reached"),
        503 | 529 => busy("the provider is overloaded"),
        500.. => AskError::lost(reason("the provider failed")),
        404 => AskError::fatal(reason("the model or the address is unknown")),
        300..400 => AskError::fatal(reason("the address is another one")),
        _ => AskError::fatal(reason("the request was refused")),
    }
}

/// What the vendor says of asking again, which counts more than the status.
fn told_to_retry(headers: &HeaderMap) -> Option<bool> {
    headers.get("x-should-retry")?.to_str().ok()?.trim().parse().ok()
}

fn quota(reason: String) -> AskError {
    AskError::QuotaExhausted { reason }
}

fn bad_key(reason: String) -> AskError {
    AskError::BadKey { reason }
}

#[cfg(test)]
mod tests;
