//! Mistral: the Conversations API with its web search connector.

mod answer;

use serde_json::{Value, json};

use self::answer::MAX_OUTPUT_TOKENS;
use crate::endpoint::KeyHeader;
use crate::http_provider::WireFormat;
use crate::{GenerationRequest, Question, generation};

pub(crate) const MISTRAL: WireFormat = WireFormat {
    name: "mistral",
    base_url: "https://api.mistral.ai",
    key_header: KeyHeader::Bearer,
    path: |_| "/v1/conversations".to_owned(),
    question_body,
    generation_body,
    decode: answer::decode,
};

fn question_body(question: &Question<'_>) -> Value {
    let mut instructions = question.language_instruction();
    if let Some(country) = question.country {
        let country = country.to_ascii_uppercase();
        instructions.push_str(&format!(" The user is in the country {country}."));
    }
    json!({
        "model": question.model,
        "inputs": question.prompt,
        "instructions": instructions,
        "stream": false,
        "store": false,
        "tools": [{"type": "web_search"}],
        "completion_args": {"max_tokens": MAX_OUTPUT_TOKENS},
    })
}

fn generation_body(request: &GenerationRequest<'_>) -> Value {
    json!({
        "model": request.model,
        "inputs": generation::task(request),
        "instructions": generation::instructions(request),
        "stream": false,
        "store": false,
        "completion_args": {
            "max_tokens": MAX_OUTPUT_TOKENS,
            "response_format": {"type": "json_schema", "json_schema": {
                "name": "prompts", "strict": true, "schema": generation::schema(),
            }},
        },
    })
}

#[cfg(test)]
mod tests;
