//! Perplexity: the Agent API, which uses the Responses format and reports searches as `search_results` items.

mod marks;

use std::collections::HashMap;

use domain::answer::Answer;
use serde_json::{Value, json};

use crate::answer_builder::AnswerBuilder;
use crate::citations::page_title;
use crate::endpoint::KeyHeader;
use crate::http_provider::WireFormat;
use crate::json_access::{items, non_blank_text, parse_object};
use crate::responses_api::Dialect;
use crate::{AskError, GenerationRequest, Question, generation, responses_api};
use marks::Mark;

const MAX_OUTPUT_TOKENS: u32 = 8_192;
/// The maximum number of rounds of searching and thinking.
const MAX_STEPS: u32 = 3;
/// A model without a preset has no other instructions, and marks its sources only when told to.
const CITATION_INSTRUCTIONS: &str = "Right after each statement that a search result supports, cite the result by its id in \
                                     square brackets, for example [1] or [2][5].";

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
        "instructions": CITATION_INSTRUCTIONS,
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

/// Decodes a complete response body. Annotations are citations, and so are the search results that marks in
/// the text name.
fn decode(body: &[u8]) -> Result<Answer, AskError> {
    let body = parse_object(body)?;
    let mut sources = Sources::default();
    let mut answer = responses_api::decode_answer(&body, &mut sources)?;
    for cited in answer.citations.iter_mut().filter(|cited| cited.title.is_none()) {
        let mut results = sources
            .found
            .iter()
            .filter(|result| result["url"] == cited.url.as_str());
        cited.title = results.find_map(|result| page_title(&result["title"]));
    }
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

/// The results of the searches up to an item of the output.
#[derive(Default)]
struct Sources<'a> {
    found: Vec<&'a Value>,
    /// The last result with each id. Ids usually count through all searches; if they start anew, a mark in
    /// the text that follows refers to the last search.
    by_id: HashMap<String, &'a Value>,
}

impl<'a> Dialect<'a> for Sources<'a> {
    fn read_item(&mut self, item: &'a Value, builder: &mut AnswerBuilder) {
        if item["type"] == "search_results" {
            builder.add_search_step(items(&item["results"]).next().is_some());
            builder.searches.add(items(&item["queries"]));
            items(&item["results"]).for_each(|result| self.add(result));
        }
    }

    fn read_text(&mut self, text: &str, at: usize, builder: &mut AnswerBuilder) {
        marks::for_each(text, |offset, mark| {
            if let Some(source) = self.get(&mark) {
                builder.cite(&source["url"], &source["title"], Some(at + offset));
            }
        });
    }
}

impl<'a> Sources<'a> {
    /// Adds a search result. Its id is a number or a string.
    fn add(&mut self, result: &'a Value) {
        if non_blank_text(&result["url"]).is_none() {
            return;
        }
        self.found.push(result);
        let id = match &result["id"] {
            Value::Number(number) => number.to_string(),
            Value::String(text) => text.clone(),
            _ => return,
        };
        self.by_id.insert(Mark::parse(&id).id.to_owned(), result);
    }

    /// Returns the result that a mark names. A kind other than `web` must be the kind of the result.
    fn get(&self, mark: &Mark<'_>) -> Option<&'a Value> {
        let result = self.by_id.get(mark.id).copied()?;
        mark.kind
            .is_none_or(|kind| kind == "web" || result["source"] == kind)
            .then_some(result)
    }
}

#[cfg(test)]
mod tests;
