//! A tracking whose answers a test has written down, day by day.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use acceptance::{FakeOpenAi, World, answer};
use serde_json::{Value, json};

use crate::analytics::TrackedEntity;

/// The models in the order of their ordinals.
const MODELS: [&str; 3] = ["gpt-6-luna", "gpt-6.1-terra", "gpt-6-sol"];

/// An answer: whom it recommends, what it cites, what was searched for.
pub(super) struct ScriptedAnswer {
    pub(super) names: &'static str,
    pub(super) urls: &'static [&'static str],
    pub(super) queries: &'static [&'static str],
}

/// One that cites nothing.
pub(super) fn names(names: &'static str) -> ScriptedAnswer {
    ScriptedAnswer {
        names,
        urls: &[],
        queries: &[],
    }
}

/// What a model answers to a prompt on a day, from day 1.
type Script = fn(u32, usize, &str) -> ScriptedAnswer;

pub(super) struct ScriptedEntity {
    pub(super) tracked: TrackedEntity,
    day: Arc<AtomicU32>,
}

impl ScriptedEntity {
    /// Of Acme, asked of three models, in a workspace that tracks Rival too.
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

    /// So many days with a check each.
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

    /// The actionables of a status, as they are listed.
    pub(super) async fn actionables(&self, status: &str) -> Vec<Value> {
        let board = self.board().await;
        let all = board["actionables"].as_array().unwrap().iter();
        all.filter(|a| a["status"] == status).cloned().collect()
    }

    /// The active ones of a rule.
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
