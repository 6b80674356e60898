//! Events come twice, late, in any order, or never.

use acceptance::Fault;
use domain::answer::State;
use domain::check::CheckState;
use domain::limits::FIRST_RECONCILIATION;
use domain::time::{HOUR, MILLISECOND, MINUTE};
use serde_json::{Value, json};

use super::bench::{Bench, NEVER, number, plain};

/// The kind of the one message of a batch.
fn kind(batch: &Value) -> String {
    let body: Value = serde_json::from_str(batch["Records"][0]["body"].as_str().unwrap()).unwrap();
    body["detail-type"].as_str().unwrap().to_owned()
}

fn renamed(batch: &Value, kind: &str) -> Value {
    let mut batch = batch.clone();
    let mut body: Value = serde_json::from_str(batch["Records"][0]["body"].as_str().unwrap()).unwrap();
    body["detail-type"] = kind.into();
    body["detail"]["shard"] = 0.into();
    batch["Records"][0]["body"] = body.to_string().into();
    batch
}

#[tokio::test]
async fn a_check_in_good_order_asks_each_question_once() {
    let bench = Bench::start(27, plain).await;
    bench.tick().await;
    let delivered = bench.run().await;
    let kinds: Vec<String> = delivered.iter().map(kind).collect();
    let count = |wanted: &str| kinds.iter().filter(|k| *k == wanted).count();
    assert_eq!(
        (count("CheckClaimed"), count("ShardReady"), count("CheckAnswered")),
        (1, 4, 1)
    );
    let responses = bench.audit().await;
    assert_eq!(responses.len(), 54);
    for response in &responses {
        assert_eq!(response.state, State::Answered);
        let brands = if response.prompt.is_multiple_of(2) {
            vec![1]
        } else {
            vec![]
        };
        assert_eq!(response.brands, brands);
    }
    assert!(bench.provider.asked().values().all(|n| *n == 1));
    assert_eq!(bench.check_state().await, CheckState::Complete);
    assert!(bench.seen().await.problems.is_empty());
}

#[tokio::test]
async fn every_event_twice_at_once_asks_each_question_once() {
    let bench = Bench::start(27, plain).await;
    futures::join!(bench.tick(), bench.tick());
    loop {
        let batches = bench.published().await;
        if batches.is_empty() {
            break;
        }
        let twice = batches.iter().chain(&batches).map(|batch| bench.deliver(batch));
        assert_eq!(
            futures::future::join_all(twice).await.into_iter().sum::<usize>(),
            0
        );
    }
    bench.audit().await;
    assert!(
        bench.provider.asked().values().all(|n| *n == 1),
        "{:?}",
        bench.provider.asked()
    );
}

#[tokio::test]
async fn events_that_come_too_early_do_no_harm() {
    let bench = Bench::start(3, plain).await;
    bench.tick().await;
    let claimed = bench.published().await.remove(0);
    assert_eq!(bench.deliver(&renamed(&claimed, "CheckAnswered")).await, 0);
    assert!(bench.seen().await.running.is_some(), "nothing is answered yet");
    // A shard before its check was planned.
    assert_eq!(bench.deliver(&renamed(&claimed, "ShardReady")).await, 0);
    assert_eq!(bench.responses().await.len(), 3);
    assert_eq!(bench.deliver(&renamed(&claimed, "CheckAnswered")).await, 0);
    assert!(bench.seen().await.running.is_some(), "one shard of two is done");
    assert_eq!(bench.deliver(&claimed).await, 0);
    bench.run().await;
    bench.audit().await;
    assert!(bench.provider.asked().values().all(|n| *n == 1));
}

#[tokio::test]
async fn events_that_come_after_the_end_change_nothing() {
    let bench = Bench::start(3, plain).await;
    bench.tick().await;
    let delivered = bench.run().await;
    bench.audit().await;
    let before = bench.table.items().await;
    for hours in [0, 1, 5] {
        bench.table.pass(hours * HOUR);
        for batch in delivered.iter().rev() {
            assert_eq!(bench.deliver(batch).await, 0);
        }
        assert!(bench.published().await.is_empty());
    }
    assert_eq!(bench.table.items().await, before);
    assert!(bench.provider.asked().values().all(|n| *n == 1));
}

