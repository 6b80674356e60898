//! OpenAI: the Responses API with its web search tool.

use domain::answer::Answer;
use serde_json::{Value, json};

use crate::collect::{Searches, object};
use crate::endpoint::KeyIn;
use crate::vendor::Dialect;
use crate::{AskError, Brief, Question, brief, responses};

/// Reasoning counts as output: a question with a few searches takes 3,000 to 4,000 tokens of it.
const OUTPUT_TOKENS: u32 = 12_288;
const TOOL_CALLS: u32 = 4;

/// OpenAI, or whoever speaks its wire format at the base URL.
pub(crate) const OPENAI: Dialect = Dialect {
    name: "openai",
    base_url: "https://api.openai.com/v1",
    key_in: KeyIn::Bearer,
    path: |_| "/responses".to_owned(),
    question_body,
    brief_body,
    decode,
};

fn question_body(question: &Question<'_>) -> Value {
    // Without a location searches are made from the United States.
    let mut location = json!({"type": "approximate"});
    if let Some(country) = question.country {
        location["country"] = json!(country.to_ascii_uppercase());
    }
    json!({
        "model": question.model,
        "input": question.prompt,
        "instructions": question.language_line(),
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

/// Reads a whole response body.
fn decode(body: &[u8]) -> Result<Answer, AskError> {
    let body = object(body)?;
    let mut searches = Searches::default();
    for call in responses::output(&body, "web_search_call") {
        responses::search_call(&mut searches, call, &call["action"]);
    }
    responses::answer(&body, searches)
}

#[cfg(test)]
mod tests;
