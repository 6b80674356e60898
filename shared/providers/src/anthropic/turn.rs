//! Decodes the assistant's turn, which can come in several responses.

use std::collections::HashSet;

use domain::answer::{Answer, End};
use serde_json::Value;

use crate::collect::{items, object, text_of, tokens};
use crate::draft::Draft;
use crate::{AskError, status};

/// What the model has said so far.
#[derive(Debug)]
pub(super) struct Turn {
    /// The blocks as they came: a paused turn goes on only from its own bytes.
    pub(super) content: Vec<Value>,
    stop_reason: String,
    /// Why it was refused.
    explanation: String,
    model: Option<String>,
    input_tokens: u64,
    output_tokens: u64,
}

impl Turn {
    /// Reads a whole response body.
    pub(super) fn read(body: &[u8]) -> Result<Self, AskError> {
        let mut body = object(body)?;
        if !body["error"].is_null() {
            return Err(status::failed(&body));
        }
        let usage = &body["usage"];
        let input = [
            "input_tokens",
            "cache_creation_input_tokens",
            "cache_read_input_tokens",
        ];
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        Ok(Self {
            stop_reason: text(&body["stop_reason"]),
            explanation: text(&body["stop_details"]["explanation"]),
            model: text_of(&body["model"]).map(str::to_owned),
            input_tokens: input
                .iter()
                .map(|name| tokens(&usage[name]))
                .fold(0, u64::saturating_add),
            output_tokens: tokens(&usage["output_tokens"]),
            content: match body["content"].take() {
                Value::Array(content) => content,
                _ => Vec::new(),
            },
        })
    }

    /// Whether there is more to come, and something to continue from.
    pub(super) fn is_paused(&self) -> bool {
        self.stop_reason == "pause_turn" && !self.content.is_empty()
    }

    pub(super) fn continue_with(&mut self, next: Self) {
        self.content.extend(next.content);
        self.stop_reason = next.stop_reason;
        self.explanation = next.explanation;
        self.model = next.model.or(self.model.take());
        self.input_tokens = self.input_tokens.saturating_add(next.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(next.output_tokens);
    }

    /// The answer: all text, with what was said between searches as paragraphs of their own.
    pub(super) fn answer(self) -> Result<Answer, AskError> {
        let end = match self.stop_reason.as_str() {
            "refusal" => End::Refused,
            "max_tokens" | "model_context_window_exceeded" | "pause_turn" => End::Truncated,
            _ => End::Complete,
        };
        let failed = failed_calls(&self.content);
        let mut draft = Draft::default();
        for block in &self.content {
            if block["type"] == "text" {
                draft.push(block["text"].as_str().unwrap_or_default());
                items(&block["citations"])
                    .filter(|citation| citation["type"] == "web_search_result_location")
                    .for_each(|citation| draft.citations.add(&citation["url"], &citation["title"]));
                continue;
            }
            draft.set_apart();
            let is_search = block["type"] == "server_tool_use" && block["name"] == "web_search";
            if is_search && !block["id"].as_str().is_some_and(|id| failed.contains(id)) {
                draft.searches.add([&block["input"]["query"]].into_iter());
            }
        }
        if draft.is_empty() && end == End::Refused {
            draft.text = self.explanation;
        }
        Ok(Answer {
            input_tokens: self.input_tokens,
            output_tokens: self.output_tokens,
            model_version: self.model,
            ..draft.answer(end)?
        })
    }
}

/// The searches that were not executed: a result is an array, an error an object.
fn failed_calls(content: &[Value]) -> HashSet<&str> {
    content
        .iter()
        .filter(|block| block["type"] == "web_search_tool_result" && block["content"].is_object())
        .filter_map(|block| block["tool_use_id"].as_str())
        .collect()
}

#[cfg(test)]
mod tests;
