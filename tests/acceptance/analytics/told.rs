//! An entity whose provider answers each of its prompts as a test tells.

use acceptance::{FakeOpenAi, World, answer};
use serde_json::{Value, json};

use super::Tracked;

/// What the provider says to one prompt.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ScriptedAnswer {
    pub(super) prompt: &'static str,
    pub(super) text: &'static str,
    pub(super) citations: &'static [&'static str],
    pub(super) queries: &'static [&'static str],
    pub(super) refused: bool,
    pub(super) truncated: bool,
}

/// An entity Acme with these prompts and one model, after one check.
pub(super) async fn told(answers: &[ScriptedAnswer]) -> Tracked {
    told_to(1, answers).await
}

/// The same with so many models.
pub(super) async fn told_to(models: usize, answers: &[ScriptedAnswer]) -> Tracked {
    let tracked = untold(models, answers).await;
    tracked.check().await;
    tracked
}

/// The same before the check.
pub(super) async fn untold(models: usize, answers: &[ScriptedAnswer]) -> Tracked {
    let known = answers.to_vec();
    let provider = FakeOpenAi::start(move |body| {
        let input = body["input"].as_str().unwrap_or_default();
        let told = known.iter().find(|told| input.contains(told.prompt));
        reply(told.copied().unwrap_or_default())
    });
    let prompts: Vec<&str> = answers.iter().map(|told| told.prompt).collect();
    Tracked::of(World::asking(&provider.await).await, models, &prompts).await
}

fn reply(told: ScriptedAnswer) -> Value {
    let text = if told.text.is_empty() {
        "No brand."
    } else {
        told.text
    };
    let mut body = answer(text, told.citations, told.queries);
    if told.refused {
        let content = body["output"].as_array_mut().unwrap().last_mut().unwrap()["content"].as_array_mut();
        content
            .unwrap()
            .push(json!({"type": "refusal", "refusal": "I cannot."}));
    }
    if told.truncated {
        body["status"] = json!("incomplete");
        body["incomplete_details"] = json!({"reason": "max_output_tokens"});
    }
    body
}

impl Tracked {
    /// The body of a GET about the entity.
    pub(super) async fn ask(&self, path: &str, more: &str) -> Value {
        let path = format!("{path}?entityId={}&{more}", self.entity);
        self.world.get(&self.account, &path).await.ok()
    }
}
