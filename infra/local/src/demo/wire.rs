//! The vendors' formats: how a request is read, and how an answer and an error are written.

mod anthropic;
mod gemini;
mod mistral;
mod responses;

use serde_json::Value;

use super::composed::Composed;

pub(super) use anthropic::ANTHROPIC;
pub(super) use gemini::GEMINI;
pub(super) use mistral::MISTRAL;
pub(super) use responses::{OPENAI, PERPLEXITY, XAI};

/// What a model says where it refuses to answer.
const REFUSAL: &str = "I'm sorry, but I can't help with that.";

/// A vendor's format.
pub(super) struct Format {
    /// Reads a body that is a JSON object; `Err` names what is missing.
    pub(super) read: fn(&Value) -> Result<Request, &'static str>,
    pub(super) write: fn(&Composed) -> Value,
    pub(super) error: fn(&Failure) -> Value,
    /// Whether a wait is asked for in a header.
    pub(super) has_retry_after: bool,
}

/// A request, as far as the answer depends on it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) model: String,
    pub(super) input: String,
    /// Whether a web search tool is offered.
    pub(super) search: bool,
    /// Whether the answer is to be JSON of a given shape.
    pub(super) structured: bool,
    /// The most tokens of the answer.
    pub(super) limit: usize,
}

/// An error, and the wait that is asked for with it.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) status: u16,
    pub(super) message: String,
    /// The parameter that is wrong.
    pub(super) param: Option<&'static str>,
    /// Seconds.
    pub(super) wait: Option<u32>,
}

impl Failure {
    /// What most vendors call an error with this status.
    fn kind(&self) -> &'static str {
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

/// The text of what the user says: a string, or messages whose content is a string or a list of parts with text.
fn said(value: &Value, content: &str) -> Option<String> {
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

/// A name that is there.
fn name(value: &Value) -> Option<String> {
    value.as_str().filter(|name| !name.is_empty()).map(str::to_owned)
}

fn offers_search(tools: &Value) -> bool {
    tools.as_array().into_iter().flatten().any(|tool| {
        let is_search = |kind: &str| kind.starts_with("web_search");
        tool["type"].as_str().is_some_and(is_search) || tool["googleSearch"].is_object()
    })
}

fn limit(value: &Value) -> usize {
    value
        .as_u64()
        .and_then(|limit| usize::try_from(limit).ok())
        .unwrap_or(4_096)
}
