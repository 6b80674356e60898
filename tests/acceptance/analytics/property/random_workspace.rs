//! Generates a workspace with entities, groups and recorded answers from a seed.

use std::collections::BTreeMap;

use acceptance::{Account, SeededRng, World};
use domain::brand::{Brand, uuid_of_domain};
use domain::check::Response;
use domain::check_key::CheckKey;
use domain::clock::Clock;
use domain::entity::Entity;
use domain::id::{EntityId, ResponseId};
use domain::prompt::Prompt;
use domain::time::{Day, HOUR};
use serde_json::{Value, json};
use uuid::Uuid;

use super::super::recorded_checks::record_check;
use super::random_response::response;

/// Names and domains, with two entities of one brand, a person, and names that collide with others or with
/// `day`.
const ENTITIES: [(&str, Option<&str>); 7] = [
    ("Acme", Some("acme.com")),
    ("Acme Blog", Some("blog.acme.com")),
    ("Rival", Some("shop.rival.co.uk")),
    ("Jane Doe", None),
    ("day", Some("day.io")),
    ("one.github.io", Some("other.org")),
    ("Rival", Some("rival.example")),
];

/// Domains that may be grouped without being tracked.
const UNTRACKED: [&str; 3] = ["one.github.io", "two.github.io", "xn--mller-kva.de"];

pub(super) struct RandomWorkspace {
    pub(super) world: World,
    pub(super) account: Account,
    pub(super) entities: Vec<String>,
    pub(super) models: Vec<String>,
    /// A model that the service has and no entity asks.
    pub(super) unasked_model: String,
    pub(super) prompts: Vec<String>,
    pub(super) tags: Vec<String>,
    /// The entity and key of each check.
    checks: Vec<(String, CheckKey)>,
}

/// A recorded response with its entity and check.
pub(super) struct RecordedResponse {
    pub(super) entity: EntityId,
    pub(super) check: CheckKey,
    pub(super) response: Response,
}

impl RecordedResponse {
    pub(super) fn id(&self) -> ResponseId {
        ResponseId {
            entity: self.entity,
            day: self.check.day,
            check: self.check.check,
            prompt: self.response.prompt,
            model: self.response.model,
        }
    }
}

/// The stored data from which the expected figures are computed.
pub(super) struct RecordedData {
    pub(super) responses: Vec<RecordedResponse>,
    /// Oldest first.
    pub(super) entities: Vec<Entity>,
    pub(super) brands: BTreeMap<Uuid, Brand>,
    pub(super) prompts: BTreeMap<EntityId, Vec<Prompt>>,
    /// As `GET /domain-groups` lists them.
    pub(super) groups: Vec<Value>,
}

impl RandomWorkspace {
    /// Generates a workspace that tracks up to `brands` of the entities.
    pub(super) async fn random(rng: &mut SeededRng, brands: usize) -> Self {
        let world = World::start().await;
        let account = world.account().await;
        let mut models = world.models(&account).await;
        let unasked_model = models.pop().unwrap();
        let mut workspace = Self {
            tags: vec![
                crate::tags::create(&world, &account, "One").await,
                crate::tags::create(&world, &account, "Two").await,
            ],
            world,
            account,
            entities: Vec::new(),
            models,
            unasked_model,
            prompts: Vec::new(),
            checks: Vec::new(),
        };
        crate::domain_groups::cited(&workspace.world, &workspace.account, &UNTRACKED).await;
        for (name, domain) in ENTITIES.into_iter().take(brands) {
            if workspace.entities.is_empty() || rng.chance(60) {
                workspace.entity(rng, name, domain).await;
            }
        }
        let grouped_on = rng.below(7);
        for step in 0..6 {
            workspace.later(rng.choose(&[1, 1, 1, 5, 10]));
            if step == grouped_on {
                workspace.groups(rng).await;
            }
            for entity in workspace.entities.clone() {
                if rng.chance(50) {
                    workspace.check(rng, &entity).await;
                }
                if rng.chance(10) {
                    workspace.check(rng, &entity).await;
                }
            }
            workspace.change(rng).await;
        }
        if grouped_on == 6 {
            workspace.groups(rng).await;
        }
        workspace
    }

    pub(super) fn today(&self) -> Day {
        self.world.host.clock.now().day()
    }

    fn later(&self, days: &i32) {
        let clock = &self.world.host.clock;
        let midnight = clock.now().day().plus_days(*days).start();
        clock.advance_to(midnight + HOUR);
    }

    async fn entity(&mut self, rng: &mut SeededRng, name: &str, domain: Option<&str>) {
        let mut models: Vec<&String> = self.models.iter().filter(|_| rng.chance(70)).collect();
        if models.is_empty() || rng.chance(30) {
            models = self.models.iter().rev().collect();
        }
        let prompts: Vec<String> = (0..1 + rng.below(4)).map(|n| format!("Which {n}?")).collect();
        let kind = if domain.is_some() { "website" } else { "individual" };
        let body = json!({"name": name, "domain": domain, "trackingType": kind, "models": models,
            "prompts": prompts, "startTracking": false});
        let created = self.world.post(&self.account, "/entities", &body).await.ok();
        let id = created["data"]["id"].as_str().unwrap().to_owned();
        let path = format!("/entities/prompts?entityId={id}");
        let listed = self.world.get(&self.account, &path).await.ok();
        for row in listed["data"].as_array().unwrap() {
            self.prompts.push(row["id"].as_str().unwrap().to_owned());
        }
        self.entities.push(id);
    }

