//! Gemini's `generateContent`, whose model is in the path.

use domain::answer::FinishReason;
use serde_json::{Value, json};

use super::format::{ErrorResponse, Format};
use super::request::{Request, max_tokens, non_empty, offers_search, user_text};
use crate::demo::generated_answer::GeneratedAnswer;

pub(in crate::demo) const GEMINI: Format = Format {
    read: |body| {
        let config = &body["generationConfig"];
        Ok(Request {
            model: non_empty(&body["model"]).ok_or("model")?,
            input: user_text(&body["contents"], "parts").ok_or("contents")?,
            search: offers_search(&body["tools"]),
            structured: config["responseMimeType"] == "application/json",
            max_tokens: max_tokens(&config["maxOutputTokens"]),
        })
    },
    write,
    error,
    has_retry_after: false,
};

fn write(answer: &GeneratedAnswer) -> Value {
    let candidate = json!({
        "index": 0,
        "finishReason": if answer.finish_reason == FinishReason::Truncated { "MAX_TOKENS" } else { "STOP" },
        "content": {"role": "model", "parts": [{"text": text(answer)}]},
        "groundingMetadata": grounding(answer),
    });
    let (candidates, feedback) = match answer.finish_reason {
        FinishReason::Refused => (json!([]), json!({"blockReason": "PROHIBITED_CONTENT"})),
        _ => (json!([candidate]), Value::Null),
    };
    json!({
        "responseId": format!("demo{:016x}", answer.id),
        "modelVersion": answer.model,
        "promptFeedback": feedback,
        "candidates": candidates,
        "usageMetadata": {
            "promptTokenCount": answer.input_tokens,
            "candidatesTokenCount": answer.output_tokens,
            "totalTokenCount": answer.input_tokens + answer.output_tokens,
        },
    })
}

fn text(answer: &GeneratedAnswer) -> String {
    answer
        .passages
        .iter()
        .map(|passage| passage.text.as_str())
        .collect()
}

/// Encodes the sources. Offsets count bytes, and the title of a page is its domain.
fn grounding(answer: &GeneratedAnswer) -> Value {
    let sources = answer.sources();
    let chunks: Vec<Value> = sources
        .iter()
        .zip(0..)
        .map(|(link, at)| {
            let uri = format!(
                "https://vertexaisearch.cloud.google.com/grounding-api-redirect/demo{:016x}{at}",
                answer.id
            );
            json!({"web": {"uri": uri, "title": link.domain}})
        })
        .collect();
    let mut end = 0;
    let mut supports = Vec::new();
    for passage in &answer.passages {
        let start = end;
        end += passage.text.len();
        if let Some(link) = &passage.source {
            let chunk = sources.iter().position(|known| known.url == link.url);
            supports.push(json!({
                "segment": {"partIndex": 0, "startIndex": start, "endIndex": end, "text": passage.text},
                "groundingChunkIndices": [chunk],
            }));
        }
    }
    json!({"webSearchQueries": answer.queries(), "groundingChunks": chunks, "groundingSupports": supports})
}

/// Encodes an error. The hint when to retry is in the body, not in a header.
fn error(failure: &ErrorResponse) -> Value {
    let status = match failure.status {
        401 => "UNAUTHENTICATED",
        403 => "PERMISSION_DENIED",
        404 => "NOT_FOUND",
        429 => "RESOURCE_EXHAUSTED",
        503 | 529 => "UNAVAILABLE",
        504 => "DEADLINE_EXCEEDED",
        500.. => "INTERNAL",
        _ => "INVALID_ARGUMENT",
    };
    let details: Vec<Value> = failure
        .retry_after
        .iter()
        .map(|wait| json!({"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": format!("{wait}s")}))
        .collect();
    json!({"error": {
        "code": failure.status, "message": failure.message, "status": status, "details": details,
    }})
}
