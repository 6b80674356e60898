//! Webhooks: their settings, what they are sent, and what becomes of deliveries.

pub(crate) mod aws_calls;
mod delivery;
mod events;
mod fixture;
mod receiver;
mod refused_targets;
mod settings;
mod simulation;

use acceptance::{Account, World};
use domain::clock::Clock;
use domain::id::WebhookId;
use domain::webhook::{Attempt, EventKind, Format, Targets, WebhookUrl};
use serde_json::{Value, json};
use store::{NewWebhook, ReplyRecorder};

use crate::contract::{Endpoint, RequestInput};

/// A URL on which nobody listens.
const NOBODY: &str = "http://127.0.0.1:9/hook";

pub(crate) const CASES: &[Endpoint] = &[
    Endpoint {
        route: "GET /webhooks",
        request: |_| RequestInput::query(&[("format", "json")]),
    },
    Endpoint {
        route: "POST /webhooks",
        request: |fixture| {
            RequestInput::body(json!({
                "url": "https://hooks.example.com/a", "events": ["check.completed"], "entityIds": [fixture.entity],
                "format": "json",
            }))
        },
    },
    Endpoint {
        route: "PATCH /webhooks",
        request: |fixture| {
            RequestInput::body(json!({
                "webhookId": fixture.webhook, "url": "https://hooks.example.com/b", "events": ["visibility.changed"],
                "entityIds": [fixture.entity], "format": "slack", "enabled": true,
            }))
        },
    },
    Endpoint {
        route: "DELETE /webhooks",
        request: |fixture| RequestInput::query(&[("webhookId", &fixture.webhook)]),
    },
    Endpoint {
        route: "POST /webhooks/rotate-secret",
        request: |fixture| RequestInput::body(json!({"webhookId": fixture.webhook})),
    },
    Endpoint {
        route: "POST /webhooks/test",
        request: |fixture| RequestInput::body(json!({"webhookId": fixture.webhook})),
    },
    Endpoint {
        route: "GET /webhooks/deliveries",
        request: |fixture| {
            RequestInput::query(&[
                ("webhookId", &fixture.webhook),
                ("format", "json"),
                ("limit", "5"),
                ("offset", "0"),
            ])
        },
    },
    Endpoint {
        route: "POST /webhooks/deliveries/redeliver",
        request: |fixture| {
            RequestInput::body(json!({"webhookId": fixture.webhook, "deliveryId": fixture.delivery}))
        },
    },
];

/// Creates a webhook whose receiver is not there, with a delivery that has ended. Returns their ids.
pub(crate) async fn delivered(world: &World, account: &Account) -> (String, String) {
    let (store, tenant) = (&world.host.store, &account.tenant);
    let new = NewWebhook {
        url: WebhookUrl::parse(NOBODY, Targets::PublicAndLoopback).unwrap(),
        format: Format::Json,
        events: vec![EventKind::WebhookDisabled],
        entities: None,
    };
    let created = store
        .create_webhook(tenant, &new, &ReplyRecorder::disabled())
        .await;
    let webhook = created.unwrap().id;
    store
        .test_webhook(tenant, &webhook, &ReplyRecorder::disabled())
        .await
        .unwrap();
    assert_eq!(store.pass_on_events(tenant).await, Ok(1));
    let owner = uuid::Uuid::new_v4();
    store.lease_queue(tenant, &webhook, owner).await.unwrap().unwrap();
    let mut delivery = store.deliveries(tenant, &webhook).await.unwrap().remove(0);
    let accepted = Attempt {
        at: world.host.clock.now(),
        status: Some(200),
        error: None,
    };
    delivery.record(accepted, 0.0);
    store.record_delivery(tenant, &delivery, 0).await.unwrap();
    store.release_queue(tenant, &webhook, owner, None).await.unwrap();
    (webhook.to_string(), delivery.id().to_string())
}

/// Creates a webhook over HTTP. Returns its id and its secret.
async fn create(world: &World, account: &Account, body: Value) -> (WebhookId, String) {
    let mut created = world.post(account, "/webhooks", &body).await.ok();
    let id = created["data"]["id"].clone();
    // If the response was lost, the request was repeated, and its response has no secret.
    while created["secret"].is_null() {
        let rotate = json!({"webhookId": id});
        created = world.post(account, "/webhooks/rotate-secret", &rotate).await.ok();
    }
    (
        id.as_str().unwrap().parse().unwrap(),
        created["secret"].as_str().unwrap().to_owned(),
    )
}
