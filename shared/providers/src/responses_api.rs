//! Decodes the Responses API, which OpenAI, Perplexity and xAI have in common.
//!
//! Items and members that are unknown, missing or of another type are ignored. A body is an error only if it
//! is no JSON object, if it failed or if it contains no text.

use domain::answer::{Answer, FinishReason};
use serde_json::Value;

use crate::answer_builder::{AnswerBuilder, PassageKind};
use crate::json_access::{items, non_blank_text, token_count};
use crate::{AskError, error_mapping};

/// What differs between the vendors of the Responses API.
pub(crate) trait Dialect<'a> {
    /// Decodes an output item that is no message.
    fn read_item(&mut self, item: &'a Value, builder: &mut AnswerBuilder);

    /// Decodes what is in a text of a message, which begins at the byte `at` of its passage.
    fn read_text(&mut self, _text: &str, _at: usize, _builder: &mut AnswerBuilder) {}
}

/// Decodes the answer, item by item.
pub(crate) fn decode_answer<'a>(body: &'a Value, dialect: &mut impl Dialect<'a>) -> Result<Answer, AskError> {
    let mut builder = AnswerBuilder::default();
    let (mut refusal, mut is_refused) = (String::new(), false);
    for item in items(&body["output"]) {
        if item["type"] != "message" {
            dialect.read_item(item, &mut builder);
            continue;
        }
        builder.start_passage(match item["phase"].as_str() {
            Some("commentary") => PassageKind::Commentary,
            Some("final_answer") => PassageKind::Answer,
            _ => PassageKind::Undeclared,
        });
        for content in items(&item["content"]) {
            match content["type"].as_str() {
                Some("output_text") => push_text(&mut builder, content, dialect),
                Some("refusal") => {
                    is_refused = true;
                    refusal.push_str(content["refusal"].as_str().unwrap_or(""));
                }
                _ => {}
            }
        }
    }
    let end = finish_reason(body, is_refused)?;
    if builder.is_blank() {
        builder.start_passage(PassageKind::Answer);
        builder.push_text(&refusal);
    }
    Ok(Answer {
        input_tokens: token_count(&body["usage"]["input_tokens"]),
        output_tokens: token_count(&body["usage"]["output_tokens"]),
        model_version: non_blank_text(&body["model"]).map(str::to_owned),
        ..builder.build(end, &body["incomplete_details"]["reason"])?
    })
}

fn push_text<'a>(builder: &mut AnswerBuilder, content: &'a Value, dialect: &mut impl Dialect<'a>) {
    let text = content["text"].as_str().unwrap_or("");
    let at = builder.passage_length();
    builder.push_text(text);
    for annotation in items(&content["annotations"]).filter(|annotation| is_url_citation(&annotation["type"]))
    {
        let start = annotation["start_index"].as_u64();
        let start = start.and_then(|index| byte_offset(text, index));
        let cited_at = start.map(|start| at + start);
        builder.cite(&annotation["url"], &annotation["title"], cited_at);
    }
    dialect.read_text(text, at, builder);
}

fn byte_offset(text: &str, index: u64) -> Option<usize> {
    let index = usize::try_from(index).ok()?;
    text.char_indices().nth(index).map(|(at, _)| at)
}

/// Returns whether an annotation of type `kind` cites a URL. Perplexity can leave the type out.
fn is_url_citation(kind: &Value) -> bool {
    kind.is_null() || kind == "url_citation"
}

/// Adds a `web_search_call` with its `action`. Opening a page is no search, and a failed call executed none,
/// but what the model says before either announces it.
pub(crate) fn add_search_call(builder: &mut AnswerBuilder, call: &Value, action: &Value) {
    let (kind, has_failed) = (&action["type"], call["status"] == "failed");
    let is_empty = |found: &Value| found.as_array().is_some_and(Vec::is_empty);
    builder.add_search_step(!has_failed && !is_empty(&call["results"]) && !is_empty(&action["sources"]));
    if (kind.is_null() || kind == "search") && !has_failed {
        // A call can list a query under both names.
        builder
            .searches
            .add(items(&action["queries"]).chain([&action["query"]]));
    }
}

/// Decodes why the model stopped. A response that is unfinished or failed is an error.
fn finish_reason(body: &Value, is_refused: bool) -> Result<FinishReason, AskError> {
    let complete = if is_refused {
        FinishReason::Refused
    } else {
        FinishReason::Complete
    };
    match body["status"].as_str() {
        Some("completed") => Ok(complete),
        Some("incomplete") if is_refused => Ok(FinishReason::Refused),
        Some("incomplete") => match body["incomplete_details"]["reason"].as_str() {
            Some("content_filter") => Ok(FinishReason::Refused),
            _ => Ok(FinishReason::Truncated),
        },
        Some("cancelled" | "queued" | "in_progress" | "requires_action") => {
            Err(AskError::answer_lost("the answer was not finished"))
        }
        Some("failed") => Err(error_mapping::error_in_body(body)),
        _ if !body["error"].is_null() => Err(error_mapping::error_in_body(body)),
        _ => Ok(complete),
    }
}

#[cfg(test)]
mod tests;
