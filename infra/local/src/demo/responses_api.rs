//! The part of OpenAI's Responses API that the demo provider speaks: decoding requests, and encoding answers
//! and errors.

use serde_json::{Value, json};

use super::answer_generator::{Action, GeneratedAnswer, Link};

/// The text of a refusal.
const REFUSAL: &str = "I'm sorry, but I can't help with that.";

/// The parts of a request on which the answer depends.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) model: String,
    pub(super) input: String,
    /// Whether the request offers a web search tool.
    pub(super) search: bool,
    /// Whether the request asks for JSON of a given schema.
    pub(super) structured: bool,
}

/// Decodes the body of a request, a JSON object. The error is the name of a missing parameter.
pub(super) fn read(body: &Value) -> Result<Request, &'static str> {
    let text = |name: &'static str| {
        let text = body[name].as_str().filter(|text| !text.trim().is_empty());
        text.map(str::to_owned).ok_or(name)
    };
    let mut tools = body["tools"].as_array().into_iter().flatten();
    Ok(Request {
        model: text("model")?,
        input: text("input")?,
        search: tools.any(|tool| tool["type"] == "web_search"),
        structured: body["text"]["format"]["type"] == "json_schema",
    })
}

/// Encodes an answer as the body of a response.
pub(super) fn write(answer: &GeneratedAnswer) -> Value {
    let calls = answer.actions.iter().map(|action| {
        let action = match action {
            Action::Search(query) => json!({"type": "search", "query": query, "queries": [query]}),
            Action::Open(url) => json!({"type": "open_page", "url": url}),
        };
        json!({"type": "web_search_call", "status": "completed", "action": action})
    });
    let message =
        json!({"type": "message", "role": "assistant", "status": "completed", "content": [content(answer)]});
    let reasoning = json!({"type": "reasoning", "summary": []});
    let mut output: Vec<Value> = std::iter::once(reasoning).chain(calls).chain([message]).collect();
    for (at, item) in output.iter_mut().enumerate() {
        item["id"] = json!(format!("item_demo{:016x}{at}", answer.id));
    }
    let (input, output_tokens) = (answer.input_tokens, answer.output_tokens);
    json!({
        "id": format!("resp_demo{:016x}", answer.id),
        "object": "response",
        "created_at": answer.created,
        "status": "completed",
        "model": answer.model,
        "error": null,
        "incomplete_details": null,
        "output": output,
        "usage": {
            "input_tokens": input,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": output_tokens,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": input + output_tokens,
        },
    })
}

/// Returns the content of the message. The links of its citations are part of the text.
fn content(answer: &GeneratedAnswer) -> Value {
    if answer.is_refused {
        return json!({"type": "refusal", "refusal": REFUSAL});
    }
    let mut text = String::new();
    let mut annotations = Vec::new();
    for passage in &answer.passages {
        text.push_str(&passage.text);
        let Some(Link { domain, url, title }) = &passage.source else {
            continue;
        };
        let separator = if url.contains('?') { '&' } else { '?' };
        let url = format!("{url}{separator}utm_source=openai");
        text.push(' ');
        // Offsets count characters.
        let start = text.chars().count();
        text.push_str(&format!("([{domain}]({url}))"));
        annotations.push(json!({
            "type": "url_citation", "start_index": start, "end_index": text.chars().count(), "url": url, "title": title,
        }));
    }
    json!({"type": "output_text", "text": text, "annotations": annotations, "logprobs": []})
}

/// Encodes the error of a request as the body of a response. `param` is the name of the invalid parameter.
pub(super) fn error(message: &str, param: Option<&str>) -> Value {
    json!({"error": {"message": message, "type": "invalid_request_error", "param": param, "code": null}})
}
