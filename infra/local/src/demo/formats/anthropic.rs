//! Anthropic's Messages API.

use domain::answer::FinishReason;
use serde_json::{Value, json};

use super::format::{Format, REFUSAL};
use super::request::{Request, max_tokens, non_empty, offers_search, user_text};
use crate::demo::generated_answer::{GeneratedAnswer, Passage};

pub(in crate::demo) const ANTHROPIC: Format = Format {
    read: |body| {
        Ok(Request {
            model: non_empty(&body["model"]).ok_or("model")?,
            input: user_text(&body["messages"], "content").ok_or("messages")?,
            search: offers_search(&body["tools"]),
            structured: body["output_config"]["format"]["type"] == "json_schema",
            max_tokens: max_tokens(&body["max_tokens"]),
        })
    },
    write,
    error: |failure| json!({"type": "error", "error": {"type": failure.kind(), "message": failure.message}, "request_id": "req_demo"}),
    has_retry_after: true,
};

fn write(answer: &GeneratedAnswer) -> Value {
    let (stop_reason, stop_details) = match answer.finish_reason {
        FinishReason::Complete => ("end_turn", Value::Null),
        FinishReason::Truncated => ("max_tokens", Value::Null),
        FinishReason::Refused => ("refusal", json!({"type": "refusal", "explanation": REFUSAL})),
    };
    let mut content = searches(answer);
    content.extend(answer.passages.iter().map(block));
    json!({
        "id": format!("msg_demo{:016x}", answer.id),
        "type": "message",
        "role": "assistant",
        "model": answer.model,
        "content": content,
        "stop_reason": stop_reason,
        "stop_sequence": null,
        "stop_details": stop_details,
        "usage": {
            "input_tokens": answer.input_tokens,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "output_tokens": answer.output_tokens,
            "server_tool_use": {"web_search_requests": answer.queries().len(), "web_fetch_requests": 0},
        },
    })
}

/// Returns two blocks for each search. The first search has all results.
fn searches(answer: &GeneratedAnswer) -> Vec<Value> {
    let mut results: Vec<Value> = answer
        .sources()
        .into_iter()
        .map(|link| json!({"type": "web_search_result", "url": link.url, "title": link.title, "encrypted_content": "demo"}))
        .collect();
    let mut blocks = Vec::new();
    for (at, query) in answer.queries().into_iter().enumerate() {
        let id = format!("srvtoolu_demo{:016x}{at}", answer.id);
        blocks.push(
            json!({"type": "server_tool_use", "id": id, "name": "web_search", "input": {"query": query}}),
        );
        blocks.push(json!({
            "type": "web_search_tool_result", "tool_use_id": id, "content": std::mem::take(&mut results),
        }));
    }
    blocks
}

fn block(passage: &Passage) -> Value {
    let mut block = json!({"type": "text", "text": passage.text});
    if let Some(link) = &passage.source {
        block["citations"] = json!([{
            "type": "web_search_result_location", "url": link.url, "title": link.title,
            "cited_text": passage.text, "encrypted_index": "demo",
        }]);
    }
    block
}
