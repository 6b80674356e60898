//! A world whose answers depend only on the day, the prompt and the model, so that two of them have the same
//! history.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use acceptance::{Fault, FaultInjector, ProviderReply, SeededRng, answer, api_event};
use api::ApiState;
use domain::api_key::ApiKey;
use domain::board::Actionable;
use domain::brand::uuid_of_domain;
use domain::entity::EntityUpdate;
use domain::id::EntityId;
use domain::limits::{DEFAULT_FREQUENCY_HOURS, REREADING_LEASE};
use domain::time::{DAY, MINUTE, SECOND};
use domain::webhook::Targets;
use events::Bus;
use local::functions;
use openapi::endpoints::Dependencies;
use providers::Providers;
use serde_json::Value;
use store::{KeySettings, ReplyRecorder, Store};

use crate::checker::fixture::{CheckerFixture, NO_TIME_LIMIT};
use crate::store::groups::new_group;
use crate::store::table::{catalogue, models, new_entity};

/// What answers say. Some name brands that the workspace does not know at first.
const TEXTS: [&str; 14] = [
    "I recommend Acme.",
    "Try Umbra.",
    "Zenith Tools is the best, then Umbra.",
    "Most people use rival.com. I found nothing about Zenith Tools.",
    "Globex is fine.",
    "1. Umbra\n2. Zenith Tools\n3. rival.com",
    "No brand is good.",
    "rival.com beats Acme; see [Umbra](https://umbra.io/a).",
    "Umbra.",
    "See https://rival.com/x about Zenith Tools.",
    "Globex or Umbra.",
    "It depends.",
    "Umbra is for experts.",
    "Nothing comes to mind.",
];
/// The domain that is cited, and that joins a group.
const RIVAL: &str = "rival.com";

/// A name that a workspace learns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    Alias,
    Entity,
    Member,
}

pub(crate) struct Twin {
    pub(crate) fixture: CheckerFixture,
    /// The faults of the checker's calls to the table.
    pub(crate) faults: FaultInjector,
    /// The models whose provider refuses questions for ten minutes because it is busy.
    pub(crate) busy: Arc<Mutex<BTreeSet<String>>>,
    day: Arc<AtomicU32>,
    key: ApiKey,
}

impl Twin {
    /// Starts a world with Acme, three prompts and two models.
    pub(crate) async fn start() -> Self {
        Self::start_with_prompts(3).await
    }

    pub(crate) async fn start_with_prompts(prompts: usize) -> Self {
        let (day, busy) = (
            Arc::new(AtomicU32::new(0)),
            Arc::<Mutex<BTreeSet<String>>>::default(),
        );
        let (today, refused) = (day.clone(), busy.clone());
        let mut fixture = CheckerFixture::start(prompts, move |model: &str, input: &str| {
            if refused.lock().unwrap().contains(model) {
                let mut reply = ProviderReply::error(429, "rate_limit_exceeded");
                reply.retry_after = Some(600);
                // Nobody waits in real time for a start at the rate that this teaches.
                reply.requests_per_minute = Some(u32::MAX);
                return reply;
            }
            let bytes = model.bytes().chain(input.bytes());
            let question: u32 = bytes.map(u32::from).sum();
            let mixed = question.wrapping_mul(31) ^ today.load(Ordering::Relaxed).wrapping_mul(2_654_435_761);
            let text = TEXTS[(mixed >> 7) as usize % TEXTS.len()];
            let cited = ["https://rival.com/a", "https://acme.com/b"];
            answer(text, &cited[..1 + (mixed >> 9) as usize % 2], &["best tool"]).into()
        })
        .await;
        let faults = FaultInjector::default();
        let aws = faults.inject_into(&fixture.table.database.client_config());
        fixture.checker.store = Store::new(&aws, "visibility", fixture.table.clock.clone());
        let rates = KeySettings {
            reads_per_minute: Some(100_000),
            writes_per_minute: Some(100_000),
            ..KeySettings::default()
        };
        let store = &fixture.table.store;
        let key = store.create_key(&fixture.tenant, "test", rates, fixture.table.now());
        let (_, key) = key.await.unwrap().unwrap();
        let cited = [RIVAL.to_owned()].into();
        let today = fixture.table.now().day();
        store
            .record_cited_domains(&fixture.tenant, cited, today)
            .await
            .unwrap();
        Self {
            fixture,
            faults,
            busy,
            day,
            key,
        }
    }

