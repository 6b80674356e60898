//! Anthropic: the Messages API with its web search tool.

mod turn;

use std::sync::Arc;

use domain::answer::Answer;
use serde_json::{Value, json};

use crate::endpoint::{Endpoint, KeyIn};
use crate::http::Http;
use crate::{AskError, BoxFuture, Brief, Provider, ProviderSettings, Question, brief};
use turn::Turn;

const BASE_URL: &str = "https://api.anthropic.com";
const PATH: &str = "/v1/messages";
const HEADERS: &[(&str, &str)] = &[("anthropic-version", "2023-06-01")];
/// Thinking counts as output.
const OUTPUT_TOKENS: u32 = 8_192;
const SEARCHES: u32 = 4;
/// How often a paused turn is continued.
const CONTINUATIONS: u32 = 3;

pub(crate) struct Anthropic {
    endpoint: Endpoint,
}

impl Anthropic {
    pub(crate) fn new(settings: ProviderSettings, http: Arc<Http>) -> Self {
        let mut endpoint = Endpoint::new(BASE_URL, KeyIn::Header("x-api-key"), settings, http);
        endpoint.headers = HEADERS;
        Self { endpoint }
    }

    /// Asks, and continues the turn while it is paused.
    async fn turn(&self, question: &Question<'_>) -> Result<Turn, AskError> {
        let timeout = self.endpoint.answer_timeout;
        let mut body = question_body(question);
        let mut turn = Turn::read(&self.endpoint.post(PATH, &body, timeout).await?)?;
        for _ in 0..CONTINUATIONS {
            if !turn.is_paused() {
                break;
            }
            body["messages"] = json!([
                {"role": "user", "content": question.prompt},
                {"role": "assistant", "content": turn.content},
            ]);
            let reply = self.endpoint.post(PATH, &body, timeout).await;
            let next = reply.and_then(|reply| Turn::read(&reply));
            turn.continue_with(next.map_err(AskError::after_a_part)?);
        }
        Ok(turn)
    }
}

impl Provider for Anthropic {
    fn name(&self) -> &'static str {
        "anthropic"
    }

    fn ask<'a>(&'a self, question: &'a Question<'a>) -> BoxFuture<'a, Result<Answer, AskError>> {
        Box::pin(async move {
            // One limit for all requests of a turn, beside that of each.
            let timeout = self.endpoint.answer_timeout;
            tokio::time::timeout(timeout, self.turn(question))
                .await
                .map_err(|_| AskError::late(timeout))??
                .answer()
        })
    }

    fn generate<'a>(&'a self, brief: &'a Brief<'a>) -> BoxFuture<'a, Result<Vec<String>, AskError>> {
        Box::pin(async move {
            let timeout = self.endpoint.generation_timeout;
            let reply = self.endpoint.post(PATH, &brief_body(brief), timeout).await?;
            brief::written(&decode(&reply)?, brief.count)
        })
    }
}

/// Reads a whole response body as the only one of its turn.
pub(crate) fn decode(body: &[u8]) -> Result<Answer, AskError> {
    Turn::read(body)?.answer()
}

fn question_body(question: &Question<'_>) -> Value {
    // Called by code instead of directly, the tool's results and queries can be missing from the answer.
    let mut search = json!({
        "type": "web_search_20250305", "name": "web_search",
        "allowed_callers": ["direct"], "max_uses": SEARCHES,
    });
    if let Some(country) = question.country {
        search["user_location"] = json!({"type": "approximate", "country": country.to_ascii_uppercase()});
    }
    json!({
        "model": question.model,
        "max_tokens": OUTPUT_TOKENS,
        "system": question.language_line(),
        "messages": [{"role": "user", "content": question.prompt}],
        "tools": [search],
    })
}

fn brief_body(brief: &Brief<'_>) -> Value {
    json!({
        "model": brief.model,
        "max_tokens": OUTPUT_TOKENS,
        "system": brief::instructions(brief),
        "messages": [{"role": "user", "content": brief::task(brief)}],
        "output_config": {"format": {"type": "json_schema", "schema": brief::schema()}},
    })
}

#[cfg(test)]
mod tests;
