//! Keys that may only read, and keys that reach some entities only.

use std::collections::BTreeSet;

use acceptance::{Account, World};
use domain::id::EntityId;
use domain::key_scope::{KeyAccess, KeyScope};
use serde_json::{Value, json};

use super::{Endpoint, Fixture, RequestInput, endpoints};

/// The endpoints that are about the workspace itself. A key that is bound to entities cannot use them.
const OF_WORKSPACE: [&str; 17] = [
    "POST /entities",
    "GET /entities/check-domain",
    "POST /tags",
    "DELETE /tags",
    "POST /domain-groups",
    "PATCH /domain-groups",
    "DELETE /domain-groups",
    "GET /webhooks",
    "POST /webhooks",
    "PATCH /webhooks",
    "DELETE /webhooks",
    "POST /webhooks/rotate-secret",
    "POST /webhooks/test",
    "GET /webhooks/deliveries",
    "POST /webhooks/deliveries/redeliver",
    "GET /workspace",
    "GET /workspace/members",
];

/// Returns the account with a key that reaches some entities only, or all of them if there are none.
async fn scoped(world: &World, account: &Account, access: KeyAccess, entities: &[&str]) -> Account {
    let entities: BTreeSet<EntityId> = entities.iter().map(|id| id.parse().unwrap()).collect();
    let scope = KeyScope {
        access,
        entities: Some(entities).filter(|entities| !entities.is_empty()),
    };
    world.account_with_scope(account, scope).await
}

/// Returns a key of such a scope.
async fn key(world: &World, account: &Account, access: KeyAccess, entities: &[&str]) -> String {
    scoped(world, account, access, entities).await.key
}

/// Returns a good request. One that writes has no tags, because no prompt that a bound key reaches has any.
fn request_with_known_tags(endpoint: &Endpoint, fixture: &Fixture) -> RequestInput {
    let request = (endpoint.request)(fixture);
    if endpoint.is_read() {
        return request;
    }
    request.without("tags")
}

