//! Helpers that render evidence and create answers.

use domain::id::{EntityId, PromptId};

use super::*;

pub(super) const START: &str = "2026-02-09";
pub(super) const END: &str = "2026-03-10";

/// Returns the evidence as JSON.
pub(super) fn metadata(candidate: &Candidate) -> Value {
    serde_json::to_value(&candidate.recommendation.evidence).unwrap()
}

/// Returns the request about these prompts, with additional parameters.
pub(super) fn query(path: &str, prompts: &[u32], more: &Value) -> Value {
    query_of(path, [START, END], prompts, more)
}

pub(super) fn query_of(path: &str, [start, end]: [&str; 2], prompts: &[u32], more: &Value) -> Value {
    let mut parameters =
        json!({"entityId": "acme000000000000", "startDate": start, "endDate": end, "union": "false"});
    if !prompts.is_empty() {
        parameters["promptIds"] = ids(prompts).join(",").into();
    }
    for (name, value) in more.as_object().unwrap() {
        parameters[name] = value.clone();
    }
    json!({"path": path, "parameters": parameters})
}

pub(super) fn ids(prompts: &[u32]) -> Vec<String> {
    let entity = "acme000000000000".parse().unwrap();
    let id = |ordinal: &u32| PromptId {
        entity: EntityId::clone(&entity),
        ordinal: (*ordinal).into(),
    };
    prompts.iter().map(|prompt| id(prompt).to_string()).collect()
}

pub(super) fn window() -> Value {
    json!({"startDate": START, "endDate": END, "days": 30})
}

/// Creates `of` checks of today with one answer each, to the prompt by the model. The first `named` mention
/// the brands.
pub(super) fn answers(prompt: u32, model: u32, named: usize, of: usize, brands: &[u32]) -> Vec<Check> {
    (0..of)
        .map(|n| {
            let brands = if n < named { brands } else { &[] };
            check(0, vec![answer(prompt, model, brands)])
        })
        .collect()
}
