//! Events can arrive twice, late, in any order, or never.

use acceptance::Fault;
use domain::answer::ResponseState;
use domain::check::CheckState;
use domain::limits::FIRST_RECONCILIATION;
use domain::ordinal::BrandOrdinal;
use domain::time::{HOUR, MINUTE};
use serde_json::{Value, json};

use super::fixture::{CheckerFixture, NO_TIME_LIMIT, default_answer, prompt_number};

/// Returns the detail type of the only message of a batch.
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
async fn a_check_without_faults_asks_each_question_once() {
    let fixture = CheckerFixture::start(27, default_answer).await;
    fixture.tick().await;
    let delivered = fixture.deliver_published().await;
    let kinds: Vec<String> = delivered.iter().map(kind).collect();
    let count = |wanted: &str| kinds.iter().filter(|k| *k == wanted).count();
    assert_eq!(
        (count("CheckClaimed"), count("ShardReady"), count("CheckAnswered")),
        (1, 4, 1)
    );
    let responses = fixture.audit().await;
    assert_eq!(responses.len(), 54);
    for response in &responses {
        assert_eq!(response.state, ResponseState::Answered);
        let brands = if response.prompt.get().is_multiple_of(2) {
            vec![BrandOrdinal::new(1)]
        } else {
            vec![]
        };
        assert_eq!(response.brands, brands);
    }
    assert!(fixture.provider.asked().values().all(|n| *n == 1));
    assert_eq!(fixture.check_state().await, CheckState::Complete);
    assert!(fixture.read_entity().await.problems.is_empty());
}

#[tokio::test]
async fn each_question_is_asked_once_when_every_event_arrives_twice_at_once() {
    let fixture = CheckerFixture::start(27, default_answer).await;
    futures::join!(fixture.tick(), fixture.tick());
    loop {
        let batches = fixture.take_published().await;
        if batches.is_empty() {
            break;
        }
        let twice = batches.iter().chain(&batches).map(|batch| fixture.deliver(batch));
        assert_eq!(
            futures::future::join_all(twice).await.into_iter().sum::<usize>(),
            0
        );
    }
    fixture.audit().await;
    assert!(
        fixture.provider.asked().values().all(|n| *n == 1),
        "{:?}",
        fixture.provider.asked()
    );
}

#[tokio::test]
async fn events_that_arrive_too_early_do_no_harm() {
    let fixture = CheckerFixture::start(3, default_answer).await;
    fixture.tick().await;
    let claimed = fixture.take_published().await.remove(0);
    assert_eq!(fixture.deliver(&renamed(&claimed, "CheckAnswered")).await, 0);
    assert!(
        fixture.read_entity().await.running.is_some(),
        "nothing is answered yet"
    );
    // The shard's event arrives before the check is planned.
    assert_eq!(fixture.deliver(&renamed(&claimed, "ShardReady")).await, 0);
    assert_eq!(fixture.responses().await.len(), 3);
    assert_eq!(fixture.deliver(&renamed(&claimed, "CheckAnswered")).await, 0);
    assert!(
        fixture.read_entity().await.running.is_some(),
        "one shard of two is done"
    );
    assert_eq!(fixture.deliver(&claimed).await, 0);
    fixture.deliver_published().await;
    fixture.audit().await;
    assert!(fixture.provider.asked().values().all(|n| *n == 1));
}

#[tokio::test]
async fn events_that_arrive_after_the_end_of_a_check_change_nothing() {
    let fixture = CheckerFixture::start(3, default_answer).await;
    fixture.tick().await;
    let delivered = fixture.deliver_published().await;
    fixture.audit().await;
    let before = fixture.table.items().await;
    for hours in [0, 1, 5] {
        fixture.table.advance(hours * HOUR);
        for batch in delivered.iter().rev() {
            assert_eq!(fixture.deliver(batch).await, 0);
        }
        assert!(fixture.take_published().await.is_empty());
    }
    assert_eq!(fixture.table.items().await, before);
    assert!(fixture.provider.asked().values().all(|n| *n == 1));
}