    pub(crate) async fn learn(&self, change: Change) {
        let (store, tenant) = (&self.fixture.table.store, &self.fixture.tenant);
        match change {
            Change::Alias => self.set_aliases(&["Zenith Tools"]).await,
            Change::Entity => {
                let mut new = new_entity(tenant, "umbra.io", 0, &models(1));
                new.start_tracking = false;
                let none = ReplyRecorder::disabled();
                store.create_entity(tenant, &new, None, &none).await.unwrap();
            }
            Change::Member => {
                let acme = self.fixture.read_entity().await.brand;
                let group = new_group(&[acme, uuid_of_domain(RIVAL)], None);
                let none = ReplyRecorder::disabled();
                store.create_group(tenant, &group, &none).await.unwrap();
            }
        }
    }

    pub(crate) async fn set_aliases(&self, aliases: &[&str]) {
        let update = EntityUpdate {
            aliases: Some(aliases.iter().map(|alias| (*alias).to_owned()).collect()),
            ..EntityUpdate::default()
        };
        let (store, fixture) = (&self.fixture.table.store, &self.fixture);
        let catalogue = catalogue();
        let updated = store.update_entity(&fixture.tenant, &fixture.entity, &update, &catalogue);
        updated.await.unwrap();
    }

    /// Runs the check of the day, and everything else that is due.
    pub(crate) async fn run_day(&self) {
        self.fixture.tick().await;
        self.fixture.deliver_published().await;
        let entity = self.fixture.read_entity().await;
        assert_eq!(entity.last_check.unwrap().day, self.fixture.table.now().day());
    }

    pub(crate) fn next_day(&self) {
        self.day.fetch_add(1, Ordering::Relaxed);
        self.fixture.table.advance(DAY);
    }

    pub(crate) async fn is_rereading(&self) -> bool {
        let (tenant, entity) = (&self.fixture.tenant, &self.fixture.entity);
        let store = &self.fixture.table.store;
        store.rereading_progress(tenant, entity).await.unwrap().is_some()
    }

    /// Returns whether the running check has shards to publish. An admission that crashes then can delay
    /// their answers.
    async fn has_shards_to_publish(&self) -> bool {
        let (tenant, entity) = (&self.fixture.tenant, &self.fixture.entity);
        let store = &self.fixture.table.store;
        let Some(running) = self.fixture.read_entity().await.running else {
            return false;
        };
        let check = store.check(tenant, entity, running.check).await.unwrap();
        check.is_some_and(|check| check.shards.ready_shards().next().is_some())
    }

    /// Delivers ticks and events until there is nothing to read again, and makes up to `crashes` steps crash.
    /// `between` runs after each round with its number.
    pub(crate) async fn settle(
        &self,
        rng: &mut SeededRng,
        mut crashes: usize,
        mut between: impl AsyncFnMut(usize),
    ) {
        for round in 0..200 {
            let mut has_crashed = false;
            let mut batches = vec![self.fixture.tick_event(false)];
            while let Some(batch) = batches.pop() {
                let may_crash = crashes > 0
                    && !batch.to_string().contains("ShardReady")
                    && !self.has_shards_to_publish().await;
                if may_crash && self.handle_until_crash(&batch, rng).await {
                    (has_crashed, crashes) = (true, crashes - 1);
                } else if !may_crash {
                    self.fixture.checker.handle(batch, NO_TIME_LIMIT).await.unwrap();
                }
                batches.extend(self.fixture.take_published().await);
            }
            between(round).await;
            let is_idle = self.fixture.read_entity().await.running.is_none() && !self.is_rereading().await;
            if is_idle && !has_crashed && round > 8 {
                return;
            }
            let wait = if has_crashed {
                REREADING_LEASE + SECOND
            } else {
                MINUTE
            };
            self.fixture.table.advance(wait);
        }
        panic!("the rereading does not end");
    }

    /// Handles an event in a process that may die at a random call. Returns whether it died.
    async fn handle_until_crash(&self, event: &Value, rng: &mut SeededRng) -> bool {
        let fault = if rng.chance(50) {
            Fault::CrashBefore
        } else {
            Fault::CrashAfter
        };
        self.handle_until_crash_at(event, rng.below(60), fault).await
    }

    /// Handles an event in a process that dies at its `call`th call, counted from 1. Returns whether it died.
    pub(crate) async fn handle_until_crash_at(&self, event: &Value, call: u32, fault: Fault) -> bool {
        let mut left = call;
        let crashed = self.faults.crashed();
        self.faults.script(move |_| {
            left = left.checked_sub(1).unwrap_or(u32::MAX);
            (left == 0).then_some(fault)
        });
        let died = tokio::select! {
            handled = self.fixture.checker.handle(event.clone(), NO_TIME_LIMIT) => {
                handled.unwrap();
                false
            }
            () = crashed => true,
        };
        self.faults.none();
        self.faults.wait_for_responses().await;
        died
    }

