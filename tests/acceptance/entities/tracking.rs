//! When checks run, and what `tracking-status` reports about them.

use acceptance::World;
use domain::clock::Clock;
use domain::time::{HOUR, Timestamp};
use serde_json::{Value, json};

use super::{create, status};

pub(super) fn instant(iso: &Value) -> Timestamp {
    Timestamp::from_iso(iso.as_str().unwrap()).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tracking_that_was_not_started_is_not_scheduled_but_can_be_checked() {
    let world = World::start().await;
    let account = world.account().await;
    let more = json!({"prompts": ["Which?"], "startTracking": false});
    let created = create(&world, &account, more).await.ok();
    assert_eq!(
        (&created["trackingStarted"], &created["data"]["isActive"]),
        (&json!(false), &json!(false))
    );
    let entity = created["data"]["id"].as_str().unwrap();
    let untouched = json!({
        "scheduled": false, "lastCheckCompletedAt": null, "nextCheckScheduledAt": null,
        "isProcessing": false, "queued": null, "progress": null, "frequencyHours": 24, "problems": [], "rereading": null,
    });
    assert_eq!(status(&world, &account, entity).await, untouched);

    let body = json!({"entityId": entity});
    world.post(&account, "/entities/run-check", &body).await.ok();
    let checked = world.checked(&account, entity).await;
    assert_eq!(checked["scheduled"], false);
    assert!(checked["nextCheckScheduledAt"].is_null());
    let path = format!("/trends/visibility?entityId={entity}");
    let trend = world.get(&account, &path).await.ok();
    assert_eq!(trend["data"].as_array().unwrap().len(), 1);
    let entities = world.get(&account, "/entities").await.ok();
    assert_eq!(entities["data"][0]["isActive"], false);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_next_check_is_a_day_after_the_first_one() {
    let world = World::start().await;
    let account = world.account().await;
    let before = world.host.clock.now();
    let created = create(&world, &account, json!({"prompts": ["Which?"]}))
        .await
        .ok();
    let after = world.host.clock.now();
    assert_eq!(created["trackingStarted"], true);
    let checked = world
        .checked(&account, created["data"]["id"].as_str().unwrap())
        .await;
    assert_eq!(
        (&checked["scheduled"], &checked["frequencyHours"]),
        (&json!(true), &json!(24))
    );
    let next = instant(&checked["nextCheckScheduledAt"]);
    assert!(
        (before + 24 * HOUR..=after + 24 * HOUR).contains(&next),
        "{checked}"
    );
    let done = instant(&checked["lastCheckCompletedAt"]);
    assert!((before..=world.host.clock.now()).contains(&done), "{checked}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_check_on_request_leaves_the_schedule_as_it_is() {
    let world = World::start().await;
    let account = world.account().await;
    let entity = world
        .entity(&account, "Acme", "acme.com", &["Which?"], json!({}))
        .await;
    let first = world.checked(&account, &entity).await;
    world
        .post(&account, "/entities/run-check", &json!({"entityId": entity}))
        .await
        .ok();
    let second = world.checked(&account, &entity).await;
    assert_eq!(second["nextCheckScheduledAt"], first["nextCheckScheduledAt"]);
    assert!(instant(&second["lastCheckCompletedAt"]) > instant(&first["lastCheckCompletedAt"]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_prompt_of_an_active_entity_makes_it_due() {
    let world = World::start().await;
    let account = world.account().await;
    let created = create(&world, &account, json!({})).await.ok();
    let entity = created["data"]["id"].as_str().unwrap();
    assert_eq!(status(&world, &account, entity).await["scheduled"], false);
    let body = json!({"entityId": entity, "prompt": "Which?"});
    world.post(&account, "/entities/addprompt", &body).await.ok();
    let due = status(&world, &account, entity).await;
    assert_eq!(due["scheduled"], true);
    assert!(instant(&due["nextCheckScheduledAt"]) <= world.host.clock.now());
}
