//! The Responses API as OpenAI, Perplexity and xAI speak it.

use domain::answer::FinishReason;
use serde_json::{Value, json};

use super::format::{Format, REFUSAL};
use super::request::{Request, max_tokens, non_empty, offers_search, user_text};
use crate::demo::generated_answer::{Action, GeneratedAnswer, Link};

pub(in crate::demo) const OPENAI: Format = Format {
    read,
    write: |answer| {
        let calls = answer.actions.iter().map(|action| {
            let action = match action {
                Action::Search(query) => json!({"type": "search", "query": query, "queries": [query]}),
                Action::Open(url) => json!({"type": "open_page", "url": url}),
            };
            json!({"type": "web_search_call", "status": "completed", "action": action})
        });
        let reasoning = json!({"type": "reasoning", "summary": []});
        let items = std::iter::once(reasoning).chain(calls).collect();
        let link = |link: &Link, _| {
            let separator = if link.url.contains('?') { '&' } else { '?' };
            let url = format!("{}{separator}utm_source=openai", link.url);
            RenderedCitation {
                shown: format!(" ([{}]({url}))", link.domain),
                url,
                title: link.title.clone(),
            }
        };
        body(answer, items, &text(answer, link))
    },
    error: |failure| json!({"error": {"message": failure.message, "type": failure.kind(), "param": failure.param, "code": null}}),
    has_retry_after: true,
};

pub(in crate::demo) const PERPLEXITY: Format = Format {
    read,
    write: |answer| {
        let mut results: Vec<Value> = answer
            .sources()
            .into_iter()
            .zip(1..)
            .map(|(link, id)| json!({"id": id, "url": link.url, "title": link.title, "snippet": "…", "source": "web"}))
            .collect();
        // The first search found all results.
        let searches = answer.queries().into_iter().map(|query| {
            json!({"type": "search_results", "queries": [query], "results": std::mem::take(&mut results)})
        });
        let items: Vec<Value> = searches.collect();
        let cost = 0.0025 * f64::from(u32::try_from(items.len()).unwrap_or(0));
        let link = |link: &Link, id| RenderedCitation {
            shown: format!("[web:{id}]"),
            url: link.url.clone(),
            title: link.title.clone(),
        };
        let mut content = text(answer, link);
        // The marks in the text cite the results, and annotations are mostly empty.
        if let Some(annotations) = content.get_mut("annotations") {
            *annotations = json!([]);
        }
        let mut body = body(answer, items, &content);
        body["usage"]["cost"] = json!({"currency": "USD", "tool_calls_cost": cost, "total_cost": cost});
        body
    },
    error: |failure| json!({"error": {"message": failure.message, "type": failure.kind(), "code": failure.status}}),
    has_retry_after: true,
};

pub(in crate::demo) const XAI: Format = Format {
    read,
    write: |answer| {
        let calls = answer.actions.iter().map(|action| {
            let (name, arguments) = match action {
                Action::Search(query) => ("web_search", json!({"query": query, "num_results": 5})),
                Action::Open(url) => ("browse_page", json!({"url": url})),
            };
            let arguments = arguments.to_string();
            json!({"type": "web_search_call", "name": name, "status": "completed", "arguments": arguments})
        });
        let link = |link: &Link, id: usize| RenderedCitation {
            shown: format!("[[{id}]]({})", link.url),
            url: link.url.clone(),
            title: id.to_string(),
        };
        let mut body = body(answer, calls.collect(), &text(answer, link));
        // Five US dollars for 1,000 searches.
        body["usage"]["cost_in_usd_ticks"] = json!(50_000_000 * answer.queries().len());
        body
    },
    error: |failure| json!({"code": failure.kind().replace('_', " "), "error": failure.message}),
    has_retry_after: true,
};

fn read(body: &Value) -> Result<Request, &'static str> {
    let formats = [&body["text"]["format"]["type"], &body["response_format"]["type"]];
    Ok(Request {
        model: non_empty(&body["model"]).ok_or("model")?,
        input: user_text(&body["input"], "content").ok_or("input")?,
        search: offers_search(&body["tools"]),
        structured: formats.into_iter().any(|format| format == "json_schema"),
        max_tokens: max_tokens(&body["max_output_tokens"]),
    })
}

/// A citation in a vendor's format.
struct RenderedCitation {
    /// The text that marks the citation in the answer.
    shown: String,
    url: String,
    title: String,
}

/// Returns the text content item. `cite` returns the citation for a source and its number, which counts from 1.
fn text(answer: &GeneratedAnswer, cite: impl Fn(&Link, usize) -> RenderedCitation) -> Value {
    if answer.finish_reason == FinishReason::Refused {
        return json!({"type": "refusal", "refusal": REFUSAL});
    }
    let sources = answer.sources();
    let mut text = String::new();
    let mut annotations = Vec::new();
    for passage in &answer.passages {
        text.push_str(&passage.text);
        let Some(link) = &passage.source else { continue };
        let number = 1 + sources.iter().take_while(|known| known.url != link.url).count();
        let RenderedCitation { shown, url, title } = cite(link, number);
        // Offsets count characters. The shown text can start with a space, which is not part of the link.
        let start = text.chars().count() + shown.chars().take_while(|c| *c == ' ').count();
        text.push_str(&shown);
        annotations.push(json!({
            "type": "url_citation", "start_index": start, "end_index": text.chars().count(), "url": url, "title": title,
        }));
    }
    json!({"type": "output_text", "text": text, "annotations": annotations, "logprobs": []})
}

fn body(answer: &GeneratedAnswer, mut output: Vec<Value>, content: &Value) -> Value {
    output.push(json!({"type": "message", "role": "assistant", "status": "completed", "content": [content]}));
    for (at, item) in output.iter_mut().enumerate() {
        item["id"] = json!(format!("item_demo{:016x}{at}", answer.id));
    }
    let is_truncated = answer.finish_reason == FinishReason::Truncated;
    let (input, output_tokens) = (answer.input_tokens, answer.output_tokens);
    json!({
        "id": format!("resp_demo{:016x}", answer.id),
        "object": "response",
        "created_at": answer.created,
        "status": if is_truncated { "incomplete" } else { "completed" },
        "model": answer.model,
        "error": null,
        "incomplete_details": is_truncated.then(|| json!({"reason": "max_output_tokens"})),
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