#[tokio::test]
async fn events_of_unknown_checks_change_nothing() {
    let fixture = CheckerFixture::start(1, default_answer).await;
    fixture.tick().await;
    let claimed = fixture.take_published().await.remove(0);
    let before = fixture.table.items().await;
    let body = claimed["Records"][0]["body"].as_str().unwrap();
    let foreign = body.replace("\"check\":1", "\"check\":9");
    assert_ne!(foreign, body);
    for kind in ["CheckClaimed", "ShardReady", "CheckAnswered"] {
        let mut batch = claimed.clone();
        batch["Records"][0]["body"] = foreign.clone().into();
        assert_eq!(fixture.deliver(&renamed(&batch, kind)).await, 0);
    }
    assert!(fixture.take_published().await.is_empty());
    assert_eq!(fixture.table.items().await, before);
}

#[tokio::test]
async fn only_failed_messages_of_a_batch_return_to_the_queue() {
    let fixture = CheckerFixture::start(1, default_answer).await;
    fixture.tick().await;
    let claimed = fixture.take_published().await.remove(0);
    let mut bad = claimed["Records"][0].clone();
    bad["body"] = "{".into();
    bad["messageId"] = "bad".into();
    let batch = json!({"Records": [bad, claimed["Records"][0]]});
    let result = fixture.checker.handle(batch, NO_TIME_LIMIT).await.unwrap();
    assert_eq!(result, json!({"batchItemFailures": [{"itemIdentifier": "bad"}]}));
    fixture.deliver_published().await;
    fixture.audit().await;
}

#[tokio::test]
async fn a_message_returns_to_the_queue_while_the_table_is_unavailable() {
    let fixture = CheckerFixture::start(1, default_answer).await;
    fixture.tick().await;
    let claimed = fixture.take_published().await.remove(0);
    fixture.table.faults.script(|_| Some(Fault::Unreachable));
    assert_eq!(fixture.deliver(&claimed).await, 1);
    fixture.table.faults.none();
    assert_eq!(fixture.deliver(&claimed).await, 0);
    fixture.deliver_published().await;
    fixture.audit().await;
}

#[tokio::test]
async fn an_unpublished_claim_is_found_by_the_next_tick() {
    let fixture = CheckerFixture::start(3, default_answer).await;
    fixture.bus_faults.script(|_| Some(Fault::Unreachable));
    fixture.tick().await;
    fixture.bus_faults.none();
    assert!(fixture.read_entity().await.running.is_some());
    fixture.table.advance(MINUTE);
    fixture.tick().await;
    fixture.deliver_published().await;
    fixture.audit().await;
}

#[tokio::test]
async fn an_unpublished_finish_is_found_by_a_reconciliation_and_the_check_is_complete() {
    for late in [FIRST_RECONCILIATION, 3 * HOUR] {
        let fixture = CheckerFixture::start(3, default_answer).await;
        fixture.tick().await;
        for batch in fixture.take_published().await {
            fixture.deliver(&batch).await;
        }
        for batch in fixture.take_published().await {
            assert_eq!(kind(&batch), "ShardReady");
            fixture.deliver(&batch).await;
        }
        let lost = fixture.take_published().await;
        assert_eq!(lost.iter().map(kind).collect::<Vec<_>>(), ["CheckAnswered"]);
        fixture.table.advance(late);
        fixture.tick().await;
        fixture.deliver_published().await;
        fixture.audit().await;
        assert_eq!(fixture.check_state().await, CheckState::Complete, "{late:?} late");
    }
}

#[tokio::test]
async fn a_worker_that_was_presumed_dead_can_return() {
    let fixture = CheckerFixture::start(3, |model: &str, input: &str| {
        let slow = model == "small" && prompt_number(input) == 2;
        let wait = std::time::Duration::from_millis(if slow { 300 } else { 0 });
        acceptance::ProviderReply::from(default_answer(model, input)).after(wait)
    })
    .await;
    let shard = fixture.claim_due_check().await.remove(0);
    let (first, second) = futures::join!(fixture.deliver(&shard), async {
        fixture.wait_for_responses(2).await;
        // Its lease expires while it waits for the last answer.
        fixture.table.advance(3 * MINUTE);
        fixture.deliver(&shard).await
    });
    assert_eq!((first, second), (0, 0));
    fixture.table.advance(5 * MINUTE);
    fixture.tick().await;
    fixture.deliver_published().await;
    let responses = fixture.audit().await;
    assert!(responses.iter().all(|r| r.state == ResponseState::Answered));
    let asked = fixture.provider.asked();
    let twice: Vec<_> = asked.iter().filter(|(_, n)| **n > 1).collect();
    assert_eq!(twice, [(&("small".to_owned(), "Question 2?".to_owned()), &2)]);
}
