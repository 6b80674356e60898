//! OpenAI: the Responses API with its web search tool.

use std::sync::Arc;
use std::time::Duration;

use domain::answer::{Answer, End};
use domain::limits::{GENERATION_TIMEOUT, PROVIDER_TIMEOUT};
use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use serde_json::{Value, json};

use crate::http::{Http, Post};
use crate::{AskError, BoxFuture, Brief, Provider, ProviderSettings, Question, brief, responses, status};

const BASE_URL: &str = "https://api.openai.com/v1";
/// Reasoning counts as output: a question with a few searches takes 3,000 to 4,000 tokens of it.
const OUTPUT_TOKENS: u32 = 12_288;
const TOOL_CALLS: u32 = 4;

/// OpenAI, or whoever speaks its wire format at the base URL.
pub(crate) struct OpenAi {
    settings: ProviderSettings,
    http: Arc<Http>,
    pub(crate) answer_timeout: Duration,
    pub(crate) generation_timeout: Duration,
}

impl OpenAi {
    pub(crate) fn new(settings: ProviderSettings, http: Arc<Http>) -> Self {
        Self {
            settings,
            http,
            answer_timeout: Duration::from_millis(PROVIDER_TIMEOUT.unsigned_abs()),
            generation_timeout: Duration::from_millis(GENERATION_TIMEOUT.unsigned_abs()),
        }
    }

    async fn post(&self, body: &Value, timeout: Duration) -> Result<Answer, AskError> {
        let reply = self
            .http
            .post(Post {
                url: &self.url()?,
                headers: self.headers()?,
                body: body.to_string(),
                timeout,
            })
            .await?;
        if reply.status.is_success() {
            responses::decode(&reply.body)
        } else {
            Err(status::refused(&reply))
        }
    }

    /// The base URL's path with `/responses` behind it; a query in the base URL stays.
    fn url(&self) -> Result<Url, AskError> {
        let base = self.settings.base_url.as_deref().unwrap_or(BASE_URL);
        let mut url = Url::parse(base)
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https"))
            .ok_or_else(|| AskError::fatal("the provider's address is not usable"))?;
        let path = format!("{}/responses", url.path().trim_end_matches('/'));
        url.set_path(&path);
        Ok(url)
    }

    fn headers(&self) -> Result<HeaderMap, AskError> {
        let mut headers = HeaderMap::new();
        if let Some(key) = &self.settings.api_key {
            let mut value =
                HeaderValue::from_str(&format!("Bearer {key}")).map_err(|_| AskError::BadKey {
                    reason: "the key is not usable".to_owned(),
                })?;
            value.set_sensitive(true);
            headers.insert(AUTHORIZATION, value);
        }
        Ok(headers)
    }
}

impl Provider for OpenAi {
    fn name(&self) -> &'static str {
        "openai"
    }

    fn ask<'a>(&'a self, question: &'a Question<'a>) -> BoxFuture<'a, Result<Answer, AskError>> {
        Box::pin(async move { self.post(&question_body(question), self.answer_timeout).await })
    }

    fn generate<'a>(&'a self, brief: &'a Brief<'a>) -> BoxFuture<'a, Result<Vec<String>, AskError>> {
        Box::pin(async move {
            let answer = self.post(&brief_body(brief), self.generation_timeout).await?;
            if answer.end == End::Refused {
                return Err(AskError::fatal("the model refused to write prompts"));
            }
            brief::prompts(&answer.text, brief.count)
        })
    }
}

fn question_body(question: &Question<'_>) -> Value {
    // Without a location searches are made from the United States.
    let mut location = json!({"type": "approximate"});
    if let Some(country) = question.country {
        location["country"] = json!(country.to_ascii_uppercase());
    }
    json!({
        "model": question.model,
        "input": question.prompt,
        // Said as a fact, not an order: a question in another language is still answered in its own.
        "instructions": format!("The user's language is {}.", question.language),
        "store": false,
        "max_output_tokens": OUTPUT_TOKENS,
        "max_tool_calls": TOOL_CALLS,
        "tools": [{"type": "web_search", "user_location": location}],
    })
}

fn brief_body(brief: &Brief<'_>) -> Value {
    json!({
        "model": brief.model,
        "input": brief::task(brief),
        "instructions": brief::instructions(brief),
        "store": false,
        "max_output_tokens": OUTPUT_TOKENS,
        "text": {"format": {
            "type": "json_schema", "name": "prompts", "strict": true, "schema": brief::schema(),
        }},
    })
}

#[cfg(test)]
mod tests;
