//! Google: Gemini's `generateContent` with Google Search.

mod answer;
mod country;

use serde_json::{Value, json};

use crate::endpoint::KeyHeader;
use crate::http_provider::WireFormat;
use crate::{GenerationRequest, Question, generation};

/// The maximum number of output tokens, including thoughts.
const MAX_OUTPUT_TOKENS: u32 = 12_288;

pub(crate) const GEMINI: WireFormat = WireFormat {
    name: "gemini",
    base_url: "https://generativelanguage.googleapis.com",
    key_header: KeyHeader::Named("x-goog-api-key"),
    path,
    question_body,
    generation_body,
    decode: answer::decode,
};

/// Returns the path for a model. Percent-encodes the name, so that it stays within one segment of the path.
fn path(model: &str) -> String {
    let mut path = "/v1beta/models/".to_owned();
    for byte in model.bytes() {
        match byte {
            b'-' | b'.' | b'_' | b'~' => path.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => path.push(char::from(byte)),
            _ => path.push_str(&format!("%{byte:02X}")),
        }
    }
    path + ":generateContent"
}

fn question_body(question: &Question<'_>) -> Value {
    let mut retrieval = json!({"languageCode": question.language});
    // There is no parameter for a country, only for coordinates.
    if let Some(location) = question.country.and_then(country::coordinates) {
        retrieval["latLng"] = json!({"latitude": location.latitude, "longitude": location.longitude});
    }
    json!({
        "contents": [{"role": "user", "parts": [{"text": question.prompt}]}],
        "tools": [{"googleSearch": {}}],
        "toolConfig": {"retrievalConfig": retrieval},
        "generationConfig": {"maxOutputTokens": MAX_OUTPUT_TOKENS},
    })
}

fn generation_body(request: &GenerationRequest<'_>) -> Value {
    json!({
        "systemInstruction": {"parts": [{"text": generation::instructions(request)}]},
        "contents": [{"role": "user", "parts": [{"text": generation::task(request)}]}],
        "generationConfig": {
            "maxOutputTokens": MAX_OUTPUT_TOKENS,
            "responseMimeType": "application/json",
            "responseJsonSchema": generation::schema(),
        },
    })
}

#[cfg(test)]
mod tests;
