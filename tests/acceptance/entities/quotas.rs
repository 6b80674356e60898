//! The limits of a workspace are exact under concurrency.

use std::collections::BTreeMap;

use acceptance::{Account, World};
use domain::workspace::Limits;
use serde_json::json;

use super::{create, creation, listed, usage};

async fn account(world: &World, entities: u32, prompts: u32) -> Account {
    let limits = Limits {
        entities,
        prompts,
        reads_per_minute: 100_000,
        writes_per_minute: 100_000,
        creates_per_hour: 100_000,
        ..Limits::default()
    };
    world.account_with(limits, 10_000).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn over_the_entity_limit_is_403_and_changes_nothing() {
    let world = World::start().await;
    let account = account(&world, 2, 100).await;
    for domain in ["a.example", "b.example"] {
        create(&world, &account, json!({"domain": domain, "name": domain}))
            .await
            .ok();
    }
    let before = usage(&world, &account).await;
    assert_eq!(before["entities"], json!({"used": 2, "limit": 2}));
    let more = json!({"domain": "c.example", "prompts": ["Which?"]});
    let error = create(&world, &account, more).await.error(403);
    assert!(error.contains('2') && error.contains("entities"), "{error}");
    assert_eq!(usage(&world, &account).await, before);
    assert_eq!(listed(&world, &account).await, ["a.example", "b.example"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn over_the_prompt_limit_is_403_and_changes_nothing() {
    let world = World::start().await;
    let account = account(&world, 10, 3).await;
    let before = usage(&world, &account).await;
    let four = json!({"prompts": ["a?", "b?", "c?", "d?"]});
    let error = create(&world, &account, four).await.error(403);
    assert!(error.contains('3') && error.contains("prompts"), "{error}");
    assert_eq!(usage(&world, &account).await, before);
    assert_eq!(listed(&world, &account).await, [""; 0]);
    // Duplicates count once.
    let three = json!({"prompts": ["a?", "b?", "c?", "a?"], "startTracking": false});
    create(&world, &account, three).await.ok();
    assert_eq!(
        usage(&world, &account).await["prompts"],
        json!({"used": 3, "limit": 3})
    );
    let one = json!({"domain": "b.example", "prompts": ["e?"]});
    assert_eq!(create(&world, &account, one).await.status, 403);
    create(&world, &account, json!({"domain": "b.example"}))
        .await
        .ok();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn exactly_as_many_of_two_hundred_concurrent_creations_succeed_as_the_limit_allows() {
    let world = World::start().await;
    let account = account(&world, 5, 500).await;
    let mut bodies = Vec::new();
    for n in 0..200 {
        let (domain, name) = (format!("site{n}.example"), format!("Site {n}"));
        let more = json!({"domain": domain, "name": name, "prompts": ["a?"], "startTracking": false});
        bodies.push(creation(&world, &account, more).await);
    }
    let all = bodies.iter().map(|body| world.post(&account, "/entities", body));
    let mut answers: BTreeMap<u16, u32> = BTreeMap::new();
    let mut created = Vec::new();
    for answer in futures::future::join_all(all).await {
        *answers.entry(answer.status).or_default() += 1;
        if answer.status == 200 {
            created.push(answer.body["data"]["name"].as_str().unwrap().to_owned());
        }
    }
    assert_eq!(answers, BTreeMap::from([(200, 5), (403, 195)]));
    let usage = usage(&world, &account).await;
    assert_eq!(usage["entities"], json!({"used": 5, "limit": 5}));
    assert_eq!(usage["prompts"]["used"], 5);
    let mut listed = listed(&world, &account).await;
    listed.sort();
    created.sort();
    assert_eq!(listed, created);
}
