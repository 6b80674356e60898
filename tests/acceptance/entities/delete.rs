//! `DELETE /entities`.

use std::time::Duration;

use acceptance::{Account, ApiResponse, FakeOpenAi, ProviderReply, World, answer};
use domain::check_key::CheckKey;
use domain::clock::Clock;
use domain::ordinal::CheckNumber;
use domain::workspace::Limits;
use reqwest::Method;
use serde_json::{Value, json};

use super::{create, listed, status, usage};

async fn delete(world: &World, account: &Account, entity: &str) -> ApiResponse {
    let path = format!("/entities?entityId={entity}");
    world.send(Some(account), Method::DELETE, &path, None).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deleted_entity_and_its_children_are_unknown_at_once() {
    let world = World::start().await;
    let account = world.account().await;
    let entity = world
        .entity(&account, "Acme", "acme.com", &["Which tool?"], json!({}))
        .await;
    world.checked(&account, &entity).await;
    let kept = world
        .entity(&account, "Kept", "kept.com", &["Which?"], json!({}))
        .await;
    let deleted = delete(&world, &account, &entity).await.ok();
    assert_eq!(deleted["data"]["entityId"], entity);

    for path in [
        "entities/prompts",
        "entities/tracking-status",
        "trends/visibility",
    ] {
        let path = format!("/{path}?entityId={entity}");
        assert_eq!(world.get(&account, &path).await.error(404), "Entity not found");
    }
    for (path, body) in [
        ("/entities/run-check", json!({"entityId": entity})),
        (
            "/entities/addprompt",
            json!({"entityId": entity, "prompt": "Which one?"}),
        ),
    ] {
        assert_eq!(
            world.post(&account, path, &body).await.error(404),
            "Entity not found"
        );
    }
    assert_eq!(
        delete(&world, &account, &entity).await.error(404),
        "Entity not found"
    );
    assert_eq!(listed(&world, &account).await, ["Kept"]);
    assert!(
        status(&world, &account, &kept).await["scheduled"]
            .as_bool()
            .unwrap()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_places_of_a_deleted_entity_are_free_at_once_and_a_new_tracking_of_its_target_starts_empty() {
    let world = World::start().await;
    let limits = Limits {
        entities: 1,
        prompts: 2,
        writes_per_minute: 1_000,
        reads_per_minute: 1_000,
        ..Limits::default()
    };
    let account = world.account_with(limits, 1_000).await;
    let more = json!({"prompts": ["Which one?", "Which two?"]});
    let first = create(&world, &account, more.clone()).await.ok();
    let entity = first["data"]["id"].as_str().unwrap();
    world.checked(&account, entity).await;
    assert!(
        create(&world, &account, json!({"domain": "other.com"}))
            .await
            .status
            == 403
    );

    delete(&world, &account, entity).await.ok();
    let used = usage(&world, &account).await;
    assert_eq!(
        (&used["entities"]["used"], &used["prompts"]["used"]),
        (&json!(0), &json!(0))
    );

    let second = create(&world, &account, more).await.ok();
    let again = second["data"]["id"].as_str().unwrap();
    assert_ne!(again, entity);
    assert_eq!(second["data"]["entityUuid"], first["data"]["entityUuid"]);
    world.checked(&account, again).await;
    let trend = world
        .get(&account, &format!("/trends/visibility?entityId={again}"))
        .await
        .ok();
    let responses: Vec<&Value> = trend["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| &p["responses"])
        .collect();
    assert_eq!(responses, [&json!(2)], "only its own answers");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_running_check_of_a_deleted_entity_ends_is_charged_for_its_answers_and_asks_nothing_more() {
    // The questions of the first model are answered at once, and those of the second model never.
    let provider = FakeOpenAi::start(|body| {
        let slow = body["input"].as_str().unwrap_or_default().contains("slow");
        let wait = if slow {
            Duration::from_secs(50)
        } else {
            Duration::ZERO
        };
        ProviderReply::from(answer("Acme.", &[], &[])).after(wait)
    })
    .await;
    let world = World::asking(&provider).await;
    let account = world.account().await;
    let prompts = json!({"prompts": ["One?", "Two?", "A slow one?"]});
    let created = create(&world, &account, prompts).await.ok();
    let entity = created["data"]["id"].as_str().unwrap();
    let id = entity.parse().unwrap();
    let store = &world.host.store;
    let recorded = async || {
        let first = CheckKey {
            day: world.host.clock.now().day(),
            check: CheckNumber::new(1),
        };
        store
            .responses_of(&account.tenant, &id, first)
            .await
            .unwrap()
            .len()
    };
    while recorded().await < 2 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let credits = usage(&world, &account).await["credits"].clone();
    assert_eq!(credits["totalUsed"], 0);

    delete(&world, &account, entity).await.ok();
    let balance = credits["balance"].as_i64().unwrap();
    for attempt in 0.. {
        let credits = usage(&world, &account).await["credits"].clone();
        if credits["totalUsed"] == 2 {
            // The credit of the third question is released.
            assert_eq!(credits["balance"], balance + 1);
            break;
        }
        assert!(attempt < 200, "the check's credits are not settled: {credits}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(provider.asked().values().sum::<u32>(), 3);
    // The clean-up erases what the entity has, and is repeated later.
    for attempt in 0.. {
        let left = store.entity_or_deleted(&account.tenant, &id).await.unwrap();
        if left.unwrap().erase_again_at.is_some() {
            assert_eq!(recorded().await, 0);
            break;
        }
        assert!(attempt < 200, "the deleted entity stays");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn deleting_one_of_two_trackings_of_a_brand_keeps_the_other() {
    let world = World::start().await;
    let account = world.account().await;
    let quiet = json!({"startTracking": false});
    let first = world
        .entity(&account, "Acme", "acme.com", &["Which?"], quiet.clone())
        .await;
    world
        .entity(&account, "Shop", "acme.com/shop", &["Which?"], quiet)
        .await;
    delete(&world, &account, &first).await.ok();
    assert_eq!(listed(&world, &account).await, ["Shop"]);
    let used = usage(&world, &account).await;
    assert_eq!(
        (&used["entities"]["used"], &used["prompts"]["used"]),
        (&json!(1), &json!(1))
    );
    create(&world, &account, json!({})).await.ok();
}
