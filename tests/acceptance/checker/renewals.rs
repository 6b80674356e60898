//! A lease is renewed while the provider answers. In these tests time stands still unless a test advances it.

use std::pin::pin;
use std::sync::mpsc;
use std::time::Duration;

use acceptance::{AwsCall, Fault, ProviderReply};
use domain::answer::ResponseState;
use domain::check::ShardState;
use domain::limits::{LEASE, LEASE_RENEWAL};
use serde_json::Value;
use tokio::time::Instant;

use super::fixture::{CheckerFixture, FIRST_CHECK, default_answer, prompt_number};

/// The time that an answer takes, which is long enough for one renewal.
const ANSWER_DELAY: Duration = Duration::from_secs(60);
const STEP: Duration = Duration::from_millis(250);

/// Stops the runtime's time until it is dropped. A paused tokio clock would otherwise advance whenever the
/// runtime is idle.
struct PausedClock(Option<mpsc::Sender<()>>);

impl PausedClock {
    fn start() -> Self {
        tokio::time::pause();
        let (sender, receiver) = mpsc::channel::<()>();
        // Tokio does not advance a paused clock while a blocking task runs.
        tokio::task::spawn_blocking(move || receiver.recv().is_err());
        Self(Some(sender))
    }

    fn end(mut self) {
        tokio::time::resume();
        self.0.take();
    }
}

/// Advances time a little and waits for all calls in flight.
async fn step(fixture: &CheckerFixture) {
    tokio::time::advance(STEP).await;
    let is_under_way = |call: &AwsCall| call.ended.is_none();
    let mut turns = 0;
    while turns < 4 || fixture.table.faults.calls().iter().any(is_under_way) {
        std::thread::sleep(Duration::from_millis(1));
        tokio::task::yield_now().await;
        turns += 1;
        assert!(turns < 20_000, "a call does not end");
    }
}

/// Delivers a batch and advances time until the delivery ends, for at most two minutes. Calls `at` with each
/// elapsed second.
async fn deliver(fixture: &CheckerFixture, batch: &Value, mut at: impl AsyncFnMut(u64)) -> usize {
    let start = Instant::now();
    let mut delivery = pin!(fixture.deliver(batch));
    let mut seconds = 0;
    while start.elapsed() < ANSWER_DELAY * 2 {
        tokio::select! {
            given_back = &mut delivery => return given_back,
            () = step(fixture) => {}
        }
        while seconds < start.elapsed().as_secs() {
            seconds += 1;
            at(seconds).await;
        }
    }
    panic!("the worker does not end");
}

fn is_renewal(call: &AwsCall) -> bool {
    call.request["UpdateExpression"] == "SET #leaseUntil = :until"
}

async fn slow_provider(prompts: usize) -> (CheckerFixture, Vec<Value>) {
    let fixture = CheckerFixture::start(prompts, |model: &str, input: &str| {
        let is_slow = model == "small" && prompt_number(input) <= 8;
        ProviderReply::from(default_answer(model, input)).after(if is_slow {
            ANSWER_DELAY
        } else {
            Duration::ZERO
        })
    })
    .await;
    let shards = fixture.claim_due_check().await;
    (fixture, shards)
}

#[tokio::test]
async fn a_lease_renewal_that_fails_temporarily_loses_no_answer() {
    for fault in [Fault::Throttled, Fault::Unreachable, Fault::ServerError] {
        let (fixture, shards) = slow_provider(3).await;
        let mut refused = 0;
        fixture.table.faults.script(move |call| {
            // Two renewals fail, each with the SDK's own retries.
            refused += usize::from(is_renewal(call));
            (is_renewal(call) && refused <= 6).then_some(fault)
        });
        fixture.table.faults.take();
        let paused_clock = PausedClock::start();
        assert_eq!(deliver(&fixture, &shards[0], async |_| {}).await, 0, "{fault:?}");
        paused_clock.end();
        let renewals: Vec<AwsCall> = fixture.table.faults.calls();
        let renewals: Vec<&AwsCall> = renewals.iter().filter(|c| is_renewal(c)).collect();
        let renewed = renewals.iter().filter(|c| c.took_effect()).count();
        assert!(renewals.len() > 6 && renewed == 1, "{fault:?}: {renewals:?}");
        let shard = fixture
            .table
            .store
            .shards(&fixture.tenant, &fixture.entity, FIRST_CHECK)
            .await;
        assert_eq!(shard.unwrap()[0].state, ShardState::Done, "{fault:?}");

        fixture.deliver(&shards[1]).await;
        fixture.deliver_published().await;
        let responses = fixture.audit().await;
        assert!(
            responses.iter().all(|r| r.state == ResponseState::Answered),
            "{fault:?}"
        );
        assert!(
            fixture.provider.asked().values().all(|times| *times == 1),
            "{fault:?}"
        );
    }
}

#[tokio::test]
async fn a_worker_that_lost_its_lease_records_its_answers_and_asks_nothing_more() {
    let (fixture, shards) = slow_provider(20).await;
    let paused_clock = PausedClock::start();
    let taken_over = async |seconds: u64| {
        if seconds == 10 {
            fixture.table.advance(LEASE);
            let lease = fixture
                .table
                .lease(&fixture.tenant, &fixture.entity, 1.into(), 0)
                .await;
            assert!(lease.unwrap().progress.recorded.is_empty());
        }
        // It learns about the loss at its next renewal.
        if seconds > 10 && seconds < LEASE_RENEWAL.as_secs() {
            assert_eq!(fixture.asks.lock().unwrap().len(), 8);
        }
    };
    assert_eq!(deliver(&fixture, &shards[0], taken_over).await, 0);
    paused_clock.end();
    assert_eq!(fixture.asks.lock().unwrap().len(), 8);
    assert_eq!(fixture.responses().await.len(), 8, "they are paid for");

    // The worker that took the shard over crashes, and the next one asks the remaining questions.
    fixture.table.advance(LEASE);
    for shard in &shards {
        assert_eq!(fixture.deliver(shard).await, 0);
    }
    fixture.deliver_published().await;
    let responses = fixture.audit().await;
    assert!(responses.iter().all(|r| r.state == ResponseState::Answered));
    assert!(fixture.provider.asked().values().all(|times| *times == 1));
}
