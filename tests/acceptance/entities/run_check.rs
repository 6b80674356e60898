//! `POST /entities/run-check`.

use std::time::Duration;

use acceptance::{FakeOpenAi, ProviderReply, World, answer};
use domain::workspace::Limits;
use serde_json::json;

use super::{create, status, usage};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_check_asks_every_prompt_of_every_model_once() {
    let provider = FakeOpenAi::start(|_| answer("Acme.", &[], &[])).await;
    let world = World::asking(&provider).await;
    let account = world.account().await;
    let models = world.models(&account).await;
    let more = json!({"models": models[..2], "startTracking": false});
    let entity = world
        .entity(&account, "Acme", "acme.com", &["a?", "b?", "c?"], more)
        .await;
    let body = json!({"entityId": entity});
    let started = world.post(&account, "/entities/run-check", &body).await.ok();
    let expected = json!({"entityId": entity, "isProcessing": true, "questions": 6});
    assert_eq!(started["data"], expected);
    world.checked(&account, &entity).await;
    let asked = provider.asked();
    assert_eq!(asked.len(), 6);
    assert!(asked.values().all(|n| *n == 1), "{asked:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_a_check_runs_another_is_409_and_the_status_says_so() {
    let provider =
        FakeOpenAi::start(|_| ProviderReply::from(answer("Acme.", &[], &[])).after(Duration::from_secs(2)))
            .await;
    let world = World::asking(&provider).await;
    let account = world.account().await;
    let created = create(&world, &account, json!({"prompts": ["Which?"]}))
        .await
        .ok();
    assert_eq!(created["trackingStarted"], true);
    let entity = created["data"]["id"].as_str().unwrap();
    assert_eq!(status(&world, &account, entity).await["isProcessing"], true);
    let body = json!({"entityId": entity});
    let error = world
        .post(&account, "/entities/run-check", &body)
        .await
        .error(409);
    assert!(error.contains("running"), "{error}");
    world.checked(&account, entity).await;
    world.post(&account, "/entities/run-check", &body).await.ok();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_entity_without_a_prompt_has_nothing_to_check() {
    let world = World::start().await;
    let account = world.account().await;
    let created = create(&world, &account, json!({})).await.ok();
    let body = json!({"entityId": created["data"]["id"]});
    let error = world
        .post(&account, "/entities/run-check", &body)
        .await
        .error(400);
    assert!(
        error.starts_with("entityId") && error.contains("prompt"),
        "{error}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_credits_nothing_is_asked_and_the_reason_is_returned() {
    let provider = FakeOpenAi::start(|_| answer("Acme.", &[], &[])).await;
    let world = World::asking(&provider).await;
    let limits = Limits {
        reads_per_minute: 100_000,
        writes_per_minute: 100_000,
        creates_per_hour: 100_000,
        ..Limits::default()
    };
    // The first model costs one credit per answer, so two prompts need two credits.
    let account = world.account_with(limits, 1).await;
    let created = create(&world, &account, json!({"prompts": ["a?", "b?"]}))
        .await
        .ok();
    assert_eq!(created["trackingStarted"], false);
    let message = created["message"].as_str().unwrap();
    assert!(
        message.contains("2 credits") && message.contains("balance is 1"),
        "{message}"
    );

    let entity = created["data"]["id"].as_str().unwrap();
    let waiting = status(&world, &account, entity).await;
    assert_eq!(
        (&waiting["scheduled"], &waiting["isProcessing"]),
        (&json!(true), &json!(false))
    );
    assert!(waiting["lastCheckCompletedAt"].is_null() && waiting["nextCheckScheduledAt"].is_string());
    let reason = waiting["problems"][0]["reason"].as_str().unwrap();
    assert!(reason.contains("credits"), "{reason}");

    let body = json!({"entityId": entity});
    let error = world
        .post(&account, "/entities/run-check", &body)
        .await
        .error(403);
    assert!(error.contains("credits"), "{error}");
    assert!(provider.asked().is_empty());
    assert_eq!(
        usage(&world, &account).await["credits"],
        json!({"balance": 1, "totalUsed": 0})
    );

    let more = store::WorkspaceUpdate {
        add_credits: Some(1),
        ..store::WorkspaceUpdate::default()
    };
    assert!(
        world
            .host
            .store
            .update_workspace(&account.tenant, more)
            .await
            .unwrap()
    );
    world.post(&account, "/entities/run-check", &body).await.ok();
    let done = world.checked(&account, entity).await;
    assert_eq!(done["problems"], json!([]));
    assert_eq!(
        usage(&world, &account).await["credits"],
        json!({"balance": 0, "totalUsed": 2})
    );
}
