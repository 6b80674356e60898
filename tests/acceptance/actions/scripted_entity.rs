//! An entity whose answers a test scripts day by day.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use acceptance::{FakeOpenAi, World, answer};
use serde_json::{Value, json};

use crate::analytics::TrackedEntity;

/// The models in the order of their ordinals.
const MODELS: [&str; 3] = ["gpt-6-luna", "gpt-6.1-terra", "gpt-6-sol"];

/// An answer: the brand that it names, the URLs that it cites and the searches that were run.
pub(super) struct ScriptedAnswer {
    pub(super) names: &'static str,
    pub(super) urls: &'static [&'static str],
    pub(super) queries: &'static [&'static str],
}

/// Returns an answer that names a brand and cites nothing.
pub(super) fn names(names: &'static str) -> ScriptedAnswer {
    ScriptedAnswer {
        names,
        urls: &[],
        queries: &[],
    }
}

/// Returns the answer for a day (from 1), a model ordinal and a prompt.
type Script = fn(u32, usize, &str) -> ScriptedAnswer;

pub(super) struct ScriptedEntity {
    pub(super) tracked: TrackedEntity,
    day: Arc<AtomicU32>,
}

impl ScriptedEntity {
    /// Creates Acme with three models, in a workspace that also tracks Rival.
    pub(super) async fn new(prompts: &[&str], script: Script) -> Self {
        let day = Arc::new(AtomicU32::new(0));
        let today = day.clone();
        let provider = FakeOpenAi::start(move |body| {
            let text = |field: &str| body[field].as_str().unwrap().to_owned();
            let model = MODELS.iter().position(|model| *model == text("model")).unwrap();
            let scripted = script(today.load(Ordering::SeqCst), model, &text("input"));
            answer(
                &format!("I recommend {}.", scripted.names),
                scripted.urls,
                scripted.queries,
            )
        })
        .await;
        let tracked = TrackedEntity::in_world(World::asking(&provider).await, MODELS.len(), prompts).await;
        let quiet = json!({"startTracking": false});
        let (world, account) = (&tracked.world, &tracked.account);
        world.entity(account, "Rival", "rival.com", &[], quiet).await;
        Self { tracked, day }
    }

    /// Runs one check on each of the next `days` days.
    pub(super) async fn run_days(&self, days: u32) {
        for _ in 0..days {
            self.day.fetch_add(1, Ordering::SeqCst);
            self.tracked.advance_days(1);
            self.tracked.run_check().await;
        }
    }
}

impl TrackedEntity {
    pub(super) async fn board(&self) -> Value {
        let path = format!("/entities/actions?entityId={}", self.entity);
        let listed = self.world.get(&self.account, &path).await.ok();
        listed["data"].clone()
    }

    /// Lists the actionables with this status.
    pub(super) async fn actionables(&self, status: &str) -> Vec<Value> {
        let board = self.board().await;
        let all = board["actionables"].as_array().unwrap().iter();
        all.filter(|a| a["status"] == status).cloned().collect()
    }

    /// Lists the active actionables of a rule.
    pub(super) async fn active(&self, rule: &str) -> Vec<Value> {
        let mut active = self.actionables("active").await;
        active.retain(|actionable| actionable["sourceType"] == rule);
        active
    }

    pub(super) async fn act(&self, verb: &str, body: Value) -> Value {
        let path = format!("/entities/actions/{verb}");
        self.world.post(&self.account, &path, &body).await.ok()
    }
}
