//! The parts that the requests of all vendors have in common.

use serde_json::Value;

/// The parts of a request on which the answer depends.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::demo) struct Request {
    pub(in crate::demo) model: String,
    pub(in crate::demo) input: String,
    /// Whether the request offers a web search tool.
    pub(in crate::demo) search: bool,
    /// Whether the request asks for JSON of a given schema.
    pub(in crate::demo) structured: bool,
    /// The maximum number of tokens of the answer.
    pub(in crate::demo) max_tokens: usize,
}

/// Returns the user's text. `value` is a string, or a list of messages whose content is a string or a list of parts
/// with text.
pub(super) fn user_text(value: &Value, content: &str) -> Option<String> {
    let parts = |value: &Value| -> Vec<String> {
        match value {
            Value::String(text) => vec![text.clone()],
            Value::Array(parts) => parts
                .iter()
                .filter_map(|part| part["text"].as_str())
                .map(str::to_owned)
                .collect(),
            _ => Vec::new(),
        }
    };
    let texts = match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(messages) => messages
            .iter()
            .filter(|message| message["role"].as_str().is_none_or(|role| role == "user"))
            .flat_map(|message| parts(&message[content]))
            .collect(),
        _ => return None,
    };
    let text = texts.join("\n");
    (!text.trim().is_empty()).then_some(text)
}

/// Returns a text that is not empty.
pub(super) fn non_empty(value: &Value) -> Option<String> {
    value.as_str().filter(|name| !name.is_empty()).map(str::to_owned)
}

pub(super) fn offers_search(tools: &Value) -> bool {
    tools.as_array().into_iter().flatten().any(|tool| {
        let is_search = |kind: &str| kind.starts_with("web_search");
        tool["type"].as_str().is_some_and(is_search) || tool["googleSearch"].is_object()
    })
}

pub(super) fn max_tokens(value: &Value) -> usize {
    value
        .as_u64()
        .and_then(|limit| usize::try_from(limit).ok())
        .unwrap_or(4_096)
}
