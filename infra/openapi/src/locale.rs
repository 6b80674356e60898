//! Languages and places.

use serde_json::{Value, json};

/// A language as it is shown.
pub(crate) fn language(description: &str) -> Value {
    let description = format!("{description}: ISO 639-1, with a region if one was given");
    json!({"type": "string", "pattern": "^[a-z]{2}(-[A-Z]{2})?$", "description": description})
}

/// A language that a client sends.
pub(crate) fn given_language(description: &str) -> Value {
    let description =
        format!("{description}: an ISO 639-1 code, optionally with a region, such as en or pt-BR");
    json!({
        "type": "string", "pattern": "^\\s*[A-Za-z]{2}([-_][A-Za-z]{2})?\\s*$", "description": description,
    })
}

/// A place as it is shown.
pub(crate) fn geolocation(description: &str) -> Value {
    let description = format!("{description}: `global` or ISO 3166-1 alpha-2 in lower case");
    json!({"type": "string", "pattern": "^(global|[a-z]{2})$", "description": description})
}

/// A place that a client sends.
pub(crate) fn given_geolocation(description: &str) -> Value {
    let description = format!("{description}: global, or an ISO 3166-1 alpha-2 code such as us");
    json!({
        "type": "string", "pattern": "^\\s*([Gg][Ll][Oo][Bb][Aa][Ll]|[A-Za-z]{2})\\s*$",
        "description": description,
    })
}
