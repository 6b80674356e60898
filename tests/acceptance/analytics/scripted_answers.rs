//! An entity whose provider gives a scripted answer to each prompt.

use acceptance::{FakeOpenAi, World, answer};
use serde_json::{Value, json};

use super::TrackedEntity;

/// The answer that the provider gives to one prompt.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ScriptedAnswer {
    pub(super) prompt: &'static str,
    pub(super) text: &'static str,
    pub(super) citations: &'static [&'static str],
    pub(super) queries: &'static [&'static str],
    pub(super) refused: bool,
    pub(super) truncated: bool,
}

/// Creates Acme with these prompts and one model, and runs one check.
pub(super) async fn after_check(answers: &[ScriptedAnswer]) -> TrackedEntity {
    after_check_by(1, answers).await
}

/// Creates Acme with these prompts and `models` models, and runs one check.
pub(super) async fn after_check_by(models: usize, answers: &[ScriptedAnswer]) -> TrackedEntity {
    let tracked = before_check(models, answers).await;
    tracked.run_check().await;
    tracked
}

/// Creates Acme with these prompts and `models` models, without running a check.
pub(super) async fn before_check(models: usize, answers: &[ScriptedAnswer]) -> TrackedEntity {
    let scripted = answers.to_vec();
    let provider = FakeOpenAi::start(move |body| {
        let input = body["input"].as_str().unwrap_or_default();
        let answer = scripted.iter().find(|answer| input.contains(answer.prompt));
        reply(answer.copied().unwrap_or_default())
    });
    let prompts: Vec<&str> = answers.iter().map(|answer| answer.prompt).collect();
    TrackedEntity::in_world(World::asking(&provider.await).await, models, &prompts).await
}

fn reply(scripted: ScriptedAnswer) -> Value {
    let text = if scripted.text.is_empty() {
        "No brand."
    } else {
        scripted.text
    };
    let mut body = answer(text, scripted.citations, scripted.queries);
    if scripted.refused {
        let content = body["output"].as_array_mut().unwrap().last_mut().unwrap()["content"].as_array_mut();
        content
            .unwrap()
            .push(json!({"type": "refusal", "refusal": "I cannot."}));
    }
    if scripted.truncated {
        body["status"] = json!("incomplete");
        body["incomplete_details"] = json!({"reason": "max_output_tokens"});
    }
    body
}

impl TrackedEntity {
    /// Sends a GET request for the entity and returns the body.
    pub(super) async fn ask(&self, path: &str, more: &str) -> Value {
        let path = format!("{path}?entityId={}&{more}", self.entity);
        self.world.get(&self.account, &path).await.ok()
    }
}
