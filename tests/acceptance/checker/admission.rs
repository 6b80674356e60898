//! No more shards are published than workers can take up soon, and a failed step is left to the next tick.

use std::collections::BTreeSet;
use std::time::Duration;

use acceptance::Fault;
use domain::check::{CheckState, ShardList};
use domain::limits::{LEASE, MAX_QUEUE_WAIT, MAX_RECONCILIATION_INTERVAL, SHARD_REPUBLICATION};
use domain::ordinal::ShardNumber;
use domain::time::MINUTE;
use serde_json::Value;

use super::fixture::{CheckerFixture, default_answer};

/// Starts a fixture for 2 workers, whose check has 8 shards, and claims the check.
async fn claimed_for_two_workers() -> CheckerFixture {
    let mut fixture = CheckerFixture::start(90, default_answer).await;
    fixture.checker.shard_concurrency = 2;
    fixture.tick().await;
    let claimed = fixture.take_published().await.remove(0);
    assert_eq!(fixture.deliver(&claimed).await, 0);
    fixture
}

fn shard(batch: &Value) -> u64 {
    let body: Value = serde_json::from_str(batch["Records"][0]["body"].as_str().unwrap()).unwrap();
    assert_eq!(body["detail-type"], "ShardReady");
    body["detail"]["shard"].as_u64().unwrap()
}

/// Delivers the events of shards and what follows, and asserts that the check ends and asks each question
/// once.
async fn end_asking_once(fixture: &CheckerFixture, shards: Vec<Value>) {
    for batch in shards {
        fixture.deliver(&batch).await;
    }
    fixture.deliver_published().await;
    fixture.audit().await;
    assert!(fixture.provider.asked().values().all(|times| *times == 1));
}

#[tokio::test]
async fn the_next_shard_is_published_when_one_ends() {
    let fixture = claimed_for_two_workers().await;
    let mut waiting = fixture.take_published().await;
    assert_eq!(waiting.iter().map(shard).collect::<Vec<_>>(), [0, 1, 2]);
    for next in 3..8 {
        assert_eq!(fixture.deliver(&waiting.remove(0)).await, 0);
        let published = fixture.take_published().await;
        assert_eq!(published.iter().map(shard).collect::<Vec<_>>(), [next]);
        waiting.extend(published);
        fixture.tick().await;
        assert!(
            fixture.take_published().await.is_empty(),
            "a tick publishes nothing twice"
        );
    }
    end_asking_once(&fixture, waiting).await;
}

#[tokio::test]
async fn admissions_at_once_publish_each_shard_once() {
    let fixture = claimed_for_two_workers().await;
    let mut published = Vec::new();
    loop {
        let batches = fixture.take_published().await;
        if batches.is_empty() {
            break;
        }
        let (shards, others): (Vec<_>, Vec<_>) = batches
            .into_iter()
            .partition(|b| b.to_string().contains("ShardReady"));
        published.extend(shards.iter().map(shard));
        let delivered = shards.iter().chain(&others).map(|batch| fixture.deliver(batch));
        futures::join!(
            futures::future::join_all(delivered),
            fixture.tick(),
            fixture.tick()
        );
    }
    published.sort_unstable();
    assert_eq!(published, (0..8).collect::<Vec<_>>());
    fixture.audit().await;
    assert_eq!(fixture.check_state().await, CheckState::Complete);
}

#[tokio::test]
async fn a_shard_that_waits_is_published_again_only_if_a_worker_is_idle() {
    let fixture = claimed_for_two_workers().await;
    let published = fixture.take_published().await;
    // Two workers have taken up a shard, and the third one waits.
    for number in [0, 1] {
        let lease = fixture.take_up_shard(number).await;
        let until = fixture.table.now() + 4 * SHARD_REPUBLICATION;
        assert!(fixture.table.store.renew_lease(&lease, until).await.unwrap());
    }
    fixture.table.advance(SHARD_REPUBLICATION);
    fixture.tick().await;
    assert!(fixture.take_published().await.is_empty(), "all workers are busy");
    assert_eq!(
        *fixture.read_check().await.shards.list(ShardList::Published),
        BTreeSet::from([ShardNumber::new(2)])
    );
    // The leases end, so that workers are idle, and the three shards are published again.
    for _ in 0..12 {
        fixture.table.advance(SHARD_REPUBLICATION);
        fixture.tick().await;
    }
    let mut again = fixture.take_published().await;
    again.retain(|batch| batch.to_string().contains("ShardReady"));
    let mut again: Vec<u64> = again.iter().map(shard).collect();
    again.sort_unstable();
    again.dedup();
    assert_eq!(again, [0, 1, 2]);
    end_asking_once(&fixture, published).await;
}

#[tokio::test]
async fn a_shard_whose_event_is_lost_is_published_again_even_if_all_workers_stay_busy() {
    let fixture = claimed_for_two_workers().await;
    fixture.take_published().await;
    let mut leases = Vec::new();
    for number in [0, 1] {
        leases.push(fixture.take_up_shard(number).await);
    }
    let mut waited = Duration::ZERO;
    loop {
        let until = fixture.table.now() + LEASE;
        for lease in &leases {
            assert!(fixture.table.store.renew_lease(lease, until).await.unwrap());
        }
        fixture.tick().await;
        let again = fixture.take_published().await;
        let again: Vec<u64> = again
            .iter()
            .filter(|batch| batch.to_string().contains("ShardReady"))
            .map(shard)
            .collect();
        if !again.is_empty() {
            assert_eq!(again, [2]);
            break;
        }
        fixture.table.advance(MINUTE);
        waited += MINUTE;
        assert!(
            waited <= MAX_QUEUE_WAIT + MAX_RECONCILIATION_INTERVAL,
            "it is lost"
        );
    }
    assert!(waited >= MAX_QUEUE_WAIT, "it could still be in the queue");
}

