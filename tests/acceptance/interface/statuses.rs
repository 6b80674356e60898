//! Every described status occurs, except 500.

use std::collections::BTreeSet;

use acceptance::{Account, ApiResponse, FakeOpenAi, Fault, FaultInjector, ProviderReply, World};
use domain::key_scope::{KeyAccess, KeyScope};
use domain::limits::MAX_BODY_BYTES;
use domain::workspace::{Limits, SubscriptionStatus};
use reqwest::Method;
use serde_json::{Value, json};
use store::WorkspaceUpdate;

use super::operations;
use crate::contract::{Endpoint, Fixture, RequestInput, endpoints};

/// The status of an internal error, which no request can cause.
const INTERNAL_SERVER_ERROR: u16 = 500;

type Statuses = BTreeSet<(String, u16)>;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_status_that_is_described_occurs() {
    let mut occurred = Statuses::new();
    let world = World::start().await;
    refusals(&world, &mut occurred).await;
    conflicts(&world, &mut occurred).await;
    canceled(&world, &mut occurred).await;
    out_of_scope(&world, &mut occurred).await;
    unavailable(&mut occurred).await;
    refused_by_a_provider(&mut occurred).await;
    let described_properties: Statuses = operations()
        .flat_map(|(method, path, operation)| {
            let statuses = operation["responses"].as_object().unwrap().keys();
            statuses.map(move |status| (format!("{method} {path}"), status.parse().unwrap()))
        })
        .filter(|(_, status)| *status != INTERNAL_SERVER_ERROR)
        .collect();
    let missing: Vec<_> = described_properties.difference(&occurred).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

fn note(occurred: &mut Statuses, route: &str, answer: &ApiResponse) {
    occurred.insert((route.to_owned(), answer.status));
}

/// Sends requests that fail by themselves, and one that succeeds.
async fn refusals(world: &World, occurred: &mut Statuses) {
    let no_rate = Limits {
        reads_per_minute: 0,
        writes_per_minute: 0,
        ..Limits::default()
    };
    let spent = world.account_with(no_rate, 0).await;
    for endpoint in endpoints() {
        let fixture = Fixture::new(world).await;
        let (good, key) = ((endpoint.request)(&fixture), Some(fixture.account.key.as_str()));
        let mut sent = vec![(None, good.clone()), (Some(spent.key.as_str()), good.clone())];
        let wrong = endpoint.wrong(&fixture).into_iter().next();
        sent.extend(wrong.map(|(_, wrong)| (key, wrong)));
        if let Some(subject) = unknown(endpoint) {
            sent.push((key, good.with(subject, &json!("0000000000000000"))));
        }
        sent.push((key, good.clone()));
        for (key, sent) in sent {
            note(occurred, endpoint.route, &endpoint.send(world, key, &sent).await);
        }
        let long = world
            .request(endpoint.method(), endpoint.path())
            .bearer_auth(&fixture.account.key);
        let answer = World::execute(long.body(vec![b' '; MAX_BODY_BYTES + 1])).await;
        note(occurred, endpoint.route, &answer);
    }
}

/// Returns the input whose id can be unknown.
fn unknown(endpoint: &Endpoint) -> Option<&'static str> {
    match endpoint.route {
        "GET /domain-groups" => Some("groupId"),
        _ => endpoint.subject(),
    }
}

/// Sends requests with a key that reaches one entity only.
async fn out_of_scope(world: &World, occurred: &mut Statuses) {
    let fixture = Fixture::new(world).await;
    let scope = KeyScope {
        access: KeyAccess::Read,
        entities: Some([fixture.entity.parse().unwrap()].into()),
    };
    let bound = world.account_with_scope(&fixture.account, scope).await;
    for endpoint in endpoints() {
        let request = (endpoint.request)(&fixture);
        let answer = endpoint.send(world, Some(&bound.key), &request).await;
        note(occurred, endpoint.route, &answer);
    }
}

async fn conflicts(world: &World, occurred: &mut Statuses) {
    let fixture = Fixture::new(world).await;
    for endpoint in endpoints().filter(|endpoint| endpoint.method() == Method::POST) {
        let good = (endpoint.request)(&fixture).body.unwrap();
        let mut other = good.clone();
        other["unheardOf"] = json!(1);
        for body in [good, other] {
            let request = world
                .request(Method::POST, endpoint.path())
                .bearer_auth(&fixture.account.key);
            let request = request.header("Idempotency-Key", endpoint.route).json(&body);
            note(occurred, endpoint.route, &World::execute(request).await);
        }
    }
    let fixture = Fixture::new(world).await;
    let account = &fixture.account;
    let elsewhere = json!({
        "url": "https://hooks.example.com/a", "events": ["check.completed"], "entityIds": ["0000000000000000"],
    });
    let unknown = world.post(account, "/webhooks", &elsewhere).await;
    note(occurred, "POST /webhooks", &unknown);
    let quiet = json!({"startTracking": false});
    let shop = world.entity(account, "Shop", "acme.com/shop", &[], quiet).await;
    let same = json!({"entityId": shop, "target": "acme.com"});
    note(
        occurred,
        "PATCH /entities",
        &world.patch(account, "/entities", &same).await,
    );

    let cited = crate::domain_groups::cited(world, account, &["three.example"]).await;
    let taken = crate::domain_groups::cited(world, account, &["one.example"]).await;
    let entities = json!([cited[0], fixture.entity]);
    let group = json!({"primaryEntity": cited[0], "entities": entities});
    let group = world.post(account, "/domain-groups", &group).await.ok();
    let joined = json!({"groupId": group["data"]["id"], "entities": [cited[0], taken[0]]});
    note(
        occurred,
        "PATCH /domain-groups",
        &world.patch(account, "/domain-groups", &joined).await,
    );
}

async fn canceled(world: &World, occurred: &mut Statuses) {
    let fixture = Fixture::new(world).await;
    let canceled = WorkspaceUpdate {
        status: Some(SubscriptionStatus::Canceled),
        ..WorkspaceUpdate::default()
    };
    let store = &world.host.store;
    assert!(
        store
            .update_workspace(&fixture.account.tenant, canceled)
            .await
            .unwrap()
    );
    for endpoint in endpoints() {
        let sent = (endpoint.request)(&fixture);
        let answer = endpoint.send(world, Some(&fixture.account.key), &sent).await;
        note(occurred, endpoint.route, &answer);
    }
}

/// Sends requests while the table fails.
async fn unavailable(occurred: &mut Statuses) {
    let faults = FaultInjector::default();
    let world = World::start_with_api_faults(&faults).await;
    let account: Account = world.account().await;
    faults.script(|_| Some(Fault::ServerError));
    let sent = RequestInput::body(Value::Null);
    let all = endpoints().map(|endpoint| endpoint.send(&world, Some(&account.key), &sent));
    let answers = futures::future::join_all(all).await;
    for (endpoint, answer) in endpoints().zip(&answers) {
        note(occurred, endpoint.route, answer);
    }
}

/// Asks for prompts that a provider does not generate, because it refuses the key.
async fn refused_by_a_provider(occurred: &mut Statuses) {
    let provider = FakeOpenAi::start(|_| ProviderReply::error(401, "invalid_api_key")).await;
    let world = World::asking(&provider).await;
    let account = world.account().await;
    let body = json!({"name": "Acme", "domain": "acme.com", "models": [world.model(&account).await]});
    let answer = world.post(&account, "/entities", &body).await;
    note(occurred, "POST /entities", &answer);
}
