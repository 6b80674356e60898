//! Decodes the body of OpenAI's Responses API, which other providers speak as well.
//!
//! Blocks and members that are unknown, missing or of another type are passed over; only what is no JSON object, failed or
//! holds no text is an error.

use std::collections::HashMap;

use domain::answer::{Answer, Cited, End};
use serde_json::Value;

use crate::{AskError, status};

/// Reads a whole response body.
pub(crate) fn decode(body: &[u8]) -> Result<Answer, AskError> {
    let body: Value = serde_json::from_slice(body).map_err(|_| AskError::lost("the answer is unreadable"))?;
    if !body.is_object() {
        return Err(AskError::lost("the answer is unreadable"));
    }
    let mut parts = Parts::default();
    for item in items(&body["output"]) {
        match item["type"].as_str() {
            Some("message") => {
                parts.is_new_message = !parts.text.is_empty();
                items(&item["content"]).for_each(|content| parts.content(content));
            }
            Some("web_search_call") => parts.search(item),
            _ => {}
        }
    }
    let end = end(&body, &parts)?;
    let text = if parts.text.trim().is_empty() {
        parts.refusal
    } else {
        parts.text
    };
    if text.trim().is_empty() && end != End::Refused {
        return Err(AskError::fatal("the answer is empty"));
    }
    let tokens = |name: &str| body["usage"][name].as_u64().unwrap_or(0);
    Ok(Answer {
        text,
        end,
        citations: parts.citations,
        queries: parts.queries,
        searched: Some(parts.searched),
        input_tokens: tokens("input_tokens"),
        output_tokens: tokens("output_tokens"),
        cost_micros: None,
        model_version: text_of(&body["model"]).map(str::to_owned),
    })
}

/// How it ended. Whatever is not yet or no longer an answer is an error.
fn end(body: &Value, parts: &Parts) -> Result<End, AskError> {
    let complete = if parts.refused {
        End::Refused
    } else {
        End::Complete
    };
    match body["status"].as_str() {
        Some("completed") => Ok(complete),
        Some("incomplete") if parts.refused => Ok(End::Refused),
        Some("incomplete") => match body["incomplete_details"]["reason"].as_str() {
            Some("content_filter") => Ok(End::Refused),
            _ => Ok(End::Truncated),
        },
        Some("cancelled" | "queued" | "in_progress") => Err(AskError::lost("the answer was not finished")),
        Some("failed") => Err(status::failed(&body["error"])),
        _ if body["error"].is_object() => Err(status::failed(&body["error"])),
        _ => Ok(complete),
    }
}

/// What is collected from the output, in its order.
#[derive(Default)]
struct Parts {
    text: String,
    /// The next text is of another message than the text so far.
    is_new_message: bool,
    refusal: String,
    refused: bool,
    citations: Vec<Cited>,
    /// Where in `citations` a URL is.
    cited: HashMap<String, usize>,
    queries: Vec<String>,
    searched: bool,
}

impl Parts {
    fn content(&mut self, content: &Value) {
        match content["type"].as_str() {
            Some("output_text") => {
                let text = content["text"].as_str().unwrap_or_default();
                // Words of two messages are not one word.
                if !text.is_empty() && std::mem::take(&mut self.is_new_message) {
                    self.text.push_str("\n\n");
                }
                self.text.push_str(text);
                items(&content["annotations"])
                    .filter(|annotation| annotation["type"] == "url_citation")
                    .for_each(|annotation| self.citation(annotation));
            }
            Some("refusal") => {
                self.refused = true;
                self.refusal
                    .push_str(content["refusal"].as_str().unwrap_or_default());
            }
            _ => {}
        }
    }

    /// A URL that is cited again only gives a title that was missing.
    fn citation(&mut self, annotation: &Value) {
        let Some(url) = text_of(&annotation["url"]) else {
            return;
        };
        let title = text_of(&annotation["title"]).map(str::to_owned);
        if let Some(cited) = self.cited.get(url).and_then(|&at| self.citations.get_mut(at)) {
            cited.title = cited.title.take().or(title);
            return;
        }
        self.cited.insert(url.to_owned(), self.citations.len());
        self.citations.push(Cited {
            url: url.to_owned(),
            title,
        });
    }

    /// Takes a call's queries. Opening a page is no search, and a failed call executed none.
    fn search(&mut self, call: &Value) {
        let action = &call["action"];
        let searches = action.is_null() || action["type"] == "search";
        if !searches || call["status"] == "failed" {
            return;
        }
        self.searched = true;
        // One call can list a query under both names; another call's equal query is another search.
        let first = self.queries.len();
        let one = std::iter::once(&action["query"]);
        for query in items(&action["queries"]).chain(one).filter_map(text_of) {
            let known = self.queries.iter().skip(first).any(|q| q.trim() == query.trim());
            if !known {
                self.queries.push(query.to_owned());
            }
        }
    }
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// A string that is more than white space.
fn text_of(value: &Value) -> Option<&str> {
    value.as_str().filter(|text| !text.trim().is_empty())
}

#[cfg(test)]
mod tests;
