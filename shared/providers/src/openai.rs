//! OpenAI: the Responses API with its web search tool.

use std::sync::Arc;

use domain::answer::{Answer, End};
use serde_json::{Value, json};

use crate::endpoint::{Endpoint, KeyIn};
use crate::http::Http;
use crate::{AskError, BoxFuture, Brief, Provider, ProviderSettings, Question, brief, responses};

const BASE_URL: &str = "https://api.openai.com/v1";
const PATH: &str = "/responses";
/// Reasoning counts as output: a question with a few searches takes 3,000 to 4,000 tokens of it.
const OUTPUT_TOKENS: u32 = 12_288;
const TOOL_CALLS: u32 = 4;

/// OpenAI, or whoever speaks its wire format at the base URL.
pub(crate) struct OpenAi {
    pub(crate) endpoint: Endpoint,
}

impl OpenAi {
    pub(crate) fn new(settings: ProviderSettings, http: Arc<Http>) -> Self {
        Self {
            endpoint: Endpoint::new(BASE_URL, KeyIn::Bearer, settings, http),
        }
    }
}

impl Provider for OpenAi {
    fn name(&self) -> &'static str {
        "openai"
    }

    fn ask<'a>(&'a self, question: &'a Question<'a>) -> BoxFuture<'a, Result<Answer, AskError>> {
        Box::pin(async move {
            let body = question_body(question);
            let timeout = self.endpoint.answer_timeout;
            responses::decode(&self.endpoint.post(PATH, &body, timeout).await?)
        })
    }

    fn generate<'a>(&'a self, brief: &'a Brief<'a>) -> BoxFuture<'a, Result<Vec<String>, AskError>> {
        Box::pin(async move {
            let timeout = self.endpoint.generation_timeout;
            let answer = self.endpoint.post(PATH, &brief_body(brief), timeout).await?;
            let answer = responses::decode(&answer)?;
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
