//! Decodes the Responses API, which OpenAI, Perplexity and xAI have in common.
//!
//! Items and members that are unknown, missing or of another type are ignored. A body is an error only if it is no JSON
//! object, if it failed or if it contains no text.

use domain::answer::{Answer, FinishReason};
use serde_json::Value;

use crate::answer_builder::AnswerBuilder;
use crate::json_access::{items, non_blank_text, token_count};
use crate::searches::Searches;
use crate::{AskError, error_mapping};

/// Decodes the answer. `searches` have already been decoded, because they differ between vendors.
pub(crate) fn decode_answer(body: &Value, searches: Searches) -> Result<Answer, AskError> {
    let mut message = MessageDecoder::default();
    for item in output_items(body, "message") {
        message.builder.start_paragraph();
        items(&item["content"]).for_each(|content| message.push_content(content));
    }
    let MessageDecoder {
        mut builder, refusal, ..
    } = message;
    let end = finish_reason(body, message.is_refused)?;
    if builder.is_blank() {
        builder.text = refusal;
    }
    builder.searches = searches;
    Ok(Answer {
        input_tokens: token_count(&body["usage"]["input_tokens"]),
        output_tokens: token_count(&body["usage"]["output_tokens"]),
        model_version: non_blank_text(&body["model"]).map(str::to_owned),
        ..builder.build(end)?
    })
}

/// Returns the output items of type `kind`, in order.
pub(crate) fn output_items<'a>(body: &'a Value, kind: &'a str) -> impl Iterator<Item = &'a Value> {
    items(&body["output"]).filter(move |item| item["type"] == kind)
}

/// Returns whether an annotation of type `kind` cites a URL. Perplexity can leave the type out.
fn is_url_citation(kind: &Value) -> bool {
    kind.is_null() || kind == "url_citation"
}

/// Adds the search of a `web_search_call` with its `action`. Opening a page is no search, and a failed call executed none.
pub(crate) fn add_search_call(searches: &mut Searches, call: &Value, action: &Value) {
    let kind = &action["type"];
    if (kind.is_null() || kind == "search") && call["status"] != "failed" {
        // A call can list a query under both names.
        searches.add(items(&action["queries"]).chain([&action["query"]]));
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

/// The decoded messages of the output.
#[derive(Default)]
struct MessageDecoder {
    builder: AnswerBuilder,
    refusal: String,
    is_refused: bool,
}

impl MessageDecoder {
    fn push_content(&mut self, content: &Value) {
        match content["type"].as_str() {
            Some("output_text") => {
                self.builder
                    .push_text(content["text"].as_str().unwrap_or_default());
                items(&content["annotations"])
                    .filter(|annotation| is_url_citation(&annotation["type"]))
                    .for_each(|annotation| {
                        self.builder
                            .citations
                            .add(&annotation["url"], &annotation["title"]);
                    });
            }
            Some("refusal") => {
                self.is_refused = true;
                self.refusal
                    .push_str(content["refusal"].as_str().unwrap_or_default());
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
