//! A provider whose quota is used up or whose key is refused is left alone by everybody.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use acceptance::ProviderReply;
use domain::answer::State;
use domain::check::{CheckState, Response, Shard};
use domain::entity::Entity;
use domain::id::EntityId;
use domain::limits::{CHECK_DEADLINE, LONG_PROVIDER_PAUSE, PAUSE_JITTER, PROVIDER_PAUSE};
use domain::pause::Pause;
use domain::prompt::PromptText;
use domain::time::{MILLISECOND, MINUTE};
use serde_json::Value;
use store::{Idempotent, Tenant};

use super::bench::{Bench, CREDITS, plain};
use crate::store::table::{NOON, models, new_entity};

type Script = Box<dyn Fn(&str, &str) -> ProviderReply + Send>;

/// Two workspaces with an entity each, both due; a provider that refuses the account until it is told otherwise.
pub(super) struct Scene {
    pub(super) bench: Bench,
    entities: [(Tenant, EntityId); 2],
    script: Arc<Mutex<Script>>,
}

pub(super) fn no_quota(_model: &str, _input: &str) -> ProviderReply {
    ProviderReply::error(429, "insufficient_quota")
}

pub(super) fn good(model: &str, input: &str) -> ProviderReply {
    plain(model, input).into()
}

impl Scene {
    pub(super) async fn start(prompts: usize) -> Self {
        let script = Arc::new(Mutex::new(Box::new(no_quota) as Script));
        let says = script.clone();
        let bench = Bench::start(prompts, move |model: &str, input: &str| {
            says.lock().unwrap()(model, input)
        })
        .await;
        let tenant = bench.table.tenant(CREDITS).await;
        let mut other = new_entity(&tenant, "other.com", prompts, &models(2));
        for prompt in &mut other.prompts {
            prompt.text = PromptText::parse("prompt", &format!("Other {}", prompt.text.as_str())).unwrap();
        }
        let (store, once) = (&bench.table.store, Idempotent::none());
        let created = store.create_entity(&tenant, &other, None, &once).await;
        let entity = created.unwrap().entity.id;
        let entities = [(bench.tenant.clone(), bench.entity.clone()), (tenant, entity)];
        Self {
            bench,
            entities,
            script,
        }
    }

    /// From now on the provider replies so.
    pub(super) fn says(&self, script: impl Fn(&str, &str) -> ProviderReply + Send + 'static) {
        *self.script.lock().unwrap() = Box::new(script);
    }

    pub(super) async fn pause(&self) -> Option<Pause> {
        self.bench.table.store.provider_pause("openai").await.unwrap()
    }

    /// Both entities' shards.
    pub(super) async fn shards(&self) -> Vec<Shard> {
        let mut shards = Vec::new();
        for (tenant, entity) in &self.entities {
            shards.extend(self.bench.table.store.shards(tenant, entity, 1).await.unwrap());
        }
        shards
    }

    /// Both entities' responses.
    pub(super) async fn responses(&self) -> Vec<Response> {
        let mut responses = Vec::new();
        for (tenant, entity) in &self.entities {
            let store = &self.bench.table.store;
            responses.extend(store.responses_of(tenant, entity, NOON.day(), 1).await.unwrap());
        }
        responses
    }

    pub(super) async fn seen(&self) -> [Entity; 2] {
        let [(a, of_a), (b, of_b)] = &self.entities;
        let table = &self.bench.table;
        [table.seen(a, of_a).await, table.seen(b, of_b).await]
    }

    /// Lets time pass, then a tick and what it publishes. How often the provider was asked.
    pub(super) async fn later(&self, time: Duration) -> usize {
        let before = self.bench.asked_in_all();
        self.bench.table.pass(time);
        self.bench.tick().await;
        self.bench.run().await;
        self.bench.asked_in_all() - before
    }

    /// Lets time pass, then a tick. What it publishes.
    pub(super) async fn ready(&self, time: Duration) -> Vec<Value> {
        self.bench.table.pass(time);
        self.bench.tick().await;
        self.bench.published().await
    }

    /// Lets time pass until both checks have ended, at most so many minutes. How often the provider was asked.
    pub(super) async fn to_the_end(&self, minutes: usize) -> usize {
        let mut asked = 0;
        for _ in 0..minutes {
            asked += self.later(MINUTE).await;
            if self.seen().await.iter().all(|entity| entity.running.is_none()) {
                return asked;
            }
        }
        panic!("the checks do not end");
    }
}

