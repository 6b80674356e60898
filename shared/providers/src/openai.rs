//! OpenAI: the Responses API with its web search tool.

use domain::answer::Answer;
use serde_json::{Value, json};

use crate::endpoint::KeyHeader;
use crate::http_provider::WireFormat;
use crate::json_access::parse_object;
use crate::searches::Searches;
use crate::{AskError, GenerationRequest, Question, generation, responses_api};

/// The maximum number of output tokens, including reasoning. A question with a few searches needs 3,000 to 4,000 tokens for it.
const MAX_OUTPUT_TOKENS: u32 = 12_288;
const MAX_TOOL_CALLS: u32 = 4;

/// OpenAI, or a server that speaks its wire format at the base URL.
pub(crate) const OPENAI: WireFormat = WireFormat {
    name: "openai",
    base_url: "https://api.openai.com/v1",
    key_header: KeyHeader::Bearer,
    path: |_| "/responses".to_owned(),
    question_body,
    generation_body,
    decode,
};

fn question_body(question: &Question<'_>) -> Value {
    // Without a location, OpenAI searches from the United States.
    let mut location = json!({"type": "approximate"});
    if let Some(country) = question.country {
        location["country"] = json!(country.to_ascii_uppercase());
    }
    json!({
        "model": question.model,
        "input": question.prompt,
        "instructions": question.language_instruction(),
        "store": false,
        "max_output_tokens": MAX_OUTPUT_TOKENS,
        "max_tool_calls": MAX_TOOL_CALLS,
        "tools": [{"type": "web_search", "user_location": location}],
    })
}

fn generation_body(request: &GenerationRequest<'_>) -> Value {
    json!({
        "model": request.model,
        "input": generation::task(request),
        "instructions": generation::instructions(request),
        "store": false,
        "max_output_tokens": MAX_OUTPUT_TOKENS,
        "text": {"format": {
            "type": "json_schema", "name": "prompts", "strict": true, "schema": generation::schema(),
        }},
    })
}

/// Decodes a complete response body.
fn decode(body: &[u8]) -> Result<Answer, AskError> {
    let body = parse_object(body)?;
    let mut searches = Searches::default();
    for call in responses_api::output_items(&body, "web_search_call") {
        responses_api::add_search_call(&mut searches, call, &call["action"]);
    }
    responses_api::decode_answer(&body, searches)
}

#[cfg(test)]
mod tests;
