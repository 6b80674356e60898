//! A shard goes from one worker to the next: after a failure, a lost lease, or at an invocation's end.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use acceptance::{AwsCall, Fault, ProviderReply};
use domain::answer::State;
use domain::check::{Shard, ShardState};
use domain::clock::Clock;
use domain::limits::{LEASE, MAX_QUESTION_DURATION};
use domain::time::{MILLISECOND, SECOND, Timestamp};
use local::clock::FixedClock;
use serde_json::Value;

use super::bench::{Bench, NEVER, number, plain};
use crate::store::table::answered;

/// Whether the call records answers.
fn records(call: &AwsCall) -> bool {
    let is_response = |action: &Value| {
        let pk = action["Put"]["Item"]["PK"]["S"].as_str();
        pk.is_some_and(|pk| pk.contains("#R#"))
    };
    let actions = call.request["TransactItems"].as_array();
    actions.is_some_and(|actions| actions.iter().any(is_response))
}

impl Bench {
    /// Claims and plans the check; the events of its shards.
    async fn planned(&self) -> Vec<Value> {
        self.tick().await;
        let claimed = self.published().await.remove(0);
        assert_eq!(self.deliver(&claimed).await, 0);
        self.published().await
    }

    async fn shards(&self) -> Vec<Shard> {
        let shards = self.table.store.shards(&self.tenant, &self.entity, 1).await;
        shards.unwrap()
    }

    /// Delivers a batch to an invocation that is killed at `ends`.
    async fn deliver_until(&self, batch: &Value, ends: Timestamp) {
        let result = self.checker.handle(batch.clone(), ends).await.unwrap();
        assert_eq!(result["batchItemFailures"], serde_json::json!([]));
    }
}

#[tokio::test]
async fn a_worker_that_fails_leaves_its_shard_free_for_the_next_delivery() {
    let bench = Bench::start(20, |model: &str, input: &str| {
        let wait = if number(input) <= 5 { 0 } else { 200 };
        ProviderReply::from(plain(model, input)).after(Duration::from_millis(wait))
    })
    .await;
    let shards = bench.planned().await;
    // Some answers are recorded, then no more.
    let mut recorded = 0;
    bench.table.faults.script(move |call| {
        recorded += usize::from(records(call));
        (records(call) && recorded > 1).then_some(Fault::Throttled)
    });
    assert_eq!(
        bench.deliver(&shards[0]).await,
        1,
        "it is given back to the queue"
    );
    bench.table.faults.none();
    let done = bench.responses().await.len();
    assert!((1..20).contains(&done), "{done}");
    assert_eq!(bench.shards().await[0].lease_until, Timestamp::from_millis(0));
    let look = bench.seen().await.running.unwrap().next_reconciliation_at;
    assert_eq!(look, bench.table.now(), "a tick finds it, too");

    // At once: no time has passed.
    let before = bench.asked_in_all();
    assert_eq!(bench.deliver(&shards[0]).await, 0);
    assert_eq!(bench.asked_in_all() - before, 20 - done, "only what was open");
    assert_eq!(bench.deliver(&shards[1]).await, 0);
    bench.run().await;
    let responses = bench.audit().await;
    assert!(responses.iter().all(|r| r.state == State::Answered));
}

/// Whether the call counts a shard off its check.
fn counts_off(call: &AwsCall) -> bool {
    let is_count = |action: &Value| {
        let update = action["Update"]["UpdateExpression"].as_str();
        update.is_some_and(|update| update.contains("#shardsLeft"))
    };
    let actions = call.request["TransactItems"].as_array();
    actions.is_some_and(|actions| actions.iter().any(is_count))
}

#[tokio::test]
async fn a_worker_that_cannot_count_its_shard_off_leaves_that_to_the_next_delivery() {
    let bench = Bench::start(3, |model: &str, input: &str| {
        ProviderReply::from(plain(model, input))
    })
    .await;
    let shards = bench.planned().await;
    bench
        .table
        .faults
        .script(|call| counts_off(call).then_some(Fault::Throttled));
    assert_eq!(bench.deliver(&shards[0]).await, 1);
    bench.table.faults.none();
    let shard = &bench.shards().await[0];
    assert_eq!(
        (shard.lease_until, shard.recorded.len()),
        (Timestamp::from_millis(0), 3)
    );
    let asked = bench.asked_in_all();

    assert_eq!(bench.deliver(&shards[0]).await, 0, "no time has passed");
    assert_eq!(bench.asked_in_all(), asked);
    assert_eq!(bench.shards().await[0].state, ShardState::Done);
}

