//! Adding, updating, deleting and listing prompts.

mod add;
mod batch;
mod delete;
mod pause;
mod stats;
mod tags;
mod update;

use acceptance::{Account, ApiResponse, World};
use reqwest::Method;
use serde_json::{Value, json};

use crate::contract::{Endpoint, RequestInput};

pub(crate) const CASES: &[Endpoint] = &[
    Endpoint {
        route: "POST /entities/addprompt",
        request: |fixture| {
            RequestInput::body(json!({
                "entityId": fixture.entity, "prompt": "Which one?", "language": "de", "geolocation": "at",
                "tags": [fixture.tag],
            }))
        },
    },
    Endpoint {
        route: "GET /entities/prompts",
        request: |fixture| {
            RequestInput::query(&[
                ("entityId", &fixture.entity),
                ("period", "7d"),
                ("startDate", "2026-01-01"),
                ("endDate", "2026-01-31"),
                ("models", &fixture.model),
                ("promptIds", &fixture.prompt),
                ("tags", &fixture.tag),
                ("union", "false"),
                ("format", "json"),
                ("limit", "1"),
                ("offset", "0"),
            ])
        },
    },
    Endpoint {
        route: "PATCH /entities/updateprompt",
        request: |fixture| {
            RequestInput::body(json!({
                "promptId": fixture.prompt, "prompt": "Which then?", "language": "de", "geolocation": "at",
                "isActive": false, "tags": [fixture.tag],
            }))
        },
    },
    Endpoint {
        route: "DELETE /entities/prompts",
        request: |fixture| RequestInput::query(&[("promptId", &fixture.prompt)]),
    },
];

async fn update(world: &World, account: &Account, body: Value) -> ApiResponse {
    let path = "/entities/updateprompt";
    world.send(Some(account), Method::PATCH, path, Some(&body)).await
}

async fn delete(world: &World, account: &Account, prompt: &str) -> ApiResponse {
    let path = format!("/entities/prompts?promptId={prompt}");
    world.send(Some(account), Method::DELETE, &path, None).await
}

/// Returns the number of prompts that the workspace uses.
async fn used(world: &World, account: &Account) -> u64 {
    let workspace = world.get(account, "/workspace").await.ok();
    workspace["data"]["usage"]["prompts"]["used"].as_u64().unwrap()
}

/// Returns the ids of an entity's prompts as listed with these additional parameters.
async fn ids(world: &World, account: &Account, entity: &str, more: &str) -> Vec<String> {
    let path = format!("/entities/prompts?entityId={entity}&{more}");
    let prompts = world.get(account, &path).await.ok();
    let rows = prompts["data"].as_array().unwrap();
    rows.iter()
        .map(|row| row["id"].as_str().unwrap().to_owned())
        .collect()
}

async fn add(world: &World, account: &Account, body: Value) -> ApiResponse {
    world.post(account, "/entities/addprompt", &body).await
}

async fn list(world: &World, account: &Account, entity: &str) -> Vec<Value> {
    let path = format!("/entities/prompts?entityId={entity}");
    let prompts = world.get(account, &path).await.ok();
    prompts["data"].as_array().unwrap().clone()
}
