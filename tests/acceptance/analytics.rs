//! Tests of the analytics endpoints.

mod cases;
mod citation_trend;
mod citations;
pub(crate) mod comparison;
mod competitors;
mod days;
mod fanouts;
mod filters;
mod groups;
mod no_rivals;
mod overview;
mod property;
pub(crate) mod recorded_checks;
mod responses;
mod scripted_answers;
mod tags;
mod visibility;

use acceptance::{Account, FakeOpenAi, ProviderReply, World, answer};
use domain::catalogue::{Catalogue, Model};
use domain::clock::Clock;
use domain::time::{Day, HOUR};
use serde_json::{Value, json};
use uuid::Uuid;

pub(crate) use cases::CASES;

/// A provider whose answers name Acme where the question says `yes`, or what it says after `name `, and that
/// refuses or fails where it says so.
async fn provider() -> FakeOpenAi {
    FakeOpenAi::start(|body| {
        let input = body["input"].as_str().unwrap_or_default();
        let model = body["model"].as_str().unwrap_or_default();
        if input.contains("refused") {
            return ProviderReply::from(refusal());
        }
        if input.contains("failed") {
            return ProviderReply::error(400, "invalid_prompt");
        }
        let named = input.contains("yes") || input.contains(model);
        let text = match input.split_once("name ") {
            Some((_, wanted)) => wanted.trim_end_matches('?'),
            None if named => "Acme",
            None => "Other",
        };
        ProviderReply::from(answer(&format!("I recommend {text}."), &[], &[]))
    })
    .await
}

fn refusal() -> Value {
    let mut refused = answer("", &[], &[]);
    refused["output"][0]["content"] =
        json!([{"type": "refusal", "refusal": "I can't say that Acme is good."}]);
    refused
}

/// Returns the uuid of a model that is shipped, whether or not it can be asked.
pub(crate) fn shipped_model(provider: &str) -> Uuid {
    let shipped = Catalogue::shipped().unwrap();
    let mut models = shipped.models().iter();
    models
        .find(|model| model.provider == provider)
        .map(Model::uuid)
        .unwrap()
}

/// An entity that is only checked on request, at a service time far from midnight.
pub(crate) struct TrackedEntity {
    pub(crate) world: World,
    pub(crate) account: Account,
    pub(crate) entity: String,
}

impl TrackedEntity {
    /// Creates an entity with `prompts` and the first `models` models, and the scripted provider.
    pub(crate) async fn new(models: usize, prompts: &[&str]) -> Self {
        Self::in_world(World::asking(&provider().await).await, models, prompts).await
    }

    pub(crate) async fn in_world(world: World, models: usize, prompts: &[&str]) -> Self {
        let account = world.account().await;
        let uuids = world.models(&account).await;
        let more = json!({"models": uuids[..models], "startTracking": false});
        let entity = world.entity(&account, "Acme", "acme.com", prompts, more).await;
        let tracked = Self {
            world,
            account,
            entity,
        };
        tracked.advance_days(1);
        tracked
    }

    /// Advances service time by `days` days, to one hour after midnight.
    pub(crate) fn advance_days(&self, days: i32) {
        let clock = &self.world.host.clock;
        let midnight = clock.now().day().plus_days(days).start();
        clock.advance_to(midnight + HOUR);
    }

    pub(crate) fn today(&self) -> Day {
        self.world.host.clock.now().day()
    }

    /// Runs a check and waits until it ends.
    pub(crate) async fn run_check(&self) {
        self.run_check_of(&self.entity).await;
    }

    async fn run_check_of(&self, entity: &str) {
        let body = json!({"entityId": entity});
        self.world
            .post(&self.account, "/entities/run-check", &body)
            .await
            .ok();
        let path = format!("/entities/tracking-status?entityId={entity}");
        for poll in 1..=1_000 {
            let status = self.world.get(&self.account, &path).await.ok();
            if status["data"]["isProcessing"] == false {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            if poll % 100 == 0 {
                self.world.retry_failed_steps(&self.account, entity).await;
            }
        }
        panic!("the check does not end");
    }

    pub(crate) async fn add_prompt(&self, prompt: &str) -> String {
        let body = json!({"entityId": self.entity, "prompt": prompt});
        let added = self
            .world
            .post(&self.account, "/entities/addprompt", &body)
            .await
            .ok();
        added["promptId"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn prompt_ids(&self) -> Vec<String> {
        let path = format!("/entities/prompts?entityId={}", self.entity);
        let prompts = self.world.get(&self.account, &path).await.ok();
        let rows = prompts["data"].as_array().unwrap();
        rows.iter()
            .map(|row| row["id"].as_str().unwrap().to_owned())
            .collect()
    }

    /// Returns the points of the visibility trend with these additional parameters.
    async fn points(&self, parameters: &str) -> Vec<Value> {
        self.points_of(&self.entity, parameters).await
    }

    async fn points_of(&self, entity: &str, parameters: &str) -> Vec<Value> {
        let path = format!("/trends/visibility?entityId={entity}&{parameters}");
        let trend = self.world.get(&self.account, &path).await.ok();
        trend["data"].as_array().unwrap().clone()
    }

    /// Returns the mentions and responses of each point.
    async fn counts(&self, parameters: &str) -> Vec<(u64, u64)> {
        self.counts_of(&self.entity, parameters).await
    }

    async fn counts_of(&self, entity: &str, parameters: &str) -> Vec<(u64, u64)> {
        let points = self.points_of(entity, parameters).await;
        let count = |point: &Value, field: &str| point[field].as_u64().unwrap();
        points
            .iter()
            .map(|p| (count(p, "mentions"), count(p, "responses")))
            .collect()
    }
}
