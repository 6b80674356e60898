//! Google: Gemini's `generateContent` with Google Search.

mod answer;
mod places;

use serde_json::{Value, json};

use crate::endpoint::KeyIn;
use crate::vendor::Dialect;
use crate::{Brief, Question, brief};

/// Thoughts count as output.
const OUTPUT_TOKENS: u32 = 12_288;

pub(crate) const GEMINI: Dialect = Dialect {
    name: "gemini",
    base_url: "https://generativelanguage.googleapis.com",
    key_in: KeyIn::Header("x-goog-api-key"),
    path,
    question_body,
    brief_body,
    decode: answer::decode,
};

/// The model's address. Whatever its name is made of, it stays within one segment of the path.
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
    // A place is all that it takes: there is no parameter for a country.
    if let Some((latitude, longitude)) = question.country.and_then(places::find) {
        retrieval["latLng"] = json!({"latitude": latitude, "longitude": longitude});
    }
    json!({
        "contents": [{"role": "user", "parts": [{"text": question.prompt}]}],
        "tools": [{"googleSearch": {}}],
        "toolConfig": {"retrievalConfig": retrieval},
        "generationConfig": {"maxOutputTokens": OUTPUT_TOKENS},
    })
}

fn brief_body(brief: &Brief<'_>) -> Value {
    json!({
        "systemInstruction": {"parts": [{"text": brief::instructions(brief)}]},
        "contents": [{"role": "user", "parts": [{"text": brief::task(brief)}]}],
        "generationConfig": {
            "maxOutputTokens": OUTPUT_TOKENS,
            "responseMimeType": "application/json",
            "responseJsonSchema": brief::schema(),
        },
    })
}

#[cfg(test)]
mod tests;
