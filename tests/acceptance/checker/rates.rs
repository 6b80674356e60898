//! After a provider has throttled a request, all workers ask it at the rate that was learnt.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use acceptance::{Fault, ProviderReply};
use domain::answer::ResponseState;
use domain::limits::{MIN_PROVIDER_HOLD, RATE_JITTER, RATE_RECOVERY};
use domain::provider_rate::{ProviderRate, RateKey};
use domain::time::{MILLISECOND, MINUTE, SECOND};
use providers::Providers;
use serde_json::Value;

use super::fixture::{CheckerFixture, FIRST_CHECK, default_answer};
use crate::store::table::NOON;

/// The questions to each model, in two shards.
const QUESTIONS: usize = 27;

/// A provider that throttles the requests to its model `small` until it is calm.
struct Scenario {
    fixture: CheckerFixture,
    is_calm: Arc<AtomicBool>,
}

fn throttled(retry_after: u64, requests_per_minute: u32) -> ProviderReply {
    ProviderReply {
        retry_after: Some(retry_after),
        requests_per_minute: Some(requests_per_minute),
        ..ProviderReply::error(429, "rate_limit_exceeded")
    }
}

impl Scenario {
    /// Starts a check. Returns the events of the shards of the model `small` and of the model `large`.
    async fn start(retry_after: u64, requests_per_minute: u32) -> (Self, [Vec<Value>; 2]) {
        let is_calm = Arc::new(AtomicBool::new(false));
        let calm = is_calm.clone();
        let fixture = CheckerFixture::start(QUESTIONS, move |model: &str, input: &str| {
            if model == "large" || calm.load(Ordering::Relaxed) {
                default_answer(model, input).into()
            } else {
                throttled(retry_after, requests_per_minute)
            }
        })
        .await;
        let mut shards = fixture.claim_due_check().await;
        assert_eq!(shards.len(), 4);
        let large = shards.split_off(2);
        (Self { fixture, is_calm }, [shards, large])
    }

    fn calm_down(&self) {
        self.is_calm.store(true, Ordering::Relaxed);
    }

    async fn rate(&self) -> Option<ProviderRate> {
        let providers = Providers::from_lookup(self.fixture.provider.lookup());
        let key = RateKey {
            provider: "openai".to_owned(),
            key_fingerprint: providers.get("openai").unwrap().key_fingerprint().await,
            model: "small".to_owned(),
        };
        self.fixture.table.store.provider_rate(&key).await.unwrap()
    }

    /// Advances time, then handles a tick and the events that it publishes. Returns how often the provider
    /// was asked.
    async fn advance(&self, time: Duration) -> usize {
        let before = self.fixture.ask_count();
        self.fixture.table.advance(time);
        self.fixture.tick().await;
        self.fixture.deliver_published().await;
        self.fixture.ask_count() - before
    }

    async fn assert_all_answered(&self) {
        let responses = self.fixture.audit().await;
        assert_eq!(responses.len(), 2 * QUESTIONS);
        assert!(responses.iter().all(|r| r.state == ResponseState::Answered));
    }
}

#[tokio::test]
async fn after_a_throttled_request_other_workers_wait_until_the_provider_accepts_more() {
    let (scenario, [small, large]) = Scenario::start(60, 1_200).await;
    let fixture = &scenario.fixture;
    assert_eq!(fixture.deliver(&small[0]).await, 0);
    let asked = fixture.ask_count();
    assert!((1..=8).contains(&asked), "{asked}");
    assert_eq!(scenario.rate().await.unwrap().held_until, NOON + MINUTE);

    assert_eq!(fixture.deliver(&small[1]).await, 0);
    assert_eq!(fixture.ask_count(), asked, "another worker asks nothing");
    let store = &fixture.table.store;
    let stored = store.shards(&fixture.tenant, &fixture.entity, FIRST_CHECK).await;
    let waiting = stored.unwrap().remove(1);
    let not_before = waiting.not_before.unwrap();
    assert!((NOON + MINUTE..=NOON + MINUTE + RATE_JITTER).contains(&not_before));
    assert!(waiting.asks.values().all(|times| *times == 0));
    assert_eq!(waiting.problem.unwrap().reason, "the rate limit is reached");
    for shard in &large {
        assert_eq!(fixture.deliver(shard).await, 0);
    }
    assert_eq!(
        fixture.ask_count() - asked,
        QUESTIONS,
        "another model is not affected"
    );

    scenario.calm_down();
    assert_eq!(scenario.advance(MINUTE - MILLISECOND).await, 0);
    scenario.advance(RATE_JITTER).await;
    scenario.advance(RATE_JITTER).await;
    scenario.assert_all_answered().await;
    let rate = scenario.rate().await.unwrap();
    assert_eq!(rate.limit, Some(1_200.0));
    assert_eq!(rate.started as usize, QUESTIONS, "each start was reserved");
}