#[tokio::test]
async fn events_of_what_never_was_change_nothing() {
    let bench = Bench::start(1, plain).await;
    bench.tick().await;
    let claimed = bench.published().await.remove(0);
    let before = bench.table.items().await;
    let body = claimed["Records"][0]["body"].as_str().unwrap();
    let foreign = body.replace("\"check\":1", "\"check\":9");
    assert_ne!(foreign, body);
    for kind in ["CheckClaimed", "ShardReady", "CheckAnswered"] {
        let mut batch = claimed.clone();
        batch["Records"][0]["body"] = foreign.clone().into();
        assert_eq!(bench.deliver(&renamed(&batch, kind)).await, 0);
    }
    assert!(bench.published().await.is_empty());
    assert_eq!(bench.table.items().await, before);
}

#[tokio::test]
async fn of_a_batch_only_what_failed_is_given_back() {
    let bench = Bench::start(1, plain).await;
    bench.tick().await;
    let claimed = bench.published().await.remove(0);
    let mut bad = claimed["Records"][0].clone();
    bad["body"] = "{".into();
    bad["messageId"] = "bad".into();
    let batch = json!({"Records": [bad, claimed["Records"][0]]});
    let result = bench.checker.handle(batch, NEVER).await.unwrap();
    assert_eq!(result, json!({"batchItemFailures": [{"itemIdentifier": "bad"}]}));
    bench.run().await;
    bench.audit().await;
}

#[tokio::test]
async fn a_message_is_given_back_while_the_table_is_away() {
    let bench = Bench::start(1, plain).await;
    bench.tick().await;
    let claimed = bench.published().await.remove(0);
    bench.table.faults.script(|_| Some(Fault::Unreachable));
    assert_eq!(bench.deliver(&claimed).await, 1);
    bench.table.faults.none();
    assert_eq!(bench.deliver(&claimed).await, 0);
    bench.run().await;
    bench.audit().await;
}

#[tokio::test]
async fn a_claim_that_was_never_published_is_found_at_the_first_look() {
    let bench = Bench::start(3, plain).await;
    bench.bus_faults.script(|_| Some(Fault::Unreachable));
    bench.tick().await;
    bench.bus_faults.none();
    assert!(bench.seen().await.running.is_some());
    bench.table.pass(FIRST_RECONCILIATION - MILLISECOND);
    bench.tick().await;
    assert!(bench.published().await.is_empty(), "not yet");
    bench.table.pass(MILLISECOND);
    bench.tick().await;
    bench.run().await;
    bench.audit().await;
}

#[tokio::test]
async fn a_finish_that_was_never_published_is_found_at_a_look_and_is_no_partial_one() {
    for late in [FIRST_RECONCILIATION, 3 * HOUR] {
        let bench = Bench::start(3, plain).await;
        bench.tick().await;
        for batch in bench.published().await {
            bench.deliver(&batch).await;
        }
        for batch in bench.published().await {
            assert_eq!(kind(&batch), "ShardReady");
            bench.deliver(&batch).await;
        }
        let lost = bench.published().await;
        assert_eq!(lost.iter().map(kind).collect::<Vec<_>>(), ["CheckAnswered"]);
        bench.table.pass(late);
        bench.tick().await;
        bench.run().await;
        bench.audit().await;
        assert_eq!(bench.check_state().await, CheckState::Complete, "{late:?} late");
    }
}

#[tokio::test]
async fn a_worker_that_was_thought_dead_may_come_back() {
    let bench = Bench::start(3, |model: &str, input: &str| {
        let slow = model == "small" && number(input) == 2;
        let wait = std::time::Duration::from_millis(if slow { 300 } else { 0 });
        acceptance::ProviderReply::from(plain(model, input)).after(wait)
    })
    .await;
    bench.tick().await;
    let claimed = bench.published().await.remove(0);
    bench.deliver(&claimed).await;
    let shard = bench.published().await.remove(0);
    let (first, second) = futures::join!(bench.deliver(&shard), async {
        bench.recorded(2).await;
        // Its lease runs out while it still waits for the last answer.
        bench.table.pass(3 * MINUTE);
        bench.deliver(&shard).await
    });
    assert_eq!((first, second), (0, 0));
    bench.table.pass(5 * MINUTE);
    bench.tick().await;
    bench.run().await;
    let responses = bench.audit().await;
    assert!(responses.iter().all(|r| r.state == State::Answered));
    let asked = bench.provider.asked();
    let twice: Vec<_> = asked.iter().filter(|(_, n)| **n > 1).collect();
    assert_eq!(twice, [(&("small".to_owned(), "Question 2?".to_owned()), &2)]);
}