#[tokio::test]
async fn a_paused_provider_is_asked_by_no_shard_of_any_workspace() {
    for (status, code) in [(429, "insufficient_quota"), (401, "invalid_api_key")] {
        let scene = Scene::start(27).await;
        scene.says(move |_, _| ProviderReply::error(status, code));
        let asked = scene.later(Duration::ZERO).await;
        assert!((1..=8).contains(&asked), "one shard's questions: {asked}");
        let pause = scene.pause().await.unwrap();
        let until = NOON + PROVIDER_PAUSE;
        assert_eq!((pause.count, pause.since, pause.until), (1, NOON, until));
        assert!(pause.reason.contains(code), "{}", pause.reason);
        let shards = scene.shards().await;
        assert_eq!(shards.len(), 8);
        let looks: BTreeSet<_> = shards.iter().filter_map(|shard| shard.not_before).collect();
        assert!(*looks.first().unwrap() >= until && *looks.last().unwrap() <= until + PAUSE_JITTER);
        assert!(looks.len() > 1, "not all at once");
        for shard in shards {
            assert_eq!(shard.problem, Some(pause.problem()));
            assert!(shard.asks.values().all(|times| *times == 0), "nothing was taken");
        }
        for _ in 0..14 {
            assert_eq!(scene.later(MINUTE).await, 0);
        }
        assert_eq!(scene.later(MINUTE - MILLISECOND).await, 0, "not before its end");
    }
}

#[tokio::test]
async fn shards_that_are_refused_at_once_make_one_pause() {
    let scene = Scene::start(27).await;
    let claimed = scene.ready(Duration::ZERO).await;
    for batch in &claimed {
        scene.bench.deliver(batch).await;
    }
    let shards = scene.bench.published().await;
    assert_eq!(shards.len(), 8);
    let all = shards.iter().map(|batch| scene.bench.deliver(batch));
    assert_eq!(futures::future::join_all(all).await.into_iter().sum::<usize>(), 0);
    let pause = scene.pause().await.unwrap();
    assert_eq!((pause.count, pause.until), (1, NOON + PROVIDER_PAUSE));
    let problems = scene.shards().await.into_iter().map(|shard| shard.problem);
    assert!(problems.eq(std::iter::repeat_n(Some(pause.problem()), 8)));
}

#[tokio::test]
async fn the_third_pause_in_a_row_lasts_an_hour_and_each_is_probed_by_one_question() {
    let scene = Scene::start(27).await;
    scene.later(Duration::ZERO).await;
    for (count, length) in [(2, PROVIDER_PAUSE), (3, LONG_PROVIDER_PAUSE)] {
        assert_eq!(
            scene.later(PROVIDER_PAUSE + PAUSE_JITTER).await,
            1,
            "one question"
        );
        let pause = scene.pause().await.unwrap();
        let until = scene.bench.table.now() + length;
        assert_eq!((pause.count, pause.since, pause.until), (count, NOON, until));
        assert_eq!(pause.probe, None);
    }
    for _ in 0..59 {
        assert_eq!(scene.later(MINUTE).await, 0);
    }
    assert_eq!(scene.later(MINUTE + PAUSE_JITTER).await, 1);
    let pause = scene.pause().await.unwrap();
    let until = scene.bench.table.now() + LONG_PROVIDER_PAUSE;
    assert_eq!((pause.count, pause.until), (4, until));
}

#[tokio::test]
async fn what_is_open_at_the_deadline_of_a_paused_provider_is_failed_with_the_reason() {
    let scene = Scene::start(27).await;
    scene.later(Duration::ZERO).await;
    let asked = scene.to_the_end(121).await;
    assert_eq!(asked, 3, "the probes after 15, 30 and 90 minutes");
    assert_eq!(scene.bench.table.now(), NOON + CHECK_DEADLINE);
    let responses = scene.bench.audit().await;
    assert_eq!(responses.len(), 54);
    for response in responses {
        assert_eq!(response.state, State::Failed);
        let reason = response.reason.unwrap();
        assert!(reason.contains("quota is used up"), "{reason}");
    }
    assert_eq!(scene.bench.check_state().await, CheckState::Partial);
    for entity in scene.seen().await {
        let reasons: Vec<&str> = entity.problems.iter().map(|p| p.reason.as_str()).collect();
        assert_eq!(reasons.len(), 2, "one per model");
        assert!(
            reasons.iter().all(|reason| reason.contains("quota is used up")),
            "{reasons:?}"
        );
    }
    assert_eq!(scene.pause().await.unwrap().count, 4);

    // The next day the pause is over: one question probes, and all is well.
    scene.says(good);
    scene.bench.table.pass(22 * 60 * MINUTE);
    scene.to_the_end(5).await;
    assert_eq!(scene.pause().await, None);
    for entity in scene.seen().await {
        assert_eq!(entity.last_check.unwrap().check, 2);
        assert!(entity.problems.is_empty(), "{:?}", entity.problems);
    }
}
