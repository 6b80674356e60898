//! xAI: the Responses API, which differs from OpenAI's in how it reports searches and costs.

use domain::answer::Answer;
use serde_json::{Value, json};

use crate::answer_builder::AnswerBuilder;
use crate::endpoint::KeyHeader;
use crate::http_provider::WireFormat;
use crate::json_access::{items_mut, non_blank_text, parse, parse_object};
use crate::responses_api::Dialect;
use crate::{AskError, GenerationRequest, Question, generation, responses_api};

/// The maximum number of output tokens, including reasoning.
const MAX_OUTPUT_TOKENS: u32 = 12_288;
/// The number of ticks, xAI's unit of cost, in a millionth of a US dollar.
const TICKS_PER_MICRO: u64 = 10_000;

pub(crate) const XAI: WireFormat = WireFormat {
    name: "xai",
    base_url: "https://api.x.ai/v1",
    key_header: KeyHeader::Bearer,
    path: |_| "/responses".to_owned(),
    question_body,
    generation_body,
    decode,
};

fn question_body(question: &Question<'_>) -> Value {
    let mut search = json!({"type": "web_search"});
    if let Some(country) = question.country {
        search["user_location"] = json!({"type": "approximate", "country": country.to_ascii_uppercase()});
    }
    json!({
        "model": question.model,
        "input": messages(&question.language_instruction(), question.prompt),
        "store": false,
        "max_output_tokens": MAX_OUTPUT_TOKENS,
        "tools": [search],
    })
}

fn generation_body(request: &GenerationRequest<'_>) -> Value {
    json!({
        "model": request.model,
        "input": messages(&generation::instructions(request), &generation::task(request)),
        "store": false,
        "max_output_tokens": MAX_OUTPUT_TOKENS,
        "text": {"format": {
            "type": "json_schema", "name": "prompts", "strict": true, "schema": generation::schema(),
        }},
    })
}

/// Returns the messages of a request. The instruction is a system message, because only OpenAI has
/// `instructions`.
fn messages(system: &str, user: &str) -> Value {
    json!([{"role": "system", "content": system}, {"role": "user", "content": user}])
}

fn decode(body: &[u8]) -> Result<Answer, AskError> {
    let mut body = parse_object(body)?;
    remove_numeric_titles(&mut body);
    let mut answer = responses_api::decode_answer(&body, &mut Xai)?;
    answer.cost_micros = body["usage"]["cost_in_usd_ticks"]
        .as_u64()
        .map(|ticks| ticks.saturating_add(TICKS_PER_MICRO / 2) / TICKS_PER_MICRO);
    Ok(answer)
}

struct Xai;

impl<'a> Dialect<'a> for Xai {
    fn read_item(&mut self, item: &'a Value, builder: &mut AnswerBuilder) {
        if item["type"] != "web_search_call" {
            return;
        }
        let action = action(item);
        // The item can also be a tool within the search, such as one that opens a page.
        let is_other = item["name"].as_str().is_some_and(|name| name != "web_search");
        if !is_other || non_blank_text(&action["query"]).is_some() {
            responses_api::add_search_call(builder, item, &action);
        }
    }
}

/// Removes titles that are only a number. They repeat the mark in the text, such as `[[1]](https://..)`.
fn remove_numeric_titles(body: &mut Value) {
    let contents = items_mut(body, "output").flat_map(|item| items_mut(item, "content"));
    let annotations = contents.flat_map(|content| items_mut(content, "annotations"));
    for title in annotations.filter_map(|annotation| annotation.get_mut("title")) {
        let is_number = |text: &str| text.trim().bytes().all(|byte| byte.is_ascii_digit());
        if title.as_str().is_some_and(is_number) {
            *title = Value::Null;
        }
    }
}

/// Returns the action of a call: OpenAI's `action`, or else its `arguments`, which are JSON in a string:
/// `{"query": "..", "num_results": 5}`.
fn action(call: &Value) -> Value {
    if !call["action"].is_null() {
        return call["action"].clone();
    }
    match &call["arguments"] {
        Value::String(text) => parse(text.as_bytes()).unwrap_or(Value::Null),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests;
