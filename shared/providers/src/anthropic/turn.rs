//! Decodes the assistant's turn, which can consist of several responses.

use std::collections::HashSet;

use domain::answer::{Answer, FinishReason};
use serde_json::Value;

use crate::answer_builder::AnswerBuilder;
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
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
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
            builder.start_paragraph();
            builder.push_text(&self.explanation);
        }
        Ok(Answer {
            input_tokens: self.input_tokens,
            output_tokens: self.output_tokens,
            model_version: self.model,
            ..builder.build(end)?
        })
    }

    /// Decodes the passages of text, each split into blocks around its citations, and the searches between them.
    fn read_content(&self) -> AnswerBuilder {
        let failed_ids = failed_calls(&self.content);
        let mut searches_left = self.content.iter().filter(|block| is_search(block)).count();
        let mut builder = AnswerBuilder::default();
        for blocks in self.content.chunk_by(|a, b| is_text(a) == is_text(b)) {
            if blocks.first().is_some_and(is_text) {
                push_passage(&mut builder, blocks, searches_left > 0);
                continue;
            }
            builder.start_paragraph();
            for search in blocks.iter().filter(|block| is_search(block)) {
                searches_left -= 1;
                if !search["id"].as_str().is_some_and(|id| failed_ids.contains(id)) {
                    builder.searches.add([&search["input"]["query"]].into_iter());
                }
            }
        }
        builder
    }
}

fn is_text(block: &Value) -> bool {
    block["type"] == "text"
}

fn is_search(block: &Value) -> bool {
    block["type"] == "server_tool_use" && block["name"] == "web_search"
}

/// Appends a passage. If it cites nothing and a search follows, the model says in it what it is going to do.
fn push_passage(builder: &mut AnswerBuilder, blocks: &[Value], is_followed_by_search: bool) {
    let mut text = String::new();
    let mut is_cited = false;
    for block in blocks {
        text.push_str(block["text"].as_str().unwrap_or_default());
        let citations = items(&block["citations"]);
        for citation in citations.filter(|citation| citation["type"] == "web_search_result_location") {
            is_cited = true;
            builder.citations.add(&citation["url"], &citation["title"]);
        }
    }
    if is_followed_by_search && !is_cited {
        builder.push_narration(&text);
    } else {
        builder.push_text(&text);
    }
}

/// Returns the ids of the searches that failed. The content of a result is an array, that of an error an object.
fn failed_calls(content: &[Value]) -> HashSet<&str> {
    content
        .iter()
        .filter(|block| block["type"] == "web_search_tool_result" && block["content"].is_object())
        .filter_map(|block| block["tool_use_id"].as_str())
        .collect()
}

#[cfg(test)]
mod tests;
