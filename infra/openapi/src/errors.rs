//! What is said where a request does not succeed.

use serde_json::{Map, Value, json};

/// Examples, each with a name.
pub(crate) fn numbered(examples: impl Iterator<Item = Value>) -> Value {
    let named = |(place, value): (usize, Value)| (format!("example{place}"), json!({"value": value}));
    (1..).zip(examples).map(named).collect::<Map<_, _>>().into()
}

/// The response of a status, with examples of its texts.
pub(crate) fn error(status: u16, texts: &[&str]) -> Value {
    let description = match status {
        400 => "The request is invalid: the text names the field and the rule",
        401 => "There is no usable API key",
        403 => "A limit is reached, or the subscription is canceled",
        404 => "What the request names does not exist in this workspace",
        405 => "The path exists, with other methods",
        409 => "The request is in conflict with what there is",
        413 => "The body is too large",
        429 => {
            "Too many requests: `retryAfter` and `Retry-After` say in how many seconds the next window begins"
        }
        503 => {
            "Not available at the moment: `retryAfter` and `Retry-After` say in how many seconds to try again"
        }
        _ => "Something unexpected happened; it is in the log under the request id",
    };
    let is_temporary = matches!(status, 429 | 503);
    let schema = if is_temporary { "TemporaryError" } else { "Error" };
    let mut headers = json!({"x-request-id": {"$ref": "#/components/headers/RequestId"}});
    if is_temporary {
        headers["Retry-After"] = json!({"$ref": "#/components/headers/RetryAfter"});
    }
    if status == 405 {
        headers["Allow"] = json!({"$ref": "#/components/headers/Allow"});
    }
    let body = |text: &&str| match status {
        429 => json!({"error": text, "retryAfter": 42}),
        503 => json!({"error": text, "retryAfter": 5}),
        _ => json!({"error": text}),
    };
    json!({
        "description": description,
        "headers": headers,
        "content": {"application/json": {
            "schema": {"$ref": format!("#/components/schemas/{schema}")},
            "examples": numbered(texts.iter().map(body)),
        }},
    })
}
