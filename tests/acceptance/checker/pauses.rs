//! When a provider's quota is used up or its key is invalid, no workspace asks it.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use acceptance::ProviderReply;
use domain::answer::ResponseState;
use domain::check::{CheckState, Response, Shard};
use domain::entity::Entity;
use domain::id::EntityId;
use domain::limits::{CHECK_DEADLINE, PAUSE_JITTER, PROVIDER_PAUSE};
use domain::pause::ProviderPause;
use domain::prompt::PromptText;
use domain::time::{MILLISECOND, MINUTE};
use serde_json::Value;
use store::{ReplyRecorder, Tenant};

use super::fixture::{CREDITS, CheckerFixture, FIRST_CHECK, default_answer, first_check};
use crate::store::table::{NOON, models, new_entity};

type Script = Box<dyn Fn(&str, &str) -> ProviderReply + Send>;

/// Two workspaces with one due entity each, and a provider that rejects the account until the script changes.
pub(super) struct PauseScenario {
    pub(super) fixture: CheckerFixture,
    entities: [(Tenant, EntityId); 2],
    script: Arc<Mutex<Script>>,
}

pub(super) fn quota_error(_model: &str, _input: &str) -> ProviderReply {
    ProviderReply::error(429, "insufficient_quota")
}

pub(super) fn successful_reply(model: &str, input: &str) -> ProviderReply {
    default_answer(model, input).into()
}

impl PauseScenario {
    pub(super) async fn start(prompts: usize) -> Self {
        let script = Arc::new(Mutex::new(Box::new(quota_error) as Script));
        let set_script = script.clone();
        let fixture = CheckerFixture::start(prompts, move |model: &str, input: &str| {
            set_script.lock().unwrap()(model, input)
        })
        .await;
        let tenant = fixture.table.tenant(CREDITS).await;
        let mut other = new_entity(&tenant, "other.com", prompts, &models(2));
        for prompt in &mut other.prompts {
            prompt.text = PromptText::parse("prompt", &format!("Other {}", prompt.text.as_str())).unwrap();
        }
        let (store, once) = (&fixture.table.store, ReplyRecorder::disabled());
        let created = store.create_entity(&tenant, &other, None, &once).await;
        let entity = created.unwrap().entity.id;
        let entities = [(fixture.tenant.clone(), fixture.entity), (tenant, entity)];
        Self {
            fixture,
            entities,
            script,
        }
    }

    /// Sets the script that the provider follows from now on.
    pub(super) fn set_script(&self, script: impl Fn(&str, &str) -> ProviderReply + Send + 'static) {
        *self.script.lock().unwrap() = Box::new(script);
    }

    pub(super) async fn pause(&self) -> Option<ProviderPause> {
        self.fixture.table.store.provider_pause("openai").await.unwrap()
    }

    /// Returns the shards of both entities.
    pub(super) async fn shards(&self) -> Vec<Shard> {
        let mut shards = Vec::new();
        for (tenant, entity) in &self.entities {
            let store = &self.fixture.table.store;
            shards.extend(store.shards(tenant, entity, FIRST_CHECK).await.unwrap());
        }
        shards
    }

    /// Returns the responses of both entities.
    pub(super) async fn responses(&self) -> Vec<Response> {
        let mut responses = Vec::new();
        for (tenant, entity) in &self.entities {
            let store = &self.fixture.table.store;
            responses.extend(store.responses_of(tenant, entity, first_check()).await.unwrap());
        }
        responses
    }

    pub(super) async fn read_entity(&self) -> [Entity; 2] {
        let [(a, of_a), (b, of_b)] = &self.entities;
        let table = &self.fixture.table;
        [table.read_entity(a, of_a).await, table.read_entity(b, of_b).await]
    }

    /// Advances time, then handles a tick and the events that it publishes. Returns how often the provider
    /// was asked.
    pub(super) async fn advance_and_deliver(&self, time: Duration) -> usize {
        let before = self.fixture.ask_count();
        self.fixture.table.advance(time);
        self.fixture.tick().await;
        self.fixture.deliver_published().await;
        self.fixture.ask_count() - before
    }

    /// Advances time, then handles a tick and returns the events that it publishes, except those of interim
    /// folds.
    pub(super) async fn advance_and_tick(&self, time: Duration) -> Vec<Value> {
        self.fixture.table.advance(time);
        self.fixture.tick().await;
        let mut published = self.fixture.take_published().await;
        published.retain(|batch| !batch.to_string().contains("FoldDue"));
        published
    }

    /// Advances time until both checks have ended, for at most `minutes`. Returns how often the provider was
    /// asked.
    pub(super) async fn run_until_ended(&self, minutes: usize) -> usize {
        let mut asked = 0;
        for _ in 0..minutes {
            asked += self.advance_and_deliver(MINUTE).await;
            if self
                .read_entity()
                .await
                .iter()
                .all(|entity| entity.running.is_none())
            {
                return asked;
            }
        }
        panic!("the checks do not end");
    }
}

