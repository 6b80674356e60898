//! Domain groups: several entities of one brand, merged.

mod concurrency;
mod create;
mod list;
mod references;
mod rules;
mod update;

use acceptance::{Account, ApiResponse, World};
use domain::brand::uuid_of_domain;
use domain::clock::Clock;
use domain::workspace::Limits;
use reqwest::Method;
use serde_json::{Value, json};

use crate::contract::{Endpoint, RequestInput};

pub(crate) const CASES: &[Endpoint] = &[
    Endpoint {
        route: "GET /domain-groups",
        request: |fixture| {
            RequestInput::query(&[
                ("groupId", &fixture.group),
                ("entityId", &fixture.entity),
                ("format", "json"),
            ])
        },
    },
    Endpoint {
        route: "POST /domain-groups",
        request: |fixture| {
            RequestInput::body(json!({
                "primaryEntity": fixture.entity, "entities": [fixture.other, fixture.entity],
                "name": "Both", "entityId": fixture.other,
            }))
        },
    },
    Endpoint {
        route: "PATCH /domain-groups",
        request: |fixture| {
            RequestInput::body(json!({
                "groupId": fixture.group, "name": "Both", "primaryEntity": fixture.other,
                "entities": [fixture.entity, fixture.other],
            }))
        },
    },
    Endpoint {
        route: "DELETE /domain-groups",
        request: |fixture| RequestInput::query(&[("groupId", &fixture.group)]),
    },
];

/// Records citations of `domains` and returns the uuids of their brands.
pub(crate) async fn cited(world: &World, account: &Account, domains: &[&str]) -> Vec<String> {
    let (store, day) = (&world.host.store, world.host.clock.now().day());
    let names = domains.iter().map(|domain| (*domain).to_owned()).collect();
    store
        .record_cited_domains(&account.tenant, names, day)
        .await
        .unwrap();
    domains
        .iter()
        .map(|domain| uuid_of_domain(domain).to_string())
        .collect()
}

/// Creates an entity that is only checked on request, and returns its id.
async fn entity(world: &World, account: &Account, name: &str, domain: &str) -> String {
    world
        .entity(account, name, domain, &[], json!({"startTracking": false}))
        .await
}

async fn create(world: &World, account: &Account, body: Value) -> ApiResponse {
    world.post(account, "/domain-groups", &body).await
}

/// Creates a group with the first member as its primary, and returns its id.
async fn group(world: &World, account: &Account, members: &[&str]) -> String {
    let body = json!({"primaryEntity": members[0], "entities": members});
    let created = create(world, account, body).await.ok();
    created["data"]["id"].as_str().unwrap().to_owned()
}

async fn change(world: &World, account: &Account, body: Value) -> ApiResponse {
    world
        .send(Some(account), Method::PATCH, "/domain-groups", Some(&body))
        .await
}

async fn delete(world: &World, account: &Account, group: &str) -> ApiResponse {
    let path = format!("/domain-groups?groupId={group}");
    world.send(Some(account), Method::DELETE, &path, None).await
}

/// Returns the rows of `GET /domain-groups` with these parameters.
async fn list(world: &World, account: &Account, parameters: &str) -> Vec<Value> {
    let listed = world
        .get(account, &format!("/domain-groups?{parameters}"))
        .await
        .ok();
    let rows = listed["data"].as_array().unwrap().clone();
    assert_eq!(listed["count"], rows.len());
    rows
}

/// Returns the number of entities in use.
async fn used(world: &World, account: &Account) -> u64 {
    let workspace = world.get(account, "/workspace").await.ok();
    workspace["data"]["usage"]["entities"]["used"].as_u64().unwrap()
}

/// Returns one field of a group's members, in their order.
fn members(group: &Value, field: &str) -> Vec<Value> {
    let members = group["entities"].as_array().unwrap();
    members.iter().map(|member| member[field].clone()).collect()
}

/// Creates an account with this entity limit.
async fn limited(world: &World, entities: u32) -> Account {
    let limits = Limits {
        entities,
        reads_per_minute: 100_000,
        writes_per_minute: 100_000,
        creates_per_hour: 100_000,
        ..Limits::default()
    };
    world.account_with(limits, 10_000).await
}
