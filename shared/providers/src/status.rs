//! What an error status or an error code means.

use std::time::Duration;

use serde_json::Value;

use crate::AskError;
use crate::http::Reply;
use crate::retry;

/// What a reply that is no success means. The body's `error.code`, else its `error.type`, tells an empty account from a busy provider.
pub(crate) fn refused(reply: &Reply) -> AskError {
    let body: Value = serde_json::from_slice(&reply.body).unwrap_or_default();
    let error = &body["error"];
    let status = reply.status.as_u16();
    let code = code_of(error);
    let reason = |what: &str| match shown(code) {
        Some(code) => format!("{what} ({status}, {code})"),
        None => format!("{what} ({status})"),
    };
    let busy = |what: &str| AskError::Wait {
        after: retry::hint(&reply.headers),
        reason: reason(what),
    };
    match status {
        402 => quota(reason("the quota is used up")),
        400..500 if is_quota(error) => quota(reason("the quota is used up")),
        // The key is good, but not for this model: asking again gives the same.
        403 if code == "model_not_found" || code.starts_with("unsupported_") => {
            AskError::fatal(reason("the model cannot be used with this key"))
        }
        401 | 403 => AskError::BadKey {
            reason: reason("the key was refused"),
        },
        408 | 409 => AskError::lost(reason("the request was given up")),
        429 => busy("the rate limit is reached"),
        503 | 529 => busy("the provider is overloaded"),
        500.. => AskError::lost(reason("the provider failed")),
        404 => AskError::fatal(reason("the model or the address is unknown")),
        300..400 => AskError::fatal(reason("the address is another one")),
        _ => AskError::fatal(reason("the request was refused")),
    }
}

/// What an `error` inside a successful reply means: the provider took the question and failed.
pub(crate) fn failed(error: &Value) -> AskError {
    let code = code_of(error);
    let reason = |what: &str| shown(code).map_or_else(|| what.to_owned(), |code| format!("{what} ({code})"));
    match code {
        "rate_limit_exceeded" | "slow_down" => AskError::Wait {
            after: None::<Duration>,
            reason: reason("the rate limit is reached"),
        },
        "invalid_prompt" => AskError::fatal(reason("the prompt was refused")),
        _ if is_quota(error) => quota(reason("the quota is used up")),
        _ => AskError::lost(reason("the provider failed")),
    }
}

fn quota(reason: String) -> AskError {
    AskError::QuotaExhausted { reason }
}

fn code_of(error: &Value) -> &str {
    let text = |name: &str| error[name].as_str().filter(|text| !text.is_empty());
    text("code").or_else(|| text("type")).unwrap_or_default()
}

/// Codes of an empty account. A rate limit's code wins over its type, which can say `insufficient_quota` of anything.
fn is_quota(error: &Value) -> bool {
    let code = code_of(error);
    if matches!(code, "rate_limit_exceeded" | "slow_down") {
        return false;
    }
    let names = [code, error["type"].as_str().unwrap_or_default()];
    let words = ["quota", "billing", "credit", "spend", "usage_limit"];
    names
        .iter()
        .any(|name| words.iter().any(|word| name.contains(word)))
}

/// A code that is a plain word, and so no key and no payload.
fn shown(code: &str) -> Option<&str> {
    let plain = code.len() <= 40 && code.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
    (plain && !code.is_empty()).then_some(code)
}
