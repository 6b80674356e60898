//! The entities endpoints.

mod check_domain;
mod create;
mod delete;
mod generation;
mod input;
mod names;
mod own_prompts;
mod problems;
mod quotas;
mod run_check;
mod schedule;
mod targets;
mod tracking;
mod update;

use acceptance::{Account, ApiResponse, World};
use serde_json::{Value, json};

use crate::contract::{Endpoint, RequestInput};

pub(crate) const CASES: &[Endpoint] = &[
    Endpoint {
        route: "GET /entities",
        request: |_| RequestInput::query(&[("format", "json")]),
    },
    Endpoint {
        route: "POST /entities",
        request: |fixture| {
            RequestInput::body(json!({
                "name": "Nimbra", "domain": "nimbra.example", "description": "Tools", "language": "de",
                "geolocation": "at", "trackingType": "website", "models": [fixture.model],
                "prompts": ["Which one?", {
                    "prompt": "Which two?", "language": "fr", "geolocation": "fr", "tags": [fixture.tag],
                }],
                "generatePrompts": true, "startTracking": true,
            }))
        },
    },
    Endpoint {
        route: "DELETE /entities",
        request: |fixture| RequestInput::query(&[("entityId", &fixture.entity)]),
    },
    Endpoint {
        route: "PATCH /entities",
        request: |fixture| {
            RequestInput::body(json!({
                "entityId": fixture.entity, "target": "shop.acme.com/tools", "description": "Tools",
                "language": "de", "geolocation": "at", "models": [fixture.model], "aliases": ["Acme Inc"],
                "isActive": true, "frequencyHours": 12,
            }))
        },
    },
    Endpoint {
        route: "GET /entities/check-domain",
        request: |_| RequestInput::query(&[("domain", "acme.com")]),
    },
    Endpoint {
        route: "GET /entities/name-request",
        request: |fixture| RequestInput::query(&[("entityId", &fixture.entity)]),
    },
    Endpoint {
        route: "POST /entities/name-request",
        request: |fixture| {
            RequestInput::body(json!({
                "entityId": fixture.entity, "suggestedName": "Nimbra", "aliases": ["Nimbra Inc"], "reason": "We are called so now.",
            }))
        },
    },
    Endpoint {
        route: "GET /entities/tracking-status",
        request: |fixture| RequestInput::query(&[("entityId", &fixture.entity)]),
    },
    Endpoint {
        route: "POST /entities/run-check",
        request: |fixture| RequestInput::body(json!({"entityId": fixture.entity})),
    },
];

/// Returns the body of a creation without prompts, with the first model. `more` overrides fields.
async fn creation(world: &World, account: &Account, more: Value) -> Value {
    let model = world.model(account).await;
    let mut body = json!({"name": "Acme", "domain": "acme.com", "models": [model], "prompts": []});
    for (field, value) in more.as_object().unwrap() {
        body[field] = value.clone();
    }
    body
}

/// Creates an entity without prompts. `more` overrides fields.
async fn create(world: &World, account: &Account, more: Value) -> ApiResponse {
    let body = creation(world, account, more).await;
    world.post(account, "/entities", &body).await
}

/// Returns the `usage` of the workspace.
async fn usage(world: &World, account: &Account) -> Value {
    world.get(account, "/workspace").await.ok()["data"]["usage"].clone()
}

async fn status(world: &World, account: &Account, entity: &str) -> Value {
    let path = format!("/entities/tracking-status?entityId={entity}");
    world.get(account, &path).await.ok()["data"].clone()
}

/// Returns the names of the listed entities.
async fn listed(world: &World, account: &Account) -> Vec<String> {
    let entities = world.get(account, "/entities").await.ok();
    let rows = entities["data"].as_array().unwrap();
    assert_eq!(entities["count"], rows.len());
    rows.iter()
        .map(|row| row["name"].as_str().unwrap().to_owned())
        .collect()
}