    /// Creates up to two groups of brands that the workspace knows.
    async fn groups(&mut self, rng: &mut SeededRng) {
        let entities = self
            .world
            .host
            .store
            .entities(&self.account.tenant)
            .await
            .unwrap();
        // Keep the order of creation, because a person's uuid is random.
        let mut tracked: Vec<String> = Vec::new();
        for brand in entities.iter().map(|entity| entity.brand.to_string()) {
            if !tracked.contains(&brand) {
                tracked.push(brand);
            }
        }
        let untracked = UNTRACKED.iter().map(|domain| uuid_of_domain(domain).to_string());
        let mut untracked: Vec<String> = untracked.filter(|brand| !tracked.contains(brand)).collect();
        for _ in 0..1 + rng.below(2) {
            let mut members = Vec::new();
            for _ in 0..2 + rng.below(2) {
                let free = if rng.chance(70) {
                    &mut tracked
                } else {
                    &mut untracked
                };
                if !free.is_empty() {
                    let place = rng.below(u32::try_from(free.len()).unwrap());
                    members.push(free.remove(place as usize));
                }
            }
            if members.len() < 2 {
                return;
            }
            let scope = rng.chance(35).then(|| rng.choose(&self.entities).clone());
            let body = json!({"primaryEntity": rng.choose(&members), "entities": members, "entityId": scope});
            self.world.post(&self.account, "/domain-groups", &body).await.ok();
        }
    }

    /// Makes a random change that keeps old answers: models, tags, a deleted prompt or a new prompt.
    async fn change(&mut self, rng: &mut SeededRng) {
        let (world, account) = (&self.world, &self.account);
        let patch = reqwest::Method::PATCH;
        let prompt = rng.choose(&self.prompts).clone();
        match rng.below(6) {
            0 => {
                let body =
                    json!({"entityId": rng.choose(&self.entities), "models": [rng.choose(&self.models)]});
                let changed = world.send(Some(account), patch, "/entities", Some(&body)).await;
                changed.ok();
            }
            1..=3 => {
                let tags: Vec<&String> = self.tags.iter().filter(|_| rng.chance(60)).collect();
                let body = json!({"promptId": prompt, "tags": tags});
                // A deleted prompt cannot be changed.
                world
                    .send(Some(account), patch, "/entities/updateprompt", Some(&body))
                    .await;
            }
            4 => {
                let delete = reqwest::Method::DELETE;
                let path = format!("/entities/prompts?promptId={prompt}");
                world.send(Some(account), delete, &path, None).await;
            }
            _ => {
                let body = json!({"entityId": rng.choose(&self.entities), "prompt": "Which new one?"});
                let added = world.post(account, "/entities/addprompt", &body).await.ok();
                self.prompts.push(added["promptId"].as_str().unwrap().to_owned());
            }
        }
    }

    async fn check(&mut self, rng: &mut SeededRng, entity: &str) {
        let (world, account) = (&self.world, &self.account);
        let id: EntityId = entity.parse().unwrap();
        let prompts = world.host.store.prompts(&account.tenant, &id).await.unwrap();
        if prompts.iter().any(Prompt::is_asked) {
            let check = record_check(world, account, entity, |plan, cell, at| {
                response(rng, plan, cell, at)
            })
            .await;
            self.checks.push((entity.to_owned(), check));
        }
    }

    /// Reads the stored data from which the expected figures are computed.
    pub(super) async fn data(&self) -> RecordedData {
        let (store, tenant) = (&self.world.host.store, &self.account.tenant);
        let mut responses = Vec::new();
        for (entity, check) in &self.checks {
            let id: EntityId = entity.parse().unwrap();
            for response in store.responses_of(tenant, &id, *check).await.unwrap() {
                let mut recorded = RecordedResponse {
                    entity: id,
                    check: *check,
                    response,
                };
                let whole = store.response(tenant, &recorded.id()).await;
                recorded.response = whole.unwrap().unwrap();
                responses.push(recorded);
            }
        }
        let entities = store.entities(tenant).await.unwrap();
        let mut prompts = BTreeMap::new();
        for entity in &entities {
            prompts.insert(entity.id, store.prompts(tenant, &entity.id).await.unwrap());
        }
        let groups = self.world.get(&self.account, "/domain-groups").await.ok();
        RecordedData {
            responses,
            entities,
            brands: store.brands(tenant).await.unwrap(),
            prompts,
            groups: groups["data"].as_array().unwrap().clone(),
        }
    }
}
