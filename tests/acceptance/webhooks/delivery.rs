//! What becomes of deliveries.

use std::time::Duration;

use acceptance::{Account, World};
use domain::id::WebhookId;
use events::NotificationsDue;
use serde_json::{Value, json};

use super::create;
use super::receiver::{Behaviour, Receiver};

/// Returns the deliveries of a webhook, the latest first.
async fn deliveries(world: &World, account: &Account, webhook: &WebhookId) -> Vec<Value> {
    let path = format!("/webhooks/deliveries?webhookId={webhook}");
    let listed = world.get(account, &path).await.ok();
    listed["data"].as_array().unwrap().clone()
}

fn due(account: &Account) -> NotificationsDue {
    NotificationsDue {
        workspace_id: *account.tenant.workspace(),
    }
}

/// Waits until the latest delivery of a webhook is in this state, and returns it.
async fn wait_for_state(world: &World, account: &Account, webhook: &WebhookId, state: &str) -> Value {
    for _ in 0..2_000 {
        let latest = deliveries(world, account, webhook).await.first().cloned();
        if let Some(latest) = latest.filter(|latest| latest["state"] == state && latest["attempts"] != 0) {
            return latest;
        }
        // A tick would publish what is due.
        world.host.bus.publish(&[due(account)]).await.unwrap();
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!(
        "the delivery is not {state}: {:?}",
        deliveries(world, account, webhook).await
    );
}

async fn test_webhook(world: &World, account: &Account, webhook: &WebhookId) -> String {
    let sent = world
        .post(account, "/webhooks/test", &json!({"webhookId": webhook}))
        .await
        .ok();
    sent["data"]["eventId"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_test_is_delivered_signed_and_listed() {
    let (world, receiver) = (World::start().await, Receiver::start().await);
    let account = world.account().await;
    let body = json!({"url": receiver.url, "events": ["check.completed"]});
    let (webhook, _) = create(&world, &account, body).await;
    let event = test_webhook(&world, &account, &webhook).await;
    let received = receiver.wait_for(1).await.remove(0);
    assert_eq!(received.path, "/hook");
    assert_eq!(received.header("webhook-id"), event);
    assert_eq!(received.header("content-type"), "application/json");
    assert!(received.header("webhook-signature").starts_with("v1,"));
    let body = received.body();
    assert_eq!(body["type"], "webhook.test");
    assert!(body["timestamp"].as_str().unwrap().ends_with('Z'));
    assert_eq!(
        body["data"],
        json!({"message": "This is a test. The webhook works."})
    );
    let delivery = wait_for_state(&world, &account, &webhook, "delivered").await;
    assert_eq!(
        (
            &delivery["eventId"],
            &delivery["attempts"],
            &delivery["lastAttempt"]["status"]
        ),
        (&json!(event), &json!(1), &json!(204))
    );
}

#[tokio::test]
async fn a_failed_delivery_says_why_is_tried_again_and_can_be_asked_for_again() {
    let (world, receiver) = (World::start().await, Receiver::start().await);
    let account = world.account().await;
    let body = json!({"url": receiver.url, "events": ["check.completed"]});
    let (webhook, _) = create(&world, &account, body).await;
    receiver.answer_with(Behaviour::Status(500));
    let event = test_webhook(&world, &account, &webhook).await;
    receiver.wait_for(1).await;
    let delivery = wait_for_state(&world, &account, &webhook, "pending").await;
    assert_eq!(delivery["lastAttempt"]["error"], "HTTP status 500");
    let again = json!({"webhookId": webhook, "deliveryId": delivery["id"]});
    let refused = world
        .post(&account, "/webhooks/deliveries/redeliver", &again)
        .await;
    assert_eq!(
        refused.error(409),
        "The delivery is pending, and is tried again by itself"
    );
    // The first retry is due after five seconds.
    receiver.answer_with(Behaviour::Accept);
    wait_for_state(&world, &account, &webhook, "delivered").await;
    let received = receiver.received();
    assert_eq!(received.len(), 2);
    assert!(
        received
            .iter()
            .all(|message| message.header("webhook-id") == event)
    );
    let again = world
        .post(&account, "/webhooks/deliveries/redeliver", &again)
        .await
        .ok();
    assert_eq!(
        (&again["data"]["state"], &again["data"]["attempts"]),
        (&json!("pending"), &json!(0))
    );
    assert_eq!(receiver.wait_for(3).await[2].header("webhook-id"), event);
}

#[tokio::test]
async fn no_redirect_is_followed_and_a_broken_connection_is_told() {
    let (world, receiver) = (World::start().await, Receiver::start().await);
    let account = world.account().await;
    let body = json!({"url": receiver.url, "events": ["check.completed"]});
    let (webhook, _) = create(&world, &account, body).await;
    for (behaviour, error) in [
        (Behaviour::Redirect, "HTTP status 307: redirects are not followed"),
        (Behaviour::HangUp, "The connection broke before the response"),
    ] {
        receiver.answer_with(behaviour);
        test_webhook(&world, &account, &webhook).await;
        let delivery = wait_for_state(&world, &account, &webhook, "pending").await;
        assert_eq!(delivery["lastAttempt"]["error"], error);
        receiver.answer_with(Behaviour::Accept);
        wait_for_state(&world, &account, &webhook, "delivered").await;
    }
    assert!(receiver.received().iter().all(|message| message.path == "/hook"));
}

#[tokio::test]
async fn a_message_that_arrives_twice_sends_nothing_twice() {
    let (world, receiver) = (World::start().await, Receiver::start().await);
    let account = world.account().await;
    let body = json!({"url": receiver.url, "events": ["check.completed"]});
    let (webhook, _) = create(&world, &account, body).await;
    for _ in 0..5 {
        test_webhook(&world, &account, &webhook).await;
    }
    let due = due(&account);
    world
        .host
        .bus
        .publish(&[due.clone(), due.clone(), due])
        .await
        .unwrap();
    let received = receiver.wait_for(5).await;
    world.host.queues.wait_until_idle().await;
    assert_eq!(receiver.received().len(), 5);
    // They arrive in the order of the events.
    let listed = deliveries(&world, &account, &webhook).await;
    let listed: Vec<&str> = listed
        .iter()
        .rev()
        .map(|row| row["eventId"].as_str().unwrap())
        .collect();
    let received: Vec<&str> = received
        .iter()
        .map(|message| message.header("webhook-id"))
        .collect();
    assert_eq!(received, listed);
}
