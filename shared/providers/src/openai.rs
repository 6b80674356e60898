//! OpenAI: the Responses API with its web search tool.

use domain::answer::Answer;
use serde_json::{Value, json};

use crate::answer_builder::AnswerBuilder;
use crate::endpoint::KeyHeader;
use crate::http_provider::WireFormat;
use crate::json_access::parse_object;
use crate::responses_api::Dialect;
use crate::{AskError, GenerationRequest, Question, generation, responses_api};

/// The maximum number of output tokens, including reasoning. A question with a few searches needs 3,000 to
/// 4,000 tokens for it.
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

fn decode(body: &[u8]) -> Result<Answer, AskError> {
    responses_api::decode_answer(&parse_object(body)?, &mut OpenAi)
}

struct OpenAi;

impl<'a> Dialect<'a> for OpenAi {
    fn read_item(&mut self, item: &'a Value, builder: &mut AnswerBuilder) {
        if item["type"] == "web_search_call" {
            responses_api::add_search_call(builder, item, &item["action"]);
        }
    }
}

#[cfg(test)]
mod tests;
