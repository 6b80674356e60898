//! Another worker takes a shard over after a failure, a lost lease, or the end of an invocation.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use acceptance::{AwsCall, Fault, ProviderReply};
use domain::answer::ResponseState;
use domain::check::{Shard, ShardState};
use domain::clock::Clock;
use domain::limits::{LEASE, MAX_QUESTION_DURATION};
use domain::time::{MILLISECOND, SECOND, Timestamp};
use local::testing::FixedClock;
use serde_json::Value;

use super::fixture::{CheckerFixture, FIRST_CHECK, NO_TIME_LIMIT, default_answer, prompt_number};
use crate::store::table::answered;

/// Returns whether the call records responses.
fn records_responses(call: &AwsCall) -> bool {
    let is_response = |action: &Value| {
        let pk = action["Put"]["Item"]["PK"]["S"].as_str();
        pk.is_some_and(|pk| pk.contains("#R#"))
    };
    let actions = call.request["TransactItems"].as_array();
    actions.is_some_and(|actions| actions.iter().any(is_response))
}

impl CheckerFixture {
    /// Claims and plans the check, and returns the events of its shards.
    async fn plan_check(&self) -> Vec<Value> {
        self.tick().await;
        let claimed = self.take_published().await.remove(0);
        assert_eq!(self.deliver(&claimed).await, 0);
        self.take_published().await
    }

    async fn shards(&self) -> Vec<Shard> {
        let store = &self.table.store;
        let shards = store.shards(&self.tenant, &self.entity, FIRST_CHECK).await;
        shards.unwrap()
    }

    /// Delivers a batch to an invocation that is killed at `ends`.
    async fn deliver_until(&self, batch: &Value, ends: Timestamp) {
        let result = self.checker.handle(batch.clone(), ends).await.unwrap();
        assert_eq!(result["batchItemFailures"], serde_json::json!([]));
    }
}

#[tokio::test]
async fn a_worker_that_fails_releases_its_shard_for_the_next_attempt() {
    let fixture = CheckerFixture::start(20, |model: &str, input: &str| {
        let wait = if prompt_number(input) <= 5 { 0 } else { 200 };
        ProviderReply::from(default_answer(model, input)).after(Duration::from_millis(wait))
    })
    .await;
    let shards = fixture.plan_check().await;
    // The first responses are recorded, and the later ones are throttled.
    let mut recorded = 0;
    fixture.table.faults.script(move |call| {
        recorded += usize::from(records_responses(call));
        (records_responses(call) && recorded > 1).then_some(Fault::Throttled)
    });
    assert_eq!(
        fixture.deliver(&shards[0]).await,
        0,
        "it is left to the next tick"
    );
    fixture.table.faults.none();
    let done = fixture.responses().await.len();
    assert!((1..20).contains(&done), "{done}");
    assert_eq!(fixture.shards().await[0].lease_until, Timestamp::from_millis(0));
    let look = fixture
        .read_entity()
        .await
        .running
        .unwrap()
        .next_reconciliation_at;
    assert_eq!(look, fixture.table.now(), "the next tick finds it");

    // The clock has not moved.
    let before = fixture.ask_count();
    assert_eq!(fixture.deliver(&shards[0]).await, 0);
    assert_eq!(fixture.ask_count() - before, 20 - done, "only what was open");
    assert_eq!(fixture.deliver(&shards[1]).await, 0);
    fixture.deliver_published().await;
    let responses = fixture.audit().await;
    assert!(responses.iter().all(|r| r.state == ResponseState::Answered));
}

/// Returns whether the call decrements the check's number of open shards.
fn decrements_open_shards(call: &AwsCall) -> bool {
    let is_count = |action: &Value| {
        let update = action["Update"]["UpdateExpression"].as_str();
        update.is_some_and(|update| update.contains("#shardsLeft"))
    };
    let actions = call.request["TransactItems"].as_array();
    actions.is_some_and(|actions| actions.iter().any(is_count))
}

#[tokio::test]
async fn a_worker_that_cannot_close_its_shard_leaves_that_to_the_next_attempt() {
    let fixture = CheckerFixture::start(3, |model: &str, input: &str| {
        ProviderReply::from(default_answer(model, input))
    })
    .await;
    let shards = fixture.plan_check().await;
    fixture
        .table
        .faults
        .script(|call| decrements_open_shards(call).then_some(Fault::Throttled));
    assert_eq!(fixture.deliver(&shards[0]).await, 0);
    fixture.table.faults.none();
    let shard = &fixture.shards().await[0];
    assert_eq!(
        (shard.lease_until, shard.recorded.len()),
        (Timestamp::from_millis(0), 3)
    );
    let asked = fixture.ask_count();

    assert_eq!(fixture.deliver(&shards[0]).await, 0, "no time has passed");
    assert_eq!(fixture.ask_count(), asked);
    assert_eq!(fixture.shards().await[0].state, ShardState::Done);
}

