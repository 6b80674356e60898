//! The settings of webhooks.

use acceptance::{Account, World};
use domain::limits::MAX_WEBHOOKS;
use reqwest::Method;
use serde_json::json;

use super::create;

const URL: &str = "https://hooks.example.com/a";

async fn entity(world: &World, account: &Account) -> String {
    let quiet = json!({"startTracking": false});
    world
        .entity(account, "Acme", "acme.com", &["Which?"], quiet)
        .await
}

#[tokio::test]
async fn a_webhook_shows_its_secret_once_and_is_listed_changed_and_deleted() {
    let world = World::start().await;
    let account = world.account().await;
    let entity = entity(&world, &account).await;
    let body = json!({"url": URL, "events": ["visibility.changed", "check.completed", "check.completed"]});
    let (id, secret) = create(&world, &account, body).await;
    assert!(secret.starts_with("whsec_") && secret.len() == 50, "{secret}");
    let listed = world.get(&account, "/webhooks").await;
    assert!(!listed.text.contains("whsec_"));
    let listed = listed.ok();
    let webhook = &listed["data"][0];
    assert_eq!(
        webhook["events"],
        json!(["check.completed", "visibility.changed"])
    );
    assert_eq!(
        (&webhook["entityIds"], &webhook["enabled"], &webhook["format"]),
        (&json!([]), &json!(true), &json!("json"))
    );

    let change = json!({"webhookId": id, "entityIds": [entity], "enabled": false});
    let changed = world
        .send(Some(&account), Method::PATCH, "/webhooks", Some(&change))
        .await
        .ok();
    assert_eq!(changed["data"]["entityIds"], json!([entity]));
    assert_eq!(
        changed["data"]["disabled"]["reason"],
        "A client disabled the webhook"
    );
    let test = world
        .post(&account, "/webhooks/test", &json!({"webhookId": id}))
        .await;
    assert_eq!(test.error(400), "webhookId must name a webhook that is enabled");
    let change =
        json!({"webhookId": id, "entityIds": [], "enabled": true, "url": "https://hooks.example.com/b"});
    let changed = world
        .send(Some(&account), Method::PATCH, "/webhooks", Some(&change))
        .await
        .ok();
    assert_eq!(changed["data"]["disabled"], json!(null));
    assert_eq!(changed["data"]["url"], "https://hooks.example.com/b");

    let rotated = world
        .post(&account, "/webhooks/rotate-secret", &json!({"webhookId": id}))
        .await
        .ok();
    assert_ne!(rotated["secret"], json!(secret));
    assert!(rotated["data"]["oldSecretExpiresAt"].is_i64());

    let path = format!("/webhooks?webhookId={id}");
    world.send(Some(&account), Method::DELETE, &path, None).await.ok();
    assert_eq!(world.get(&account, "/webhooks").await.ok()["count"], 0);
    let path = format!("/webhooks/deliveries?webhookId={id}");
    assert_eq!(world.get(&account, &path).await.error(404), "Webhook not found");
}

#[tokio::test]
async fn a_workspace_has_at_most_ten_webhooks() {
    let world = World::start().await;
    let account = world.account().await;
    let body = json!({"url": URL, "events": ["check.completed"]});
    let creations = (0..MAX_WEBHOOKS + 3).map(|_| world.post(&account, "/webhooks", &body));
    let created = futures::future::join_all(creations).await;
    let taken: Vec<_> = created.iter().filter(|answer| answer.status == 200).collect();
    assert_eq!(taken.len(), MAX_WEBHOOKS as usize);
    let refused = created.into_iter().find(|answer| answer.status != 200).unwrap();
    assert_eq!(
        refused.error(403),
        "The workspace's limit of 10 webhooks is reached"
    );
    let listed = world.get(&account, "/webhooks").await.ok();
    let first = listed["data"][0]["id"].as_str().unwrap();
    let path = format!("/webhooks?webhookId={first}");
    world.send(Some(&account), Method::DELETE, &path, None).await.ok();
    create(&world, &account, body).await;
}

#[tokio::test]
async fn an_entity_of_another_workspace_is_unknown_and_named_by_its_place() {
    let world = World::start().await;
    let (account, other) = (world.account().await, world.account().await);
    let (mine, theirs) = (entity(&world, &account).await, entity(&world, &other).await);
    let body = json!({"url": URL, "events": ["check.completed"], "entityIds": [mine, theirs]});
    let refused = world.post(&account, "/webhooks", &body).await;
    assert_eq!(refused.error(404), "Entity not found: entityIds[1]");
    assert_eq!(world.get(&account, "/webhooks").await.ok()["count"], 0);
}
