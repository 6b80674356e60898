//! Decodes the assistant's turn, which can consist of several responses.

use domain::answer::{Answer, FinishReason};
use serde_json::Value;

use crate::answer_builder::{AnswerBuilder, PassageKind};
use crate::json_access::{items, non_blank_text, parse_object, token_count};
use crate::{AskError, error_mapping};

/// The decoded part of a turn.
#[derive(Debug)]
pub(super) struct Turn {
    /// The unchanged blocks. A paused turn continues only from exactly its own content.
    pub(super) content: Vec<Value>,
    stop_reason: String,
    /// Why the model refused.
    explanation: String,
    model: Option<String>,
    input_tokens: u64,
    output_tokens: u64,
}

impl Turn {
    /// Decodes a complete response body.
    pub(super) fn decode(body: &[u8]) -> Result<Self, AskError> {
        let mut body = parse_object(body)?;
        if !body["error"].is_null() {
            return Err(error_mapping::error_in_body(&body));
        }
        let usage = &body["usage"];
        let input = [
            "input_tokens",
            "cache_creation_input_tokens",
            "cache_read_input_tokens",
        ];
        let text = |value: &Value| value.as_str().unwrap_or("").to_owned();
        Ok(Self {
            stop_reason: text(&body["stop_reason"]),
            explanation: text(&body["stop_details"]["explanation"]),
            model: non_blank_text(&body["model"]).map(str::to_owned),
            input_tokens: input
                .iter()
                .map(|name| token_count(&usage[name]))
                .fold(0, u64::saturating_add),
            output_tokens: token_count(&usage["output_tokens"]),
            content: match body["content"].take() {
                Value::Array(content) => content,
                _ => Vec::new(),
            },
        })
    }

    /// Returns whether the turn is unfinished and can be continued.
    pub(super) fn is_paused(&self) -> bool {
        self.stop_reason == "pause_turn" && !self.content.is_empty()
    }

    /// Appends the continuation of the turn.
    pub(super) fn append(&mut self, next: Self) {
        self.content.extend(next.content);
        self.stop_reason = next.stop_reason;
        self.explanation = next.explanation;
        self.model = next.model.or(self.model.take());
        self.input_tokens = self.input_tokens.saturating_add(next.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(next.output_tokens);
    }

    /// Returns the answer with all text. Passages between searches are paragraphs of their own.
    pub(super) fn into_answer(self) -> Result<Answer, AskError> {
        let end = match self.stop_reason.as_str() {
            "refusal" => FinishReason::Refused,
            "max_tokens" | "model_context_window_exceeded" | "pause_turn" => FinishReason::Truncated,
            _ => FinishReason::Complete,
        };
        let mut builder = self.read_content();
        if builder.is_blank() && end == FinishReason::Refused {
            builder.start_passage(PassageKind::Answer);
            builder.push_text(&self.explanation);
        }
        Ok(Answer {
            input_tokens: self.input_tokens,
            output_tokens: self.output_tokens,
            model_version: self.model,
            ..builder.build(end, &self.stop_reason.into())?
        })
    }

    /// Decodes the passages of text, each split into blocks around its citations, and the searches between
    /// them.
    fn read_content(&self) -> AnswerBuilder {
        let mut builder = AnswerBuilder::default();
        let mut is_in_passage = false;
        for block in &self.content {
            if is_text(block) {
                if !is_in_passage {
                    builder.start_passage(PassageKind::Undeclared);
                }
                push_block(&mut builder, block);
            } else if is_search(block) {
                let result = self.result_of(block);
                let has_failed = result.is_some_and(Value::is_object);
                let is_empty = result.and_then(Value::as_array).is_some_and(Vec::is_empty);
                builder.add_search_step(!has_failed && !is_empty);
                if !has_failed {
                    builder.searches.add([&block["input"]["query"]].into_iter());
                }
            }
            is_in_passage = is_text(block);
        }
        builder
    }

    /// Returns what a search found, an array, or its error, an object. `None` if the turn does not tell.
    fn result_of(&self, search: &Value) -> Option<&Value> {
        let id = search["id"].as_str()?;
        let mut results = self
            .content
            .iter()
            .filter(|block| block["type"] == "web_search_tool_result");
        results
            .find(|block| block["tool_use_id"] == id)
            .map(|block| &block["content"])
    }
}

fn is_text(block: &Value) -> bool {
    block["type"] == "text"
}

fn is_search(block: &Value) -> bool {
    block["type"] == "server_tool_use" && block["name"] == "web_search"
}

fn push_block(builder: &mut AnswerBuilder, block: &Value) {
    builder.push_text(block["text"].as_str().unwrap_or(""));
    let citations = items(&block["citations"]);
    for citation in citations.filter(|citation| citation["type"] == "web_search_result_location") {
        builder.cite(&citation["url"], &citation["title"], None);
    }
}

#[cfg(test)]
mod tests;