/// Returns the subject that a request names.
fn subject(endpoint: &Endpoint, fixture: &Fixture) -> Option<String> {
    let name = endpoint.subject()?;
    let request = (endpoint.request)(fixture);
    let parameter = request.query.iter().find(|(known, _)| known == name);
    let field = request.body.as_ref().and_then(|body| body[name].as_str());
    field.or(parameter.map(|(_, id)| id.as_str())).map(str::to_owned)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_read_key_reads_what_a_write_key_reads_and_changes_nothing() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let reader = key(&world, &fixture.account, KeyAccess::Read, &[]).await;
    let before = fixture.state(&world).await;
    for endpoint in endpoints() {
        let request = (endpoint.request)(&fixture);
        let answer = endpoint.send(&world, Some(&reader), &request).await;
        if endpoint.is_read() {
            let mut read = endpoint
                .send(&world, Some(&fixture.account.key), &request)
                .await
                .ok();
            if endpoint.route == "GET /keys/self" {
                read["data"]["scope"] = json!("read");
            }
            assert_eq!(answer.ok(), read, "{}", endpoint.route);
            continue;
        }
        assert_eq!(answer.error(403), "This key may only read", "{}", endpoint.route);
        // The scope is checked before the request is read.
        let empty = endpoint
            .send(&world, Some(&reader), &RequestInput::default())
            .await;
        assert_eq!(empty.error(403), "This key may only read", "{}", endpoint.route);
    }
    assert_eq!(fixture.state(&world).await, before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn for_a_key_that_is_bound_to_entities_nothing_else_exists() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let tenant = &fixture.account;
    let of_entity = key(&world, tenant, KeyAccess::Write, &[&fixture.entity]).await;
    let of_other = key(&world, tenant, KeyAccess::Write, &[&fixture.other]).await;
    let before = fixture.state(&world).await;
    for endpoint in endpoints() {
        let route = endpoint.route;
        let request = request_with_known_tags(endpoint, &fixture);
        if OF_WORKSPACE.contains(&route) {
            for key in [&of_entity, &of_other] {
                let answer = endpoint.send(&world, Some(key), &request).await;
                assert_eq!(answer.error(403), "This key reaches only its entities", "{route}");
            }
            continue;
        }
        let Some(subject) = subject(endpoint, &fixture) else {
            continue;
        };
        let (stranger, own) = if subject.starts_with(&fixture.entity) {
            (&of_other, &of_entity)
        } else {
            assert!(subject.starts_with(&fixture.other), "{route} {subject}");
            (&of_entity, &of_other)
        };
        let name = endpoint.subject().unwrap();
        let answer = endpoint.send(&world, Some(stranger), &request).await;
        let flipped = if subject.starts_with('0') { '1' } else { '0' };
        let unknown = request.with(name, &json!(format!("{flipped}{}", &subject[1..])));
        let unknown = endpoint.send(&world, Some(stranger), &unknown).await;
        assert_eq!(answer.status, 404, "{route}");
        assert_eq!(answer.body, unknown.body, "{route}");
        if endpoint.is_read() {
            let read = endpoint.send(&world, Some(&tenant.key), &request).await;
            let answer = endpoint.send(&world, Some(own), &request).await;
            // Of entities that the key does not reach, the ids are left out, and the names are the domains.
            let (hidden, name, domain) = if own == &of_entity {
                (&fixture.other, "Other", "other.com")
            } else {
                (&fixture.entity, "Acme", "acme.com")
            };
            let without_hidden = read
                .ok()
                .to_string()
                .replace(&format!("\"{hidden}\""), "null")
                .replace(&format!("\"{name}\""), &format!("\"{domain}\""));
            assert_eq!(answer.ok().to_string(), without_hidden, "{route}");
            assert!(!without_hidden.contains(hidden.as_str()), "{route}");
        }
    }
    assert_eq!(fixture.state(&world).await, before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_that_is_bound_to_an_entity_writes_to_it() {
    let world = World::start().await;
    for endpoint in endpoints().filter(|endpoint| !endpoint.is_read()) {
        if OF_WORKSPACE.contains(&endpoint.route) {
            continue;
        }
        let fixture = Fixture::new(&world).await;
        let subject = subject(endpoint, &fixture).unwrap();
        let own = key(&world, &fixture.account, KeyAccess::Write, &[&subject[..16]]).await;
        let mut request = request_with_known_tags(endpoint, &fixture);
        if endpoint.route == "PATCH /entities" {
            let refused = endpoint.send(&world, Some(&own), &request).await;
            assert!(
                refused.error(403).starts_with("aliases"),
                "names are the workspace's"
            );
            request = request.without("aliases");
        }
        endpoint.send(&world, Some(&own), &request).await.ok();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lists_have_only_what_the_key_reaches() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let account = &fixture.account;
    let tagged = json!({"promptId": fixture.prompt, "tags": [fixture.tag]});
    world.patch(account, "/entities/updateprompt", &tagged).await.ok();
    let entities = world.get(account, "/entities").await.ok();
    let brands: Vec<&Value> = entities["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| &row["entityUuid"])
        .collect();
    let list = json!({"primaryEntity": brands[0], "entities": brands});
    let group = world.post(account, "/domain-groups", &list).await.ok();
    let group = group["data"]["id"].as_str().unwrap().to_owned();
    let [of_entity, of_other, of_both] = [
        vec![fixture.entity.as_str()],
        vec![fixture.other.as_str()],
        vec![fixture.entity.as_str(), fixture.other.as_str()],
    ];
    for (reached, has_tag) in [(&of_entity, true), (&of_other, false), (&of_both, true)] {
        let bound = scoped(&world, account, KeyAccess::Read, reached).await;
        let ids = |list: Value| -> Vec<String> {
            let rows = list["data"].as_array().unwrap().iter();
            rows.map(|row| row["id"].as_str().unwrap().to_owned()).collect()
        };
        let entities = world.get(&bound, "/entities").await.ok();
        assert_eq!(entities["count"], reached.len());
        let listed = ids(entities);
        assert!(reached.iter().all(|id| listed.iter().any(|listed| listed == id)));
        let tags = world.get(&bound, "/tags").await.ok();
        assert_eq!(ids(tags).contains(&fixture.tag), has_tag);
        let groups = ids(world.get(&bound, "/domain-groups").await.ok());
        assert_eq!(groups.contains(&group), reached.len() == 2);
        let path = format!("/domain-groups?groupId={group}");
        let of_group = world.get(&bound, &path).await;
        assert_eq!(of_group.status == 200, reached.len() == 2);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bound_key_does_not_get_the_reply_to_the_request_of_another_key() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let bound = key(&world, &fixture.account, KeyAccess::Write, &[&fixture.other]).await;
    let body = json!({"entityId": fixture.entity, "prompt": "Which one is secret?"});
    let send = async |key: &str| {
        let request = world.request(reqwest::Method::POST, "/entities/addprompt");
        let request = request.bearer_auth(key).header("Idempotency-Key", "same");
        World::execute(request.json(&body)).await
    };
    let first = send(&fixture.account.key).await.ok();
    assert_eq!(send(&bound).await.error(404), "Entity not found");
    assert_eq!(send(&fixture.account.key).await.ok(), first);
}
