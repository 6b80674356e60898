//! The tags of a workspace.

use acceptance::{Account, ApiResponse, World};
use domain::clock::Clock;
use domain::limits::MAX_TAGS_PER_WORKSPACE;
use reqwest::Method;
use serde_json::{Value, json};

use crate::contract::{Endpoint, Fixture, RequestInput};

pub(crate) const CASES: &[Endpoint] = &[
    Endpoint {
        route: "GET /tags",
        request: |_| RequestInput::query(&[("format", "json")]),
    },
    Endpoint {
        route: "POST /tags",
        request: |_| RequestInput::body(json!({"name": "Another"})),
    },
    Endpoint {
        route: "DELETE /tags",
        request: |fixture| RequestInput::query(&[("tagId", &fixture.tag)]),
    },
];

async fn post(world: &World, account: &Account, name: &str) -> ApiResponse {
    world.post(account, "/tags", &json!({"name": name})).await
}

/// Creates a tag and returns its id.
pub(crate) async fn create(world: &World, account: &Account, name: &str) -> String {
    let created = post(world, account, name).await.ok();
    created["data"]["id"].as_str().unwrap().to_owned()
}

pub(crate) async fn delete(world: &World, account: &Account, tag: &str) -> ApiResponse {
    let path = format!("/tags?tagId={tag}");
    world.send(Some(account), Method::DELETE, &path, None).await
}

async fn names(world: &World, account: &Account) -> Vec<Value> {
    let listed = world.get(account, "/tags").await.ok();
    let tags = listed["data"].as_array().unwrap();
    assert_eq!(listed["count"], tags.len());
    tags.iter().map(|tag| tag["name"].clone()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tags_are_listed_in_order_of_creation_until_they_are_deleted() {
    let world = World::start().await;
    let (account, other) = (world.account().await, world.account().await);
    let before = world.host.clock.now().as_millis();
    let mut tags = Vec::new();
    for name in ["  Zeta ", "alpha", &"字".repeat(60)] {
        let created = post(&world, &account, name).await.ok();
        assert_eq!(created["data"]["name"], name.trim());
        let at = created["data"]["createdAt"].as_i64().unwrap();
        assert!((before..=world.host.clock.now().as_millis()).contains(&at));
        tags.push(created["data"].clone());
        // Later tags are listed later, even within one millisecond.
        tokio::time::sleep(std::time::Duration::from_millis(2)).await;
    }
    let listed = world.get(&account, "/tags").await.ok();
    assert_eq!(listed["data"], json!(tags));
    assert_eq!(names(&world, &other).await, [json!(null); 0]);

    let id = tags[1]["id"].as_str().unwrap();
    assert_eq!(delete(&world, &other, id).await.error(404), "Tag not found");
    let deleted = delete(&world, &account, id).await.ok();
    assert_eq!(deleted["data"], json!({"tagId": id}));
    assert_eq!(delete(&world, &account, id).await.error(404), "Tag not found");
    assert_eq!(
        names(&world, &account).await,
        [json!("Zeta"), json!("字".repeat(60))]
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_is_taken_in_every_spelling_until_its_tag_is_deleted() {
    let world = World::start().await;
    let (account, other) = (world.account().await, world.account().await);
    let first = create(&world, &account, "Straße  Q3").await;
    for taken in ["Straße  Q3", " STRASSE q3", "straße\u{a0}Ｑ３", "Stra\u{ad}ße Q3"] {
        let error = post(&world, &account, taken).await.error(409);
        assert!(error.contains("name"), "{error}");
    }
    assert_eq!(names(&world, &account).await.len(), 1);
    post(&world, &account, "Straße Q4").await.ok();
    post(&world, &other, "Straße Q3").await.ok();

    delete(&world, &account, &first).await.ok();
    let again = create(&world, &account, "STRASSE Q3").await;
    assert_ne!(first, again);
    assert_eq!(post(&world, &account, "Straße Q3").await.status, 409);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_workspace_has_at_most_200_tags() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let account = &fixture.account;
    // The fixture already has one tag.
    let all = (0..MAX_TAGS_PER_WORKSPACE - 2).map(|n| format!("Tag {n}"));
    let all: Vec<String> = all.collect();
    for some in all.chunks(20) {
        let made = futures::future::join_all(some.iter().map(|name| post(&world, account, name))).await;
        assert!(made.iter().all(|answer| answer.status == 200));
    }
    // The concurrent requests compete for one remaining tag.
    let last: Vec<String> = (0..8).map(|n| format!("Last {n}")).collect();
    let answers = futures::future::join_all(last.iter().map(|name| post(&world, account, name))).await;
    let (made, refused): (Vec<ApiResponse>, Vec<ApiResponse>) =
        answers.into_iter().partition(|a| a.status == 200);
    assert_eq!(made.len(), 1);
    for answer in refused {
        assert_eq!(answer.error(403), "The workspace's limit of 200 tags is reached");
    }
    assert_eq!(names(&world, account).await.len(), 200);
    delete(&world, account, &fixture.tag).await.ok();
    post(&world, account, "One more").await.ok();
    assert_eq!(post(&world, account, "Too many").await.status, 403);
}
