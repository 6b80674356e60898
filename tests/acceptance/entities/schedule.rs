//! The effect of entity updates on checks.

use std::time::Duration;

use acceptance::{FakeOpenAi, ProviderReply, World, answer};
use domain::catalogue::{Catalogue, Model};
use domain::clock::Clock;
use domain::time::HOUR;
use serde_json::{Value, json};
use store::{ClaimError, ReplyRecorder, Trigger, WriteError};
use uuid::Uuid;

use super::status;
use super::tracking::instant;
use super::update::{change, listed};
use crate::contract::Fixture;
use crate::store::table::new_entity;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_entity_that_becomes_active_is_due_and_an_inactive_one_is_not_scheduled() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let (account, entity) = (&fixture.account, fixture.entity.as_str());
    assert_eq!(status(&world, account, entity).await["scheduled"], false);
    change(&world, account, entity, json!({"isActive": true}))
        .await
        .ok();
    let due = status(&world, account, entity).await;
    assert_eq!(due["scheduled"], true);
    assert!(instant(&due["nextCheckScheduledAt"]) <= world.host.clock.now());
    assert_eq!(due["queued"], json!({"since": due["nextCheckScheduledAt"]}));
    change(&world, account, entity, json!({"isActive": false}))
        .await
        .ok();
    let paused = status(&world, account, entity).await;
    assert_eq!(
        (
            &paused["scheduled"],
            &paused["nextCheckScheduledAt"],
            &paused["queued"]
        ),
        (&json!(false), &Value::Null, &Value::Null)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_running_check_ends_normally_whatever_is_changed_meanwhile() {
    let provider =
        FakeOpenAi::start(|_| ProviderReply::from(answer("Acme.", &[], &[])).after(Duration::from_secs(1)))
            .await;
    let world = World::asking(&provider).await;
    let account = world.account().await;
    let entity = world
        .entity(&account, "Acme", "acme.com", &["Which?"], json!({}))
        .await;
    let all = json!({"isActive": false, "frequencyHours": 48, "target": "acme.com/shop", "aliases": ["AI"]});
    change(&world, &account, &entity, all).await.ok();
    let running = status(&world, &account, &entity).await;
    assert!(running["queued"].is_null() || running["queued"]["since"].is_string());
    assert_eq!(
        (&running["isProcessing"], &running["scheduled"]),
        (&json!(true), &json!(false))
    );
    let done = world.checked(&account, &entity).await;
    assert_eq!(
        (&done["scheduled"], &done["frequencyHours"]),
        (&json!(false), &json!(48))
    );
    let path = format!("/trends/visibility?entityId={entity}");
    let trend = world.get(&account, &path).await.ok();
    assert_eq!(trend["data"][0]["score"], 100.0);
    let shown = listed(&world, &account, &entity).await;
    assert_eq!(
        (&shown["target"], &shown["isActive"]),
        (&json!("acme.com/shop"), &json!(false))
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_changed_frequency_counts_from_the_last_slot() {
    let world = World::start().await;
    let account = world.account().await;
    let entity = world
        .entity(&account, "Acme", "acme.com", &["Which?"], json!({}))
        .await;
    let first = instant(&world.checked(&account, &entity).await["nextCheckScheduledAt"]) - 24 * HOUR;
    for hours in [720, 1, 48, 24] {
        change(&world, &account, &entity, json!({"frequencyHours": hours}))
            .await
            .ok();
        let next = status(&world, &account, &entity).await;
        assert_eq!(next["frequencyHours"], hours);
        assert_eq!(instant(&next["nextCheckScheduledAt"]), first + hours * HOUR);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_model_of_a_configured_provider_makes_an_entity_due() {
    let provider = FakeOpenAi::start(|_| answer("Acme.", &[], &[])).await;
    let world = World::asking(&provider).await;
    let account = world.account().await;
    let shipped = Catalogue::shipped().unwrap();
    let foreign = shipped.models().iter().filter(|model| model.provider != "openai");
    let foreign: Vec<Uuid> = foreign.map(Model::uuid).take(1).collect();
    let new = new_entity(&account.tenant, "acme.com", 1, &foreign);
    let store = &world.host.store;
    let created = store
        .create_entity(&account.tenant, &new, None, &ReplyRecorder::disabled())
        .await;
    let entity = created.unwrap().entity.id;
    assert_eq!(
        status(&world, &account, entity.as_str()).await["scheduled"],
        false
    );
    // Its slot was skipped.
    let claimed = store
        .claim_check(
            &account.tenant,
            &entity,
            Trigger::Schedule,
            &Catalogue::default(),
            &ReplyRecorder::disabled(),
        )
        .await;
    assert_eq!(claimed, Err(WriteError::Refused(ClaimError::NoModel)));

    let model = world.model(&account).await;
    change(&world, &account, entity.as_str(), json!({"models": [model]}))
        .await
        .ok();
    let due = status(&world, &account, entity.as_str()).await;
    assert_eq!(due["scheduled"], true);
    assert!(instant(&due["nextCheckScheduledAt"]) <= world.host.clock.now());
}
