//! Perplexity: the Agent API, which speaks the Responses format and tells its searches as `search_results` items.

use std::collections::{HashMap, HashSet};

use domain::answer::Answer;
use serde_json::{Value, json};

use crate::collect::{Citations, Searches, items, object, text_of};
use crate::endpoint::KeyIn;
use crate::vendor::Dialect;
use crate::{AskError, Brief, Question, brief, responses};

const OUTPUT_TOKENS: u32 = 8_192;
/// Rounds of searching and thinking.
const STEPS: u32 = 3;

pub(crate) const PERPLEXITY: Dialect = Dialect {
    name: "perplexity",
    base_url: "https://api.perplexity.ai",
    key_in: KeyIn::Bearer,
    path: |_| "/v1/responses".to_owned(),
    question_body,
    brief_body,
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
        // ISO 639-1 has no regions.
        "language_preference": question.language.split(['-', '_']).next(),
        "store": false,
        "max_output_tokens": OUTPUT_TOKENS,
        "max_steps": STEPS,
        "tools": [search],
    })
}

/// Without a tool in the request nothing is searched.
fn brief_body(brief: &Brief<'_>) -> Value {
    json!({
        "model": brief.model,
        "input": brief::task(brief),
        "instructions": brief::instructions(brief),
        "store": false,
        "max_output_tokens": OUTPUT_TOKENS,
        "response_format": {
            "type": "json_schema", "json_schema": {"name": "prompts", "schema": brief::schema()},
        },
    })
}

/// Reads a whole response body. Cited is what an annotation names, and what a marker `[n]` of the text points to.
fn decode(body: &[u8]) -> Result<Answer, AskError> {
    let body = object(body)?;
    let mut searches = Searches::default();
    let mut sources = Sources::default();
    for search in responses::output(&body, "search_results") {
        searches.add(items(&search["queries"]));
        items(&search["results"]).for_each(|result| sources.add(result));
    }
    let mut answer = responses::answer(&body, searches)?;
    let mut citations = Citations::from(answer.citations);
    for source in markers(&answer.text).filter_map(|id| sources.get(id)) {
        citations.add(&source["url"], &source["title"]);
    }
    answer.citations = citations.into_vec();
    answer.cost_micros = cost(&body["usage"]["cost"]);
    Ok(answer)
}

/// `{"currency": "USD", "total_cost": 0.0061}` in millionths of a US dollar.
fn cost(cost: &Value) -> Option<u64> {
    let is_usd = cost["currency"].is_null() || cost["currency"] == "USD";
    let micros = (cost["total_cost"].as_f64()? * 1e6).round();
    // No answer costs millions; an f64 below that is exact as an integer.
    (is_usd && (0.0..1e12).contains(&micros)).then_some(micros as u64)
}

/// The results of all searches by their `id`.
#[derive(Default)]
struct Sources<'a> {
    by_id: HashMap<u64, Option<&'a Value>>,
}

impl<'a> Sources<'a> {
    /// An id that two searches gave to different URLs points to neither.
    fn add(&mut self, result: &'a Value) {
        let Some(id) = result["id"]
            .as_u64()
            .filter(|_| text_of(&result["url"]).is_some())
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

/// The numbers of the text's markers `[n]`, in order, each once.
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
