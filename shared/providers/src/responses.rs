//! The Responses API, which OpenAI, Perplexity and xAI speak: what their answers share.
//!
//! In a body, blocks and members that are unknown, missing or of another type are passed over; only what is no JSON object, failed or
//! holds no text is an error.

use domain::answer::{Answer, End};
use serde_json::Value;

use crate::collect::{Searches, items, text_of, tokens};
use crate::draft::Draft;
use crate::{AskError, status};

/// The answer of a response whose searches are read already.
pub(crate) fn answer(body: &Value, searches: Searches) -> Result<Answer, AskError> {
    let mut message = Message::default();
    for item in output(body, "message") {
        message.draft.set_apart();
        items(&item["content"]).for_each(|content| message.content(content));
    }
    let Message {
        mut draft, refusal, ..
    } = message;
    let end = end(body, message.refused)?;
    if draft.is_empty() {
        draft.text = refusal;
    }
    draft.searches = searches;
    Ok(Answer {
        input_tokens: tokens(&body["usage"]["input_tokens"]),
        output_tokens: tokens(&body["usage"]["output_tokens"]),
        model_version: text_of(&body["model"]).map(str::to_owned),
        ..draft.answer(end)?
    })
}

/// The output's items of one type, in their order.
pub(crate) fn output<'a>(body: &'a Value, kind: &'a str) -> impl Iterator<Item = &'a Value> {
    items(&body["output"]).filter(move |item| item["type"] == kind)
}

/// Takes a `web_search_call` that did `action`. Opening a page is no search, and a failed call executed none.
pub(crate) fn search_call(searches: &mut Searches, call: &Value, action: &Value) {
    let kind = &action["type"];
    if (kind.is_null() || kind == "search") && call["status"] != "failed" {
        // One call can list a query under both names.
        searches.add(items(&action["queries"]).chain([&action["query"]]));
    }
}

/// How it ended. Whatever is not yet or no longer an answer is an error.
fn end(body: &Value, refused: bool) -> Result<End, AskError> {
    let complete = if refused { End::Refused } else { End::Complete };
    match body["status"].as_str() {
        Some("completed") => Ok(complete),
        Some("incomplete") if refused => Ok(End::Refused),
        Some("incomplete") => match body["incomplete_details"]["reason"].as_str() {
            Some("content_filter") => Ok(End::Refused),
            _ => Ok(End::Truncated),
        },
        Some("cancelled" | "queued" | "in_progress" | "requires_action") => {
            Err(AskError::lost("the answer was not finished"))
        }
        Some("failed") => Err(status::failed(body)),
        _ if !body["error"].is_null() => Err(status::failed(body)),
        _ => Ok(complete),
    }
}

/// What the output's messages say.
#[derive(Default)]
struct Message {
    draft: Draft,
    refusal: String,
    refused: bool,
}

impl Message {
    fn content(&mut self, content: &Value) {
        match content["type"].as_str() {
            Some("output_text") => {
                self.draft.push(content["text"].as_str().unwrap_or_default());
                items(&content["annotations"])
                    .filter(|annotation| annotation["type"] == "url_citation")
                    .for_each(|annotation| {
                        self.draft.citations.add(&annotation["url"], &annotation["title"]);
                    });
            }
            Some("refusal") => {
                self.refused = true;
                self.refusal
                    .push_str(content["refusal"].as_str().unwrap_or_default());
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
