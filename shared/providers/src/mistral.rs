//! Mistral: the Conversations API with its web search connector.

mod answer;

use serde_json::{Value, json};

use crate::endpoint::KeyIn;
use crate::vendor::Dialect;
use crate::{Brief, Question, brief};

const OUTPUT_TOKENS: u32 = 8_192;

pub(crate) const MISTRAL: Dialect = Dialect {
    name: "mistral",
    base_url: "https://api.mistral.ai",
    key_in: KeyIn::Bearer,
    path: |_| "/v1/conversations".to_owned(),
    question_body,
    brief_body,
    decode: answer::decode,
};

fn question_body(question: &Question<'_>) -> Value {
    let mut instructions = question.language_line();
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
        "completion_args": {"max_tokens": OUTPUT_TOKENS},
    })
}

fn brief_body(brief: &Brief<'_>) -> Value {
    json!({
        "model": brief.model,
        "inputs": brief::task(brief),
        "instructions": brief::instructions(brief),
        "stream": false,
        "store": false,
        "completion_args": {
            "max_tokens": OUTPUT_TOKENS,
            "response_format": {"type": "json_schema", "json_schema": {
                "name": "prompts", "strict": true, "schema": brief::schema(),
            }},
        },
    })
}

#[cfg(test)]
mod tests;
