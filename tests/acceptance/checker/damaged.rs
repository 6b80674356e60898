//! Damaged messages return to the queue, with one log line that gives the cause, until they are
//! dead-lettered.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use local::bus::{EventHandler, Queue, queue};
use serde_json::{Value, json};
use tracing::Level;

use super::fixture::{CheckerFixture, NO_TIME_LIMIT, default_answer};
use crate::log::CapturedLog;

/// A marker in every damaged message that must not be logged.
const PAYLOAD: &str = "Payload0Payload0";

/// Returns damaged message bodies and what is wrong with each.
fn damaged() -> Vec<(String, &'static str)> {
    let envelope = |kind: &str, detail: Value| {
        json!({"source": "visibility.checks", "detail-type": kind, "detail": detail, "id": PAYLOAD})
            .to_string()
    };
    let ids = json!({"workspaceId": PAYLOAD, "entityId": PAYLOAD, "check": 1});
    let with = |field: &str, value: Value| {
        let mut detail = ids.clone();
        detail[field] = value;
        detail
    };
    let unknown = "its detail-type or its detail is unknown";
    vec![
        (format!("{{{PAYLOAD}"), "it is not JSON"),
        (String::new(), "it is not JSON"),
        ("[".repeat(100_000), "it is not JSON"),
        (json!({"source": PAYLOAD}).to_string(), "its source is unknown"),
        (json!(PAYLOAD).to_string(), "its source is unknown"),
        (envelope(PAYLOAD, ids.clone()), unknown),
        (envelope("ShardReady", ids.clone()), unknown),
        (envelope("CheckClaimed", with("check", Value::Null)), unknown),
        (envelope("CheckClaimed", with("check", json!(PAYLOAD))), unknown),
        (envelope("CheckClaimed", with("check", json!(-1))), unknown),
        (envelope("EntityDeleted", with("entityId", json!("a#b"))), unknown),
        (envelope("EntityDeleted", json!([PAYLOAD])), unknown),
    ]
}

#[tokio::test]
async fn a_damaged_message_returns_to_the_queue_with_one_line_that_gives_the_cause() {
    let fixture = CheckerFixture::start(1, default_answer).await;
    let before = fixture.table.items().await;
    for (body, why) in damaged() {
        let log = CapturedLog::start();
        let batch = json!({"Records": [{"messageId": "m-1", "body": body}]});
        let result = fixture.checker.handle(batch, NO_TIME_LIMIT).await.unwrap();
        let expected = json!({"batchItemFailures": [{"itemIdentifier": "m-1"}]});
        assert_eq!(result, expected, "{why}");
        let lines = log.lines(Level::INFO);
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert_eq!(
            (&lines[0]["level"], &lines[0]["message.id"]),
            (&json!("ERROR"), &json!("m-1"))
        );
        assert_eq!(lines[0]["error"], format!("unreadable event: {why}"));
        assert!(!log.text().contains(PAYLOAD), "{}", log.text());
    }
    assert_eq!(fixture.table.items().await, before);
}

#[tokio::test]
async fn a_damaged_message_is_dead_lettered_and_does_not_delay_others() {
    let fixture = CheckerFixture::start(1, default_answer).await;
    fixture.tick().await;
    let claimed = fixture.take_published().await.remove(0);
    let successful_reply = claimed["Records"][0]["body"].as_str().unwrap().to_owned();

    let checker = fixture.checker.clone();
    let received = Arc::<Mutex<usize>>::default();
    let count = received.clone();
    let handler: EventHandler = Arc::new(move |event| {
        let checker = checker.clone();
        *count.lock().unwrap() += 1;
        Box::pin(async move {
            checker
                .handle(event, NO_TIME_LIMIT)
                .await
                .map_err(|e| e.to_string())
        })
    });
    let settings = queue::Settings {
        concurrency: 1,
        retry_delay: Duration::from_millis(1),
        ..queue::Settings::default()
    };
    let receives = settings.max_receives;
    let queue = Queue::start(handler, fixture.table.clock.clone(), settings);
    let mut sent: Vec<String> = damaged().into_iter().map(|(body, _)| queue.send(body)).collect();
    queue.send(successful_reply);
    queue.wait_until_idle().await;
    let dead = queue.dead_letters();
    assert!(dead.iter().all(|letter| letter.receives == receives));
    let mut dead: Vec<String> = dead.into_iter().map(|letter| letter.message_id).collect();
    dead.sort();
    sent.sort();
    assert_eq!(dead, sent);
    let tried = usize::try_from(receives).unwrap() * sent.len() + 1;
    assert_eq!(*received.lock().unwrap(), tried);
    assert_eq!(fixture.take_published().await.len(), 2, "the good one is planned");
}
