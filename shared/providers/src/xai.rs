//! xAI: the Responses API, spoken like OpenAI's but for what it tells of a search and of the cost.

use domain::answer::Answer;
use serde_json::{Value, json};

use crate::collect::{Searches, object, text_of};
use crate::endpoint::KeyIn;
use crate::vendor::Dialect;
use crate::{AskError, Brief, Question, brief, responses};

/// Reasoning counts as output.
const OUTPUT_TOKENS: u32 = 12_288;
/// A tick is the ten thousandth part of a millionth of a US dollar.
const TICKS_PER_MICRO: u64 = 10_000;

pub(crate) const XAI: Dialect = Dialect {
    name: "xai",
    base_url: "https://api.x.ai/v1",
    key_in: KeyIn::Bearer,
    path: |_| "/responses".to_owned(),
    question_body,
    brief_body,
    decode,
};

fn question_body(question: &Question<'_>) -> Value {
    let mut search = json!({"type": "web_search"});
    if let Some(country) = question.country {
        search["user_location"] = json!({"type": "approximate", "country": country.to_ascii_uppercase()});
    }
    json!({
        "model": question.model,
        "input": messages(&question.language_line(), question.prompt),
        "store": false,
        "max_output_tokens": OUTPUT_TOKENS,
        "tools": [search],
    })
}

fn brief_body(brief: &Brief<'_>) -> Value {
    json!({
        "model": brief.model,
        "input": messages(&brief::instructions(brief), &brief::task(brief)),
        "store": false,
        "max_output_tokens": OUTPUT_TOKENS,
        "text": {"format": {
            "type": "json_schema", "name": "prompts", "strict": true, "schema": brief::schema(),
        }},
    })
}

/// What is told comes as a message: `instructions` is OpenAI's.
fn messages(system: &str, user: &str) -> Value {
    json!([{"role": "system", "content": system}, {"role": "user", "content": user}])
}

/// Reads a whole response body.
fn decode(body: &[u8]) -> Result<Answer, AskError> {
    let body = object(body)?;
    let mut searches = Searches::default();
    for call in responses::output(&body, "web_search_call") {
        let action = action(call);
        // The item also stands for tools within the search, such as one that opens a page.
        let is_other = call["name"].as_str().is_some_and(|name| name != "web_search");
        if !is_other || text_of(&action["query"]).is_some() {
            responses::search_call(&mut searches, call, &action);
        }
    }
    let mut answer = responses::answer(&body, searches)?;
    answer.cost_micros = body["usage"]["cost_in_usd_ticks"]
        .as_u64()
        .map(|ticks| ticks.saturating_add(TICKS_PER_MICRO / 2) / TICKS_PER_MICRO);
    Ok(answer)
}

/// What a call did: OpenAI's `action`, else its `arguments`, a text that is JSON: `{"query": "..", "num_results": 5}`.
fn action(call: &Value) -> Value {
    if !call["action"].is_null() {
        return call["action"].clone();
    }
    match &call["arguments"] {
        Value::String(text) => serde_json::from_str(text).unwrap_or_default(),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests;