#[tokio::test]
async fn a_worker_that_cannot_reserve_a_start_waits_if_the_provider_is_known_to_throttle() {
    let (scenario, [small, large]) = Scenario::start(60, 1_200).await;
    let fixture = &scenario.fixture;
    let breaks_rates = || {
        let faults = &fixture.table.faults;
        faults.script(|call| {
            let is_rate = call.operation == "PutItem" && call.request.to_string().contains("heldUntil");
            is_rate.then_some(Fault::Unreachable)
        });
    };
    breaks_rates();
    assert_eq!(fixture.deliver(&large[0]).await, 0);
    assert_eq!(
        fixture.ask_count(),
        QUESTIONS - 2,
        "a model that throttles nothing needs no reservation"
    );
    fixture.table.faults.none();
    assert_eq!(fixture.deliver(&small[0]).await, 0);
    fixture.table.advance(MINUTE);
    let asked = fixture.ask_count();
    breaks_rates();
    assert_eq!(fixture.deliver(&small[1]).await, 0);
    assert_eq!(fixture.ask_count(), asked);
    fixture.table.faults.none();

    scenario.calm_down();
    fixture.deliver(&large[1]).await;
    for _ in 0..3 {
        scenario.advance(RATE_JITTER + MINUTE).await;
    }
    scenario.assert_all_answered().await;
}

#[tokio::test]
async fn a_question_that_was_throttled_is_asked_again_in_its_turn() {
    let (scenario, [small, _]) = Scenario::start(1, 600).await;
    let fixture = &scenario.fixture;
    let began = Instant::now();
    let calms_down = async {
        while fixture.ask_count() < 2 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        scenario.calm_down();
    };
    // The second shard has two questions.
    let (returned, ()) = futures::join!(fixture.deliver(&small[1]), calms_down);
    assert_eq!(returned, 0);
    assert!(began.elapsed() >= MIN_PROVIDER_HOLD);
    let asks: Vec<Instant> = fixture.asks.lock().unwrap().iter().map(|ask| ask.0).collect();
    assert_eq!(asks.len(), 4, "each question once more");
    // At 540 requests per minute, the interval is 111 ms. A request can arrive late on a busy machine, but
    // never early.
    assert!(asks[3] - asks[0] >= MIN_PROVIDER_HOLD + 111 * MILLISECOND);
}

#[tokio::test]
async fn a_lifted_limit_costs_nothing_any_more() {
    let (scenario, [small, _]) = Scenario::start(60, 30).await;
    for shard in &small {
        assert_eq!(scenario.fixture.deliver(shard).await, 0);
    }
    scenario.calm_down();
    let learnt = scenario.rate().await;
    let began = Instant::now();
    scenario.advance(RATE_RECOVERY + MINUTE).await;
    assert!(began.elapsed() < 20 * SECOND, "not two seconds apart");
    scenario.assert_all_answered().await;
    assert_eq!(scenario.rate().await, learnt, "nothing is reserved");
}

#[tokio::test]
async fn a_provider_that_throttles_nothing_has_no_record() {
    let (scenario, shards) = Scenario::start(60, 30).await;
    scenario.calm_down();
    for shard in shards.iter().flatten() {
        assert_eq!(scenario.fixture.deliver(shard).await, 0);
    }
    scenario.fixture.deliver_published().await;
    scenario.assert_all_answered().await;
    assert_eq!(scenario.rate().await, None);
}
