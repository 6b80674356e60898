//! Perplexity: the Agent API, which uses the Responses format and reports searches as `search_results` items.

use std::collections::{HashMap, HashSet};

use domain::answer::Answer;
use serde_json::{Value, json};

use crate::citations::Citations;
use crate::endpoint::KeyHeader;
use crate::http_provider::WireFormat;
use crate::json_access::{items, non_blank_text, parse_object};
use crate::searches::Searches;
use crate::{AskError, GenerationRequest, Question, generation, responses_api};

const MAX_OUTPUT_TOKENS: u32 = 8_192;
/// The maximum number of rounds of searching and thinking.
const MAX_STEPS: u32 = 3;

pub(crate) const PERPLEXITY: WireFormat = WireFormat {
    name: "perplexity",
    base_url: "https://api.perplexity.ai",
    key_header: KeyHeader::Bearer,
    path: |_| "/v1/responses".to_owned(),
    question_body,
    generation_body,
    decode,
};

fn question_body(question: &Question<'_>) -> Value {
    let mut search = json!({"type": "web_search"});
    if let Some(country) = question.country {
        search["user_location"] = json!({"country": country.to_ascii_uppercase()});
    }
    json!({
        "model": question.model,
        "input": question.prompt,
        // The parameter is an ISO 639-1 code, which has no region.
        "language_preference": question.language.split(['-', '_']).next(),
        "store": false,
        "max_output_tokens": MAX_OUTPUT_TOKENS,
        "max_steps": MAX_STEPS,
        "tools": [search],
    })
}

/// Returns a body without tools, so that the model does not search.
fn generation_body(request: &GenerationRequest<'_>) -> Value {
    json!({
        "model": request.model,
        "input": generation::task(request),
        "instructions": generation::instructions(request),
        "store": false,
        "max_output_tokens": MAX_OUTPUT_TOKENS,
        "response_format": {
            "type": "json_schema", "json_schema": {"name": "prompts", "schema": generation::schema()},
        },
    })
}

/// Decodes a complete response body. Annotations are citations, and so are the sources of markers `[n]` in the text.
fn decode(body: &[u8]) -> Result<Answer, AskError> {
    let body = parse_object(body)?;
    let mut searches = Searches::default();
    let mut sources = Sources::default();
    for search in responses_api::output_items(&body, "search_results") {
        searches.add(items(&search["queries"]));
        items(&search["results"]).for_each(|result| sources.add(result));
    }
    let mut answer = responses_api::decode_answer(&body, searches)?;
    let mut citations = Citations::from(answer.citations);
    for source in markers(&answer.text).filter_map(|id| sources.get(id)) {
        citations.add(&source["url"], &source["title"]);
    }
    answer.citations = citations.into_vec();
    answer.cost_micros = cost_micros(&body["usage"]["cost"]);
    Ok(answer)
}

/// Converts `{"currency": "USD", "total_cost": 0.0061}` to millionths of a US dollar.
fn cost_micros(cost: &Value) -> Option<u64> {
    let is_usd = cost["currency"].is_null() || cost["currency"] == "USD";
    let micros = (cost["total_cost"].as_f64()? * 1e6).round();
    // No answer costs a million dollars, and smaller f64 values convert exactly.
    (is_usd && (0.0..1e12).contains(&micros)).then_some(micros as u64)
}

/// The results of all searches by `id`.
#[derive(Default)]
struct Sources<'a> {
    by_id: HashMap<u64, Option<&'a Value>>,
}

impl<'a> Sources<'a> {
    /// Adds a search result. An id that has different URLs in two searches refers to neither.
    fn add(&mut self, result: &'a Value) {
        let Some(id) = result["id"]
            .as_u64()
            .filter(|_| non_blank_text(&result["url"]).is_some())
        else {
            return;
        };
        self.by_id
            .entry(id)
            .and_modify(|known| *known = known.filter(|known| known["url"] == result["url"]))
            .or_insert(Some(result));
    }

    fn get(&self, id: u64) -> Option<&'a Value> {
        self.by_id.get(&id).copied().flatten()
    }
}

/// Returns the distinct numbers of the markers `[n]` in the text, in order.
fn markers(text: &str) -> impl Iterator<Item = u64> {
    let mut known = HashSet::new();
    text.split('[')
        .skip(1)
        .filter_map(|rest| {
            let (number, _) = rest.split_once(']')?;
            number.parse().ok()
        })
        .filter(move |id| known.insert(*id))
}

#[cfg(test)]
mod tests;
