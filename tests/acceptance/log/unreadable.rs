//! Damaged items and panics are logged without their content.

use std::sync::Arc;
use std::time::Duration;

use acceptance::World;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::AttributeValue;
use local::bus::{EventHandler, Queue, queue};
use runtime::SystemClock;
use runtime::metrics::SERVER_ERRORS;
use serde_json::json;
use store::connect;

use super::CapturedLog;

const MARK: &str = "xyzzy";

#[tokio::test]
async fn an_unreadable_item_is_logged_without_its_content() {
    let world = World::start().await;
    let account = world.account().await;
    let entity = world
        .entity(
            &account,
            "Acme",
            "acme.com",
            &["Which?"],
            json!({"startTracking": false}),
        )
        .await;
    let text = |text: String| AttributeValue::S(text);
    let table = Client::new(&connect::to_endpoint(&world.host.ready.dynamodb_endpoint));
    table
        .update_item()
        .table_name(&world.host.ready.table)
        .key("PK", text(format!("W#{}", account.tenant.workspace())))
        .key("SK", text(format!("ENTITY#{entity}")))
        .update_expression("SET trackingType = :mark")
        .expression_attribute_values(":mark", text(MARK.to_owned()))
        .send()
        .await
        .unwrap();
    let log = CapturedLog::start();
    world.get(&account, "/entities").await.error(500);
    let errors = log.with_message("a request failed");
    assert_eq!(errors.len(), 1);
    let cause = errors[0]["cause"].as_str().unwrap();
    assert!(
        cause.contains("an item: it is no ") && cause.contains("Entity"),
        "{cause}"
    );
    assert!(!log.text().contains(MARK), "{}", log.text());

    // The call of a tool fails within a response of status 200.
    let called = world.call_tool(&account, "list_entities", &json!({})).await;
    assert_eq!(
        (called.is_error, called.text.as_str()),
        (true, "Internal server error")
    );
    let answered = log.with_message("a request is answered");
    let of_tool = answered.last().unwrap();
    assert_eq!(of_tool["http.status"], 500);
    assert_eq!(of_tool[SERVER_ERRORS], 1);
    assert!(!log.text().contains(MARK), "{}", log.text());
}

#[tokio::test]
async fn a_panic_in_a_message_handler_is_logged_without_the_message_or_the_panic_text() {
    let handler: EventHandler = Arc::new(|event| Box::pin(async move { panic!("xyzzy panic of {event}") }));
    let settings = queue::Settings {
        max_receives: 1,
        retry_delay: Duration::from_millis(1),
        ..queue::Settings::default()
    };
    let log = CapturedLog::start();
    let queue = Queue::start(handler, Arc::new(SystemClock), settings);
    for _ in 0..2 {
        queue.send(MARK.to_owned());
    }
    queue.wait_until_idle().await;
    assert_eq!(
        log.with_message("a message failed too often and is now a dead letter")
            .len(),
        2
    );
    assert_eq!(queue.dead_letters()[0].reason, "the function panicked");
    assert!(!log.text().contains(MARK), "{}", log.text());
}
