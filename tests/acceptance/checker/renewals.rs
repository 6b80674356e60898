//! A lease is renewed while the provider thinks. Time stands still here, except where a test moves it.

use std::pin::pin;
use std::sync::mpsc;
use std::time::Duration;

use acceptance::{AwsCall, Fault, ProviderReply};
use domain::answer::State;
use domain::check::ShardState;
use domain::limits::{LEASE, LEASE_RENEWAL};
use serde_json::Value;
use tokio::time::Instant;

use super::bench::{Bench, number, plain};

/// How long an answer takes: a renewal lies between.
const THOUGHT: Duration = Duration::from_secs(60);
const STEP: Duration = Duration::from_millis(250);

/// Stops the runtime's time until it is dropped; tokio's own time would pass by itself whenever it waits.
struct Still(Option<mpsc::Sender<()>>);

impl Still {
    fn start() -> Self {
        tokio::time::pause();
        let (sender, receiver) = mpsc::channel::<()>();
        // While a blocking task runs, time does not advance by itself.
        tokio::task::spawn_blocking(move || receiver.recv().is_err());
        Self(Some(sender))
    }

    fn end(mut self) {
        tokio::time::resume();
        self.0.take();
    }
}

/// Moves time a little, and lets every call end that is under way.
async fn step(bench: &Bench) {
    tokio::time::advance(STEP).await;
    let is_under_way = |call: &AwsCall| call.ended.is_none();
    let mut turns = 0;
    while turns < 4 || bench.table.faults.calls().iter().any(is_under_way) {
        std::thread::sleep(Duration::from_millis(1));
        tokio::task::yield_now().await;
        turns += 1;
        assert!(turns < 20_000, "a call does not end");
    }
}

/// Delivers a batch and moves time until it is done, at most two minutes; `at` is called with the seconds.
async fn deliver(bench: &Bench, batch: &Value, mut at: impl AsyncFnMut(u64)) -> usize {
    let start = Instant::now();
    let mut delivery = pin!(bench.deliver(batch));
    let mut seconds = 0;
    while start.elapsed() < THOUGHT * 2 {
        tokio::select! {
            given_back = &mut delivery => return given_back,
            () = step(bench) => {}
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

async fn thinking(prompts: usize) -> (Bench, Vec<Value>) {
    let bench = Bench::start(prompts, |model: &str, input: &str| {
        let is_slow = model == "small" && number(input) <= 8;
        ProviderReply::from(plain(model, input)).after(if is_slow { THOUGHT } else { Duration::ZERO })
    })
    .await;
    bench.tick().await;
    let claimed = bench.published().await.remove(0);
    bench.deliver(&claimed).await;
    let shards = bench.published().await;
    (bench, shards)
}

#[tokio::test]
async fn a_renewal_that_fails_for_a_while_costs_no_answer() {
    for fault in [Fault::Throttled, Fault::Unreachable, Fault::ServerError] {
        let (bench, shards) = thinking(3).await;
        let mut refused = 0;
        bench.table.faults.script(move |call| {
            // Two renewals, each with the SDK's own retries.
            refused += usize::from(is_renewal(call));
            (is_renewal(call) && refused <= 6).then_some(fault)
        });
        bench.table.faults.take();
        let still = Still::start();
        assert_eq!(deliver(&bench, &shards[0], async |_| {}).await, 0, "{fault:?}");
        still.end();
        let renewals: Vec<AwsCall> = bench.table.faults.calls();
        let renewals: Vec<&AwsCall> = renewals.iter().filter(|c| is_renewal(c)).collect();
        let held = renewals.iter().filter(|c| c.took_effect()).count();
        assert!(renewals.len() > 6 && held == 1, "{fault:?}: {renewals:?}");
        let shard = bench.table.store.shards(&bench.tenant, &bench.entity, 1).await;
        assert_eq!(shard.unwrap()[0].state, ShardState::Done, "{fault:?}");

        bench.deliver(&shards[1]).await;
        bench.run().await;
        let responses = bench.audit().await;
        assert!(responses.iter().all(|r| r.state == State::Answered), "{fault:?}");
        assert!(
            bench.provider.asked().values().all(|times| *times == 1),
            "{fault:?}"
        );
    }
}

#[tokio::test]
async fn a_worker_that_lost_its_lease_records_what_it_asked_and_asks_no_more() {
    let (bench, shards) = thinking(20).await;
    let still = Still::start();
    let taken_over = async |seconds: u64| {
        if seconds == 10 {
            bench.table.pass(LEASE);
            let lease = bench.table.lease(&bench.tenant, &bench.entity, (1, 0)).await;
            assert!(lease.unwrap().progress.recorded.is_empty());
        }
        // It learns of it at its next renewal.
        if seconds > 10 && seconds < LEASE_RENEWAL.as_secs() {
            assert_eq!(bench.asks.lock().unwrap().len(), 8);
        }
    };
    assert_eq!(deliver(&bench, &shards[0], taken_over).await, 0);
    still.end();
    assert_eq!(bench.asks.lock().unwrap().len(), 8);
    assert_eq!(bench.responses().await.len(), 8, "they are paid for");

    // Who took it over dies, and the next one does the rest.
    bench.table.pass(LEASE);
    for shard in &shards {
        assert_eq!(bench.deliver(shard).await, 0);
    }
    bench.run().await;
    let responses = bench.audit().await;
    assert!(responses.iter().all(|r| r.state == State::Answered));
    assert!(bench.provider.asked().values().all(|times| *times == 1));
}
