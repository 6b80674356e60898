//! Events can arrive twice, late, in any order, or never.

use acceptance::Fault;
use domain::answer::ResponseState;
use domain::check::CheckState;
use domain::ordinal::BrandOrdinal;
use serde_json::{Value, json};

use super::fixture::{CheckerFixture, NO_TIME_LIMIT, default_answer};

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