    /// Returns the body of a successful response, with the entities' ids replaced.
    pub(crate) async fn get(&self, path: &str, query: &str) -> Value {
        let table = &self.fixture.table;
        let dependencies = Dependencies {
            api: ApiState {
                store: table.store.clone(),
                clock: table.clock.clone(),
                catalogue: Arc::new(catalogue()),
                cors: Arc::default(),
                known_keys: Arc::default(),
            },
            bus: Bus::new(&table.database.client_config(), "unused"),
            providers: Arc::new(Providers::default()),
            frequency_hours: DEFAULT_FREQUENCY_HOURS,
            webhook_targets: Targets::PublicAndLoopback,
        };
        let mut routes = functions::routes(&dependencies).into_iter();
        let (_, handler) = routes.find(|(route, _)| route == path).unwrap();
        let key = format!("Bearer {}", self.key.reveal());
        let event = api_event("GET", path, query, &[("authorization", &key)], None);
        let response = handler(event).await;
        assert_eq!(response["statusCode"], 200, "{response}");
        let body = response["body"].as_str().unwrap();
        serde_json::from_str(&self.without_ids(body).await).unwrap()
    }

    /// Replaces the ids of the entities by their targets.
    async fn without_ids(&self, text: &str) -> String {
        let store = &self.fixture.table.store;
        let entities = store.entities(&self.fixture.tenant).await.unwrap();
        let mut text = text.to_owned();
        for entity in entities {
            text = text.replace(entity.id.as_str(), &entity.target);
        }
        text
    }

    /// Returns what every endpoint says about Acme.
    pub(crate) async fn figures(&self) -> Vec<(String, Value)> {
        self.filtered_figures("").await
    }

    /// Returns what every endpoint says about Acme, with a filter such as `&models=`.
    pub(crate) async fn filtered_figures(&self, filter: &str) -> Vec<(String, Value)> {
        let id = &self.fixture.entity;
        let today = self.fixture.table.now().day();
        let all = format!("startDate={}&endDate={today}", today.plus_days(-40));
        let mut figures = Vec::new();
        for range in ["period=7d", "period=30d", &all] {
            for path in [
                "/v1/trends/visibility",
                "/v1/trends/citations",
                "/v1/trends/compare",
                "/v1/entities/citations",
                "/v1/query-fanouts",
                "/v1/entities/competitors",
                "/v1/entities/prompts",
                "/v1/responses",
            ] {
                let paged = !path.starts_with("/v1/trends") && path != "/v1/entities/prompts";
                let page = if paged { "&limit=100" } else { "" };
                let query = format!("entityId={id}&{range}{page}{filter}");
                let mut found = self.get(path, &query).await;
                for prompt in found["data"].as_array_mut().into_iter().flatten() {
                    // Prompts were created at the same time, but their entity may have been changed later.
                    prompt.as_object_mut().unwrap().remove("updatedAt");
                }
                figures.push((format!("{path}?{range}"), found));
            }
        }
        figures
    }

    /// Returns the details of some responses of each check.
    pub(crate) async fn details(&self) -> Vec<(String, Value)> {
        let (store, tenant, id) = (
            &self.fixture.table.store,
            &self.fixture.tenant,
            &self.fixture.entity,
        );
        let last = self.fixture.read_entity().await.last_check.unwrap();
        let mut details = Vec::new();
        for check in 1..=last.check.get() {
            let record = store.check(tenant, id, check.into()).await.unwrap().unwrap();
            let query = format!(
                "responseId={}",
                domain::id::ResponseId {
                    entity: *id,
                    day: record.day(),
                    check: record.check,
                    prompt: (1 + check % 3).into(),
                    model: (check % 2).into(),
                }
            );
            let found = self.get("/v1/responses/details", &query).await;
            details.push((format!("details {check}"), found));
        }
        details
    }

    /// Returns the active recommendations as JSON, without what depends on when they were made.
    pub(crate) async fn recommendations(&self) -> Vec<(String, Value)> {
        let (tenant, id): (_, &EntityId) = (&self.fixture.tenant, &self.fixture.entity);
        let board = self.fixture.table.store.board(tenant, id).await.unwrap();
        let mut found = Vec::new();
        for actionable in board.actionables.iter().filter(|a: &&Actionable| a.is_active()) {
            let text = serde_json::to_string(&actionable.recommendation).unwrap();
            let shown = serde_json::from_str(&self.without_ids(&text).await).unwrap();
            let fingerprint = serde_json::to_string(&actionable.fingerprint).unwrap();
            found.push((fingerprint, shown));
        }
        found
    }
}