#[tokio::test]
async fn shards_whose_events_cannot_be_published_are_published_by_the_next_tick() {
    let fixture = CheckerFixture::start(27, default_answer).await;
    fixture.tick().await;
    let claimed = fixture.take_published().await.remove(0);
    fixture.bus_faults.script(|_| Some(Fault::Unreachable));
    assert_eq!(fixture.deliver(&claimed).await, 0, "the next tick tries again");
    fixture.bus_faults.none();
    fixture.table.advance(MINUTE);
    fixture.tick().await;
    let mut shards: Vec<u64> = fixture.take_published().await.iter().map(shard).collect();
    shards.sort_unstable();
    assert_eq!(shards, [0, 1, 2, 3]);
}

#[tokio::test]
async fn a_finish_that_fails_is_tried_again_by_the_next_tick() {
    let fixture = CheckerFixture::start(3, default_answer).await;
    fixture.tick().await;
    let mut answered = None;
    while answered.is_none() {
        for batch in fixture.take_published().await {
            if batch.to_string().contains("CheckAnswered") {
                answered = Some(batch);
            } else {
                fixture.deliver(&batch).await;
            }
        }
    }
    let mut calls = 0;
    fixture.table.faults.script(move |call| {
        calls += 1;
        (call.operation == "Query" && calls < 20).then_some(Fault::Unreachable)
    });
    assert_eq!(
        fixture.deliver(&answered.unwrap()).await,
        0,
        "it does not wait in the queue"
    );
    fixture.table.faults.none();
    assert_eq!(fixture.check_state().await, CheckState::Running);
    fixture.table.advance(MINUTE);
    fixture.tick().await;
    fixture.deliver_published().await;
    fixture.audit().await;
}

#[tokio::test]
async fn a_shard_whose_worker_crashed_is_published_again_after_its_lease() {
    let fixture = claimed_for_two_workers().await;
    let published = fixture.take_published().await;
    fixture.take_up_shard(0).await;
    for batch in &published[1..] {
        fixture.deliver(batch).await;
    }
    fixture.deliver_published().await;
    assert_eq!(fixture.read_check().await.shards.left(), 1);
    fixture.table.advance(2 * LEASE);
    fixture.tick().await;
    let again: Vec<u64> = fixture.take_published().await.iter().map(shard).collect();
    assert_eq!(again, [0]);
}

#[tokio::test]
async fn a_shard_whose_step_fails_before_its_lease_is_published_again_by_the_next_tick() {
    let fixture = claimed_for_two_workers().await;
    let mut published = fixture.take_published().await;
    fixture.deliver_without_lease(&published.remove(0)).await;
    let (shards, first) = (fixture.read_check().await.shards, ShardNumber::new(0));
    assert!(shards.list(ShardList::Ready).contains(&first));
    assert!(!shards.list(ShardList::Published).contains(&first));
    fixture.table.advance(MINUTE);
    fixture.tick().await;
    let again = fixture.take_published().await;
    assert_eq!(again.iter().map(shard).collect::<Vec<_>>(), [0]);
    end_asking_once(&fixture, [published, again].concat()).await;
}

#[tokio::test]
async fn an_admission_that_fails_between_two_checks_leaves_the_rest_to_the_next_one() {
    let fixture = claimed_for_two_workers().await;
    let (tenant, store) = (&fixture.tenant, &fixture.table.store);
    let second = fixture.table.entity(tenant, "second.com", 27, 1).await.id;
    fixture.table.claimed(tenant, &second).await;
    let first = fixture.take_published().await;
    for event in first
        .iter()
        .filter(|batch| batch.to_string().contains("CheckClaimed"))
    {
        fixture.deliver(event).await;
    }
    let shards: Vec<Value> = first
        .into_iter()
        .filter(|batch| batch.to_string().contains("ShardReady"))
        .collect();
    // Each admission from now on loses the write that follows its first publication.
    fixture.table.faults.script({
        let mut publications = 0;
        move |call| {
            let publishes =
                call.operation == "UpdateItem" && call.request.to_string().contains("publishedAt");
            publications += usize::from(publishes);
            (publishes && publications.is_multiple_of(2)).then_some(Fault::Unreachable)
        }
    });
    for batch in &shards {
        fixture.deliver(batch).await;
    }
    fixture.table.faults.none();
    for _ in 0..3 {
        fixture.table.advance(MINUTE);
        fixture.tick().await;
        fixture.deliver_published().await;
    }
    assert_eq!(fixture.check_state().await, CheckState::Complete);
    let ended = store.entity(tenant, &second).await.unwrap().unwrap();
    assert!(ended.running.is_none() && ended.last_check.is_some());
    let of_second = 27 * usize::try_from(ended.check_seq.get()).unwrap();
    assert_eq!(
        fixture.ask_count(),
        2 * 90 + of_second,
        "each question is asked once"
    );
}
