//! Decodes the body of a conversation.

use domain::answer::{Answer, FinishReason};
use serde_json::Value;

use crate::AskError;
use crate::answer_builder::{AnswerBuilder, PassageKind};
use crate::json_access::{items, non_blank_text, parse, parse_object, token_count};

pub(super) const MAX_OUTPUT_TOKENS: u32 = 8_192;

/// Decodes a complete response body.
pub(super) fn decode(body: &[u8]) -> Result<Answer, AskError> {
    let body = parse_object(body)?;
    let mut builder = AnswerBuilder::default();
    let mut model = None;
    for entry in items(&body["outputs"]) {
        match entry["type"].as_str() {
            Some("message.output") => {
                builder.start_passage(PassageKind::Undeclared);
                push_message(&mut builder, &entry["content"]);
                model = non_blank_text(&entry["model"]).or(model);
            }
            Some("tool.execution") if is_search(&entry["name"]) => {
                builder.add_search_step(true);
                builder.searches.add([&query(&entry["arguments"])].into_iter());
            }
            _ => {}
        }
    }
    let usage = |name: &str| token_count(&body["usage"][name]);
    let output_tokens = usage("completion_tokens");
    // The response does not contain a finish reason.
    let end = if output_tokens >= u64::from(MAX_OUTPUT_TOKENS) {
        FinishReason::Truncated
    } else {
        FinishReason::Complete
    };
    Ok(Answer {
        input_tokens: usage("prompt_tokens").saturating_add(usage("connector_tokens")),
        output_tokens,
        model_version: model.map(str::to_owned),
        ..builder.build(end, &Value::Null)?
    })
}

/// Adds the content of a message: a text, or chunks of text, each followed by its references.
fn push_message(builder: &mut AnswerBuilder, content: &Value) {
    builder.push_text(content.as_str().unwrap_or(""));
    for chunk in items(content) {
        match chunk["type"].as_str() {
            Some("text") => builder.push_text(chunk["text"].as_str().unwrap_or("")),
            Some("tool_reference") if is_search(&chunk["tool"]) => {
                builder.cite(&chunk["url"], &chunk["title"], None);
            }
            _ => {}
        }
    }
}

fn is_search(name: &Value) -> bool {
    name.as_str().is_some_and(|name| name.starts_with("web_search"))
}

/// Returns the query in the arguments of a call, which are JSON in a string.
fn query(arguments: &Value) -> Value {
    let arguments = arguments.as_str().and_then(|text| parse(text.as_bytes()));
    arguments.map_or(Value::Null, |arguments| arguments["query"].clone())
}