#[tokio::test]
async fn a_worker_that_cannot_see_whether_its_shard_was_the_last_one_has_it_looked_at() {
    let bench = Bench::start(3, plain).await;
    for shard in bench.planned().await {
        let mut is_counted = false;
        bench.table.faults.script(move |call| {
            is_counted |= counts_off(call);
            (is_counted && call.operation == "GetItem").then_some(Fault::ServerError)
        });
        assert_eq!(bench.deliver(&shard).await, 0);
        bench.table.faults.none();
    }
    bench.run().await;
    bench.audit().await;
}

#[tokio::test]
async fn a_worker_whose_invocation_ends_soon_asks_nothing_and_hands_its_shard_on() {
    let bench = Bench::start(3, plain).await;
    let shards = bench.planned().await;
    let ends = bench.table.clock.real_now() + 60 * SECOND;
    bench.deliver_until(&shards[0], ends).await;
    assert_eq!(bench.asked_in_all(), 0);
    let handed_on = bench.shards().await.remove(0);
    assert_eq!(handed_on.lease_until, Timestamp::from_millis(0));
    assert_eq!(handed_on.not_before, None);
    assert!(
        handed_on.asks.values().all(|n| *n == 0),
        "{:?}: what was not begun does not count as asked",
        handed_on.asks
    );
    let again = bench.published().await;
    assert_eq!(again.len(), 1);
    bench.deliver_until(&again[0], NEVER).await;
    assert_eq!(bench.asked_in_all(), 3);
    bench.deliver(&shards[1]).await;
    bench.run().await;
    let responses = bench.audit().await;
    assert!(responses.iter().all(|r| r.state == State::Answered));
    assert!(bench.provider.asked().values().all(|times| *times == 1));
}

#[tokio::test]
async fn a_worker_that_runs_out_of_time_records_what_it_began_and_the_next_asks_the_rest() {
    // Real time reaches the last start when the fourth question has come.
    let clock = Arc::new(OnceLock::<Arc<FixedClock>>::new());
    let times = clock.clone();
    let bench = Bench::start(20, move |model: &str, input: &str| {
        if number(input) == 4
            && let Some(clock) = times.get()
        {
            clock.set_real(clock.real_now() + MILLISECOND);
        }
        ProviderReply::from(plain(model, input)).after(Duration::from_millis(50))
    })
    .await;
    clock.set(bench.table.clock.clone()).ok().unwrap();
    let shards = bench.planned().await;
    let ends = bench.table.clock.real_now() + MAX_QUESTION_DURATION + MILLISECOND;
    bench.deliver_until(&shards[0], ends).await;
    let begun = bench.asked_in_all();
    assert!((4..=8).contains(&begun), "{begun}");
    assert_eq!(bench.responses().await.len(), begun);
    let counts = bench.shards().await.remove(0).asks;
    assert_eq!(counts.values().filter(|n| **n == 1).count(), begun, "{counts:?}");
    let again = bench.published().await;
    assert_eq!(again.len(), 1);
    bench.deliver_until(&again[0], NEVER).await;
    bench.deliver(&shards[1]).await;
    bench.run().await;
    bench.audit().await;
    assert!(bench.provider.asked().values().all(|times| *times == 1));
}

#[tokio::test]
async fn what_a_former_worker_records_meanwhile_is_not_asked_by_the_next() {
    let bench = Bench::start(2, |model: &str, input: &str| {
        if model == "small" {
            return ProviderReply::error(500, "server_error");
        }
        plain(model, input).into()
    })
    .await;
    let shards = bench.planned().await;
    let (tenant, entity) = (&bench.tenant, &bench.entity);
    let former = bench.table.lease(tenant, entity, (1, 0)).await.unwrap();
    bench.table.pass(LEASE);
    let thaws = async {
        // The next one waits before its second round.
        while bench.asked_in_all() < 2 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let day = bench.table.now().day();
        let paid = (1..=2).map(|prompt| answered(prompt, 0, "Acme", bench.table.now()));
        let recorded = bench.table.store.record_answers(&former, day, paid.collect());
        assert!(recorded.await.unwrap());
    };
    let (given_back, ()) = futures::join!(bench.deliver(&shards[0]), thaws);
    assert_eq!(given_back, 0);
    assert_eq!(bench.asked_in_all(), 2, "each once, and not again");
    bench.deliver(&shards[1]).await;
    bench.run().await;
    let responses = bench.audit().await;
    assert!(responses.iter().all(|r| r.state == State::Answered));
}
