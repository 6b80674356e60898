//! Responses to requests that do not succeed.

use serde_json::{Map, Value, json};

use crate::request_schemas::{integer, non_empty_string, object, required};

/// Returns the schemas of the bodies of errors, by the names of their components.
pub(crate) fn components() -> Map<String, Value> {
    let message = || required("error", non_empty_string("What is wrong"));
    let seconds = integer(1, 3_600, "The number of seconds until a retry can succeed");
    [
        ("ApiError", object([message()])),
        (
            "TemporaryError",
            object([message(), required("retryAfter", seconds)]),
        ),
    ]
    .into_iter()
    .map(|(name, schema)| (name.to_owned(), schema))
    .collect()
}

/// Returns the headers of every response to a request with a valid key.
pub(crate) fn headers_of_key() -> Value {
    json!({
        "x-request-id": {"$ref": "#/components/headers/RequestId"},
        "RateLimit": {"$ref": "#/components/headers/RateLimit"},
        "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"},
    })
}

/// Returns the response of a status to a request with a valid key, with examples of its texts. A status from
/// 500 on can occur before the key is known to be valid.
pub(crate) fn response(status: u16, texts: &[impl AsRef<str>]) -> Value {
    let mut response = response_without_key(status, texts);
    if matches!(status, 500 | 502 | 503) {
        return response;
    }
    if let (Some(headers), Value::Object(of_key)) = (response["headers"].as_object_mut(), headers_of_key()) {
        headers.extend(of_key);
    }
    response
}

/// Returns the response of a status that can occur before the key is known to be valid, with examples of its
/// texts.
pub(crate) fn response_without_key(status: u16, texts: &[impl AsRef<str>]) -> Value {
    let is_temporary = matches!(status, 429 | 503);
    let schema = if is_temporary {
        "TemporaryError"
    } else {
        "ApiError"
    };
    let mut headers = json!({"x-request-id": {"$ref": "#/components/headers/RequestId"}});
    if is_temporary {
        headers["Retry-After"] = json!({"$ref": "#/components/headers/RetryAfter"});
    }
    if status == 401 {
        headers["WWW-Authenticate"] = json!({"$ref": "#/components/headers/Challenge"});
    }
    if status == 405 {
        headers["Allow"] = json!({"$ref": "#/components/headers/Allow"});
    }
    let body = |text: &_| {
        let mut body = json!({"error": AsRef::<str>::as_ref(text)});
        match status {
            429 => body["retryAfter"] = 42.into(),
            503 => body["retryAfter"] = 5.into(),
            _ => {}
        }
        body
    };
    json!({
        "description": description(status),
        "headers": headers,
        "content": {"application/json": {
            "schema": {"$ref": format!("#/components/schemas/{schema}")},
            "examples": named(texts.iter().map(body)),
        }},
    })
}

/// Examples with the names `example1`, `example2` and so on.
pub(crate) fn named(examples: impl Iterator<Item = Value>) -> Value {
    let named = |(number, value): (usize, Value)| (format!("example{number}"), json!({"value": value}));
    (1..).zip(examples).map(named).collect::<Map<_, _>>().into()
}

fn description(status: u16) -> &'static str {
    match status {
        400 => "The request is invalid. The text names the field and the rule.",
        401 => "The API key is missing or invalid.",
        403 => "A limit is reached, the subscription is canceled, or the key may not do this.",
        404 => "An item that the request names does not exist in this workspace.",
        405 => "The path exists, but not with this method.",
        409 => "The request conflicts with the current state.",
        413 => "The body is too large.",
        429 => {
            "A rate limit is exceeded. `retryAfter` and `Retry-After` give the seconds until the next window \
             begins."
        }
        502 => {
            "A provider refuses what the service needs for this request. A retry fails until the operator changes that."
        }
        503 => {
            "The service is temporarily unavailable. `retryAfter` and `Retry-After` give the seconds until a retry \
             can succeed."
        }
        _ => "An unexpected error occurred. The log contains the cause under the request id.",
    }
}