#[tokio::test]
async fn a_worker_that_cannot_read_whether_its_shard_was_the_last_one_has_the_check_reconciled() {
    let fixture = CheckerFixture::start(3, default_answer).await;
    for shard in fixture.plan_check().await {
        let mut is_counted = false;
        fixture.table.faults.script(move |call| {
            is_counted |= decrements_open_shards(call);
            (is_counted && call.operation == "GetItem").then_some(Fault::ServerError)
        });
        assert_eq!(fixture.deliver(&shard).await, 0);
        fixture.table.faults.none();
    }
    fixture.deliver_published().await;
    fixture.audit().await;
}

#[tokio::test]
async fn a_worker_whose_invocation_ends_soon_asks_nothing_and_releases_its_shard() {
    let fixture = CheckerFixture::start(3, default_answer).await;
    let shards = fixture.plan_check().await;
    let ends = fixture.table.clock.real_now() + 60 * SECOND;
    fixture.deliver_until(&shards[0], ends).await;
    assert_eq!(fixture.ask_count(), 0);
    let released = fixture.shards().await.remove(0);
    assert_eq!(released.lease_until, Timestamp::from_millis(0));
    assert_eq!(released.not_before, None);
    assert!(
        released.asks.values().all(|n| *n == 0),
        "{:?}: what was not begun does not count as asked",
        released.asks
    );
    let again = fixture.take_published().await;
    assert_eq!(again.len(), 1);
    fixture.deliver_until(&again[0], NO_TIME_LIMIT).await;
    assert_eq!(fixture.ask_count(), 3);
    fixture.deliver(&shards[1]).await;
    fixture.deliver_published().await;
    let responses = fixture.audit().await;
    assert!(responses.iter().all(|r| r.state == ResponseState::Answered));
    assert!(fixture.provider.asked().values().all(|times| *times == 1));
}

#[tokio::test]
async fn a_worker_that_runs_out_of_time_records_the_questions_it_started_and_the_next_asks_the_rest() {
    // Real time reaches the last start time when the fourth question arrives.
    let clock = Arc::new(OnceLock::<Arc<FixedClock>>::new());
    let times = clock.clone();
    let fixture = CheckerFixture::start(20, move |model: &str, input: &str| {
        if prompt_number(input) == 4
            && let Some(clock) = times.get()
        {
            clock.set_real(clock.real_now() + MILLISECOND);
        }
        ProviderReply::from(default_answer(model, input)).after(Duration::from_millis(50))
    })
    .await;
    clock.set(fixture.table.clock.clone()).ok().unwrap();
    let shards = fixture.plan_check().await;
    let ends = fixture.table.clock.real_now() + MAX_QUESTION_DURATION + MILLISECOND;
    fixture.deliver_until(&shards[0], ends).await;
    let begun = fixture.ask_count();
    assert!((4..=8).contains(&begun), "{begun}");
    assert_eq!(fixture.responses().await.len(), begun);
    let counts = fixture.shards().await.remove(0).asks;
    assert_eq!(counts.values().filter(|n| **n == 1).count(), begun, "{counts:?}");
    let again = fixture.take_published().await;
    assert_eq!(again.len(), 1);
    fixture.deliver_until(&again[0], NO_TIME_LIMIT).await;
    fixture.deliver(&shards[1]).await;
    fixture.deliver_published().await;
    fixture.audit().await;
    assert!(fixture.provider.asked().values().all(|times| *times == 1));
}

#[tokio::test]
async fn questions_that_a_former_worker_records_are_not_asked_by_the_next() {
    let fixture = CheckerFixture::start(2, |model: &str, input: &str| {
        if model == "small" {
            return ProviderReply::error(500, "server_error");
        }
        default_answer(model, input).into()
    })
    .await;
    let shards = fixture.plan_check().await;
    let (tenant, entity) = (&fixture.tenant, &fixture.entity);
    let former = fixture.table.lease(tenant, entity, 1.into(), 0).await.unwrap();
    fixture.table.advance(LEASE);
    let thaws = async {
        // The next worker is waiting before its second round.
        while fixture.ask_count() < 2 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let day = fixture.table.now().day();
        let paid = (1..=2).map(|prompt| answered(prompt, 0, "Acme", fixture.table.now()));
        let recorded = fixture.table.store.record_responses(&former, day, paid.collect());
        assert!(recorded.await.unwrap());
    };
    let (given_back, ()) = futures::join!(fixture.deliver(&shards[0]), thaws);
    assert_eq!(given_back, 0);
    assert_eq!(fixture.ask_count(), 2, "each once, and not again");
    fixture.deliver(&shards[1]).await;
    fixture.deliver_published().await;
    let responses = fixture.audit().await;
    assert!(responses.iter().all(|r| r.state == ResponseState::Answered));
}