#[tokio::test]
async fn a_paused_provider_is_asked_by_no_shard_of_any_workspace() {
    for (status, code) in [(429, "insufficient_quota"), (401, "invalid_api_key")] {
        let scenario = PauseScenario::start(27).await;
        scenario.set_script(move |_, _| ProviderReply::error(status, code));
        let asked = scenario.advance_and_deliver(Duration::ZERO).await;
        assert!((1..=8).contains(&asked), "one shard's questions: {asked}");
        let pause = scenario.pause().await.unwrap();
        let until = NOON + PROVIDER_PAUSE;
        assert_eq!((pause.since, pause.until), (NOON, until));
        assert!(pause.reason.contains(code), "{}", pause.reason);
        let shards = scenario.shards().await;
        assert_eq!(shards.len(), 8);
        let looks: BTreeSet<_> = shards.iter().filter_map(|shard| shard.not_before).collect();
        assert!(*looks.first().unwrap() >= until && *looks.last().unwrap() <= until + PAUSE_JITTER);
        assert!(looks.len() > 1, "not all at once");
        for shard in shards {
            assert_eq!(shard.problem, Some(pause.problem()));
            assert!(shard.asks.values().all(|times| *times == 0), "nothing was taken");
        }
        for _ in 0..14 {
            assert_eq!(scenario.advance_and_deliver(MINUTE).await, 0);
        }
        assert_eq!(
            scenario.advance_and_deliver(MINUTE - MILLISECOND).await,
            0,
            "not before its end"
        );
    }
}

#[tokio::test]
async fn shards_that_are_refused_concurrently_create_one_pause() {
    let scenario = PauseScenario::start(27).await;
    let claimed = scenario.advance_and_tick(Duration::ZERO).await;
    for batch in &claimed {
        scenario.fixture.deliver(batch).await;
    }
    let shards = scenario.fixture.take_published().await;
    assert_eq!(shards.len(), 8);
    let all = shards.iter().map(|batch| scenario.fixture.deliver(batch));
    assert_eq!(futures::future::join_all(all).await.into_iter().sum::<usize>(), 0);
    let pause = scenario.pause().await.unwrap();
    assert_eq!((pause.since, pause.until), (NOON, NOON + PROVIDER_PAUSE));
    let problems = scenario.shards().await.into_iter().map(|shard| shard.problem);
    assert!(problems.eq(std::iter::repeat_n(Some(pause.problem()), 8)));
}

#[tokio::test]
async fn each_pause_in_a_row_lasts_a_quarter_of_an_hour_and_ends_with_one_question_of_the_services_own() {
    let scenario = PauseScenario::start(27).await;
    scenario.advance_and_deliver(Duration::ZERO).await;
    for _ in 0..4 {
        for _ in 0..14 {
            assert_eq!(scenario.advance_and_deliver(MINUTE).await, 0);
        }
        let asked = scenario.advance_and_deliver(MINUTE + PAUSE_JITTER).await;
        assert_eq!(asked, 1, "one question");
        let (_, model, input) = scenario.fixture.asks.lock().unwrap().last().cloned().unwrap();
        assert_eq!(
            (model.as_str(), input.contains("Question")),
            ("small", false),
            "no customer's: {input}"
        );
        let pause = scenario.pause().await.unwrap();
        let until = scenario.fixture.table.now() + PROVIDER_PAUSE;
        assert_eq!((pause.since, pause.until, pause.probe), (NOON, until, None));
    }
}

#[tokio::test]
async fn questions_to_a_paused_provider_that_are_open_at_the_deadline_fail_with_the_reason() {
    let scenario = PauseScenario::start(27).await;
    scenario.advance_and_deliver(Duration::ZERO).await;
    let asked = scenario.run_until_ended(121).await;
    assert_eq!(asked, 7, "a probe at the tick after each pause of 15 minutes");
    assert_eq!(scenario.fixture.table.now(), NOON + CHECK_DEADLINE);
    let responses = scenario.fixture.audit().await;
    assert_eq!(responses.len(), 54);
    for response in responses {
        assert_eq!(response.state, ResponseState::Failed);
        let reason = response.reason.unwrap();
        assert!(reason.contains("quota is used up"), "{reason}");
    }
    assert_eq!(scenario.fixture.check_state().await, CheckState::Partial);
    for entity in scenario.read_entity().await {
        let reasons: Vec<&str> = entity.problems.iter().map(|p| p.reason.as_str()).collect();
        assert_eq!(reasons.len(), 2, "one per model");
        assert!(
            reasons.iter().all(|reason| reason.contains("quota is used up")),
            "{reasons:?}"
        );
    }
    assert_eq!(scenario.pause().await.unwrap().since, NOON);

    // The next day the pause is over. One question probes the provider, and all checks succeed.
    scenario.set_script(successful_reply);
    scenario.fixture.table.advance(22 * 60 * MINUTE);
    scenario.run_until_ended(5).await;
    assert_eq!(scenario.pause().await, None);
    for entity in scenario.read_entity().await {
        assert_eq!(entity.last_check.unwrap().check.get(), 2);
        assert!(entity.problems.is_empty(), "{:?}", entity.problems);
    }
}
