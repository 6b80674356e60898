//! Decodes the body of a conversation.

use domain::answer::{Answer, End};
use serde_json::Value;

use super::OUTPUT_TOKENS;
use crate::AskError;
use crate::collect::{items, object, text_of, tokens};
use crate::draft::Draft;

/// Reads a whole response body.
pub(super) fn decode(body: &[u8]) -> Result<Answer, AskError> {
    let body = object(body)?;
    let mut draft = Draft::default();
    let mut model = None;
    for entry in items(&body["outputs"]) {
        match entry["type"].as_str() {
            Some("message.output") => {
                draft.set_apart();
                message(&mut draft, &entry["content"]);
                model = text_of(&entry["model"]).or(model);
            }
            Some("tool.execution") if is_search(&entry["name"]) => {
                draft.searches.add([&query(&entry["arguments"])].into_iter());
            }
            _ => {}
        }
    }
    let usage = |name: &str| tokens(&body["usage"][name]);
    let output_tokens = usage("completion_tokens");
    // How it ended is not told.
    let end = if output_tokens >= u64::from(OUTPUT_TOKENS) {
        End::Truncated
    } else {
        End::Complete
    };
    Ok(Answer {
        input_tokens: usage("prompt_tokens").saturating_add(usage("connector_tokens")),
        output_tokens,
        model_version: model.map(str::to_owned),
        ..draft.answer(end)?
    })
}

/// A text, or chunks of text with a reference behind each that has a source.
fn message(draft: &mut Draft, content: &Value) {
    draft.push(content.as_str().unwrap_or_default());
    for chunk in items(content) {
        match chunk["type"].as_str() {
            Some("text") => draft.push(chunk["text"].as_str().unwrap_or_default()),
            Some("tool_reference") if is_search(&chunk["tool"]) => {
                draft.citations.add(&chunk["url"], &chunk["title"]);
            }
            _ => {}
        }
    }
}

/// `web_search`, or `web_search_premium`.
fn is_search(name: &Value) -> bool {
    name.as_str().is_some_and(|name| name.starts_with("web_search"))
}

/// The query in a call's arguments, which are JSON in a string.
fn query(arguments: &Value) -> Value {
    let arguments: Value = serde_json::from_str(arguments.as_str().unwrap_or_default()).unwrap_or_default();
    arguments["query"].clone()
}
