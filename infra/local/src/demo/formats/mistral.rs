//! Mistral's Conversations API. It has no refusals: the model just says so.

use domain::answer::FinishReason;
use serde_json::{Value, json};

use super::format::{Format, REFUSAL};
use super::request::{Request, max_tokens, non_empty, offers_search, user_text};
use crate::demo::generated_answer::GeneratedAnswer;

pub(in crate::demo) const MISTRAL: Format = Format {
    read: |body| {
        let arguments = &body["completion_args"];
        Ok(Request {
            model: non_empty(&body["model"]).ok_or("model")?,
            input: user_text(&body["inputs"], "content").ok_or("inputs")?,
            search: offers_search(&body["tools"]),
            structured: arguments["response_format"]["type"] == "json_schema",
            max_tokens: max_tokens(&arguments["max_tokens"]),
        })
    },
    write,
    error: |failure| {
        json!({
            "object": "error", "message": failure.message, "type": failure.kind(), "param": failure.param, "code": null,
        })
    },
    has_retry_after: true,
};

fn write(answer: &GeneratedAnswer) -> Value {
    let searches = answer.queries().into_iter().map(|query| {
        let arguments = json!({"query": query}).to_string();
        json!({"type": "tool.execution", "object": "entry", "name": "web_search", "arguments": arguments, "info": {}})
    });
    let mut outputs: Vec<Value> = searches.collect();
    let count = outputs.len();
    outputs.push(json!({
        "type": "message.output", "object": "entry", "id": format!("msg_demo{:016x}", answer.id),
        "role": "assistant", "model": answer.model, "content": content(answer),
    }));
    json!({
        "object": "conversation.response",
        "conversation_id": format!("conv_demo{:016x}", answer.id),
        "outputs": outputs,
        "usage": {
            "prompt_tokens": answer.input_tokens,
            "completion_tokens": answer.output_tokens,
            "total_tokens": answer.input_tokens + answer.output_tokens,
            "connector_tokens": 0,
            "connectors": {"web_search": count},
        },
    })
}

/// Returns the text in chunks. A chunk with a source is followed by a reference.
fn content(answer: &GeneratedAnswer) -> Value {
    if answer.finish_reason == FinishReason::Refused {
        return json!(REFUSAL);
    }
    let mut chunks = Vec::new();
    for passage in &answer.passages {
        chunks.push(json!({"type": "text", "text": passage.text}));
        if let Some(link) = &passage.source {
            chunks.push(json!({
                "type": "tool_reference", "tool": "web_search", "title": link.title, "url": link.url, "favicon": null,
            }));
        }
    }
    Value::Array(chunks)
}
