//! Anthropic: the Messages API with its web search tool.

mod turn;

use std::sync::Arc;

use domain::answer::Answer;
use serde_json::{Value, json};

use crate::endpoint::{Endpoint, KeyHeader};
use crate::http::Http;
use crate::{AskError, BoxFuture, GenerationRequest, Provider, ProviderSettings, Question, generation};
use turn::Turn;

const BASE_URL: &str = "https://api.anthropic.com";
const PATH: &str = "/v1/messages";
const HEADERS: &[(&str, &str)] = &[("anthropic-version", "2023-06-01")];
/// The maximum number of output tokens, including thinking.
const MAX_OUTPUT_TOKENS: u32 = 8_192;
const MAX_SEARCHES: u32 = 4;
/// The maximum number of requests that continue a paused turn.
const MAX_CONTINUATIONS: u32 = 3;

pub(crate) struct Anthropic {
    endpoint: Endpoint,
}

impl Anthropic {
    pub(crate) fn new(settings: ProviderSettings, http: Arc<Http>) -> Self {
        let mut endpoint = Endpoint::new(BASE_URL, KeyHeader::Named("x-api-key"), settings, http);
        endpoint.headers = HEADERS;
        Self { endpoint }
    }

    /// Asks the question and continues the turn while it is paused.
    async fn complete_turn(&self, question: &Question<'_>) -> Result<Turn, AskError> {
        let timeout = self.endpoint.answer_timeout;
        let mut body = question_body(question);
        let mut turn = Turn::decode(&self.endpoint.post(PATH, &body, timeout).await?)?;
        for _ in 0..MAX_CONTINUATIONS {
            if !turn.is_paused() {
                break;
            }
            body["messages"] = json!([
                {"role": "user", "content": question.prompt},
                {"role": "assistant", "content": turn.content},
            ]);
            let response = self.endpoint.post(PATH, &body, timeout).await;
            let next = response.and_then(|response| Turn::decode(&response));
            turn.append(next.map_err(AskError::after_accepted_request)?);
        }
        Ok(turn)
    }
}

impl Provider for Anthropic {
    fn name(&self) -> &'static str {
        "anthropic"
    }

    fn key_fingerprint(&self) -> BoxFuture<'_, String> {
        let fingerprint = self.endpoint.settings.key_fingerprint();
        Box::pin(async { fingerprint })
    }

    fn ask<'a>(&'a self, question: &'a Question<'a>) -> BoxFuture<'a, Result<Answer, AskError>> {
        Box::pin(async move {
            // The time limit applies to the whole turn as well as to each request.
            let timeout = self.endpoint.answer_timeout;
            tokio::time::timeout(timeout, self.complete_turn(question))
                .await
                .map_err(|_| AskError::timed_out(timeout))??
                .into_answer()
        })
    }

    fn generate_prompts<'a>(
        &'a self,
        request: &'a GenerationRequest<'a>,
    ) -> BoxFuture<'a, Result<Vec<String>, AskError>> {
        Box::pin(async move {
            let timeout = self.endpoint.generation_timeout;
            let response = self
                .endpoint
                .post(PATH, &generation_body(request), timeout)
                .await?;
            generation::parse_answer(&decode(&response)?, request.count)
        })
    }
}

/// Decodes a complete response body as the only one of its turn.
pub(crate) fn decode(body: &[u8]) -> Result<Answer, AskError> {
    Turn::decode(body)?.into_answer()
}

fn question_body(question: &Question<'_>) -> Value {
    // If code calls the tool instead of the model, its results and queries can be missing from the answer.
    let mut search = json!({
        "type": "web_search_20250305", "name": "web_search",
        "allowed_callers": ["direct"], "max_uses": MAX_SEARCHES,
    });
    if let Some(country) = question.country {
        search["user_location"] = json!({"type": "approximate", "country": country.to_ascii_uppercase()});
    }
    json!({
        "model": question.model,
        "max_tokens": MAX_OUTPUT_TOKENS,
        "system": question.language_instruction(),
        "messages": [{"role": "user", "content": question.prompt}],
        "tools": [search],
    })
}

fn generation_body(request: &GenerationRequest<'_>) -> Value {
    json!({
        "model": request.model,
        "max_tokens": MAX_OUTPUT_TOKENS,
        "system": generation::instructions(request),
        "messages": [{"role": "user", "content": generation::task(request)}],
        "output_config": {"format": {"type": "json_schema", "schema": generation::schema()}},
    })
}

#[cfg(test)]
mod tests;
