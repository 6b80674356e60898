//! `POST /entities` and the defaults of its fields.

use std::collections::BTreeMap;

use acceptance::World;
use domain::clock::Clock;
use serde_json::{Value, json};

use super::{create, creation, listed, status, usage};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn absent_fields_have_their_defaults() {
    let world = World::start().await;
    let account = world.account().await;
    let models = world.models(&account).await;
    let body =
        json!({"name": " Acme ", "domain": "acme.com", "models": [models[1]], "generatePrompts": false});
    let before = world.host.clock.now().as_millis();
    let created = world.post(&account, "/entities", &body).await.ok();
    let mut entity = created["data"].clone();
    let id = entity["id"].take();
    assert!(!id.as_str().unwrap().is_empty());
    let at = entity["createdAt"].take().as_i64().unwrap();
    assert!(
        (before..=world.host.clock.now().as_millis()).contains(&at),
        "{at}"
    );
    let uuid = domain::brand::uuid_of_domain("acme.com").to_string();
    assert_eq!(
        entity,
        json!({
            "id": null, "entityUuid": uuid, "name": "Acme", "target": "acme.com", "targetType": "domain",
            "trackingType": "website", "description": "", "faviconUrl": "https://acme.com/favicon.ico",
            "language": "en", "geolocation": "global", "models": [models[1]], "aliases": [],
            "isActive": true, "frequencyHours": 24, "createdAt": null,
        })
    );
    // The entity is active without anything to ask, and its first prompt starts the tracking.
    let counts = ["promptsGenerated", "prompts", "trackingStarted"].map(|f| &created[f]);
    assert_eq!(counts, [&json!(0), &json!([]), &json!(false)]);
    let status = status(&world, &account, id.as_str().unwrap()).await;
    assert_eq!(
        status,
        json!({
            "scheduled": false, "lastCheckCompletedAt": null, "nextCheckScheduledAt": null,
            "isProcessing": false, "queued": null, "progress": null, "frequencyHours": 24, "problems": [], "rereading": null,
        })
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn prompts_are_generated_and_tracking_starts_unless_said_otherwise() {
    let world = World::start().await;
    let account = world.account().await;
    let model = world.model(&account).await;
    let body = json!({"name": "Acme", "domain": "acme.com", "models": [model]});
    let created = world.post(&account, "/entities", &body).await.ok();
    assert_eq!(
        (&created["promptsGenerated"], &created["trackingStarted"]),
        (&json!(10), &json!(true))
    );
    assert_eq!(created["prompts"].as_array().unwrap().len(), 10);
    let entity = created["data"]["id"].as_str().unwrap();
    let status = world.checked(&account, entity).await;
    assert_eq!(status["scheduled"], true);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_lists_show_an_entity_and_its_prompts_as_they_were_created() {
    let world = World::start().await;
    let account = world.account().await;
    let more =
        json!({"description": " Two\nlines ", "prompts": ["Which b?", "Which a?"], "startTracking": false});
    let created = create(&world, &account, more).await.ok();
    let entities = world.get(&account, "/entities").await.ok();
    assert_eq!(entities["data"], json!([created["data"]]));
    assert_eq!(entities["data"][0]["description"], "Two\nlines");
    let path = format!(
        "/entities/prompts?entityId={}",
        created["data"]["id"].as_str().unwrap()
    );
    let prompts = world.get(&account, &path).await.ok();
    let shown: Vec<[&Value; 4]> = prompts["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| ["id", "prompt", "language", "geolocation"].map(|field| &p[field]))
        .collect();
    let board_contents: Vec<[&Value; 4]> = created["prompts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| ["id", "prompt", "language", "geolocation"].map(|field| &p[field]))
        .collect();
    assert_eq!(shown, board_contents);
    assert_eq!(
        board_contents
            .iter()
            .map(|p| p[1].as_str().unwrap())
            .collect::<Vec<_>>(),
        ["Which b?", "Which a?"]
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn entities_are_listed_oldest_first_and_only_in_their_workspace() {
    let world = World::start().await;
    let (account, other) = (world.account().await, world.account().await);
    for name in ["Zeta", "Alpha", "Mid"] {
        let domain = format!("{}.com", name.to_lowercase());
        create(&world, &account, json!({"name": name, "domain": domain}))
            .await
            .ok();
    }
    create(&world, &other, json!({"name": "Other", "domain": "zeta.com"}))
        .await
        .ok();
    assert_eq!(listed(&world, &account).await, ["Zeta", "Alpha", "Mid"]);
    assert_eq!(listed(&world, &other).await, ["Other"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_repeated_model_counts_once_and_the_order_stays() {
    let world = World::start().await;
    let account = world.account().await;
    let models = world.models(&account).await;
    let given = [&models[2], &models[0], &models[2]];
    let created = create(&world, &account, json!({"models": given})).await.ok();
    assert_eq!(created["data"]["models"], json!([models[2], models[0]]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_target_is_tracked_once_and_a_second_creation_changes_nothing() {
    let world = World::start().await;
    let (account, other) = (world.account().await, world.account().await);
    let quiet = json!({"prompts": ["Which?"], "startTracking": false});
    create(&world, &account, quiet).await.ok();
    let before = usage(&world, &account).await;
    for same in [
        "acme.com",
        "ACME.com",
        "www.acme.com",
        "https://www.acme.com/",
        "http://acme.com/?a=b#c",
    ] {
        let again = json!({"name": "Another", "domain": same, "prompts": ["What?"]});
        let answer = create(&world, &account, again).await;
        assert!(answer.error(409).contains("domain"), "{same}");
    }
    assert_eq!(usage(&world, &account).await, before);
    assert_eq!(listed(&world, &account).await, ["Acme"]);
    // A path or a subdomain is a different target, and another workspace can track the target as well.
    for distinct in ["acme.com/Shop", "acme.com/shop", "blog.acme.com"] {
        create(&world, &account, json!({"domain": distinct})).await.ok();
    }
    create(&world, &other, json!({})).await.ok();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_twenty_concurrent_creations_of_a_domain_succeeds() {
    let world = World::start().await;
    let account = world.account().await;
    let body = creation(&world, &account, json!({"prompts": ["Which?", "What?"]})).await;
    let all = (0..20).map(|_| world.post(&account, "/entities", &body));
    let mut answers: BTreeMap<u16, u32> = BTreeMap::new();
    for answer in futures::future::join_all(all).await {
        *answers.entry(answer.status).or_default() += 1;
    }
    assert_eq!(answers, BTreeMap::from([(200, 1), (409, 19)]));
    assert_eq!(listed(&world, &account).await, ["Acme"]);
    let usage = usage(&world, &account).await;
    assert_eq!(
        (&usage["entities"]["used"], &usage["prompts"]["used"]),
        (&json!(1), &json!(2))
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn aliases_of_a_new_entity_are_suggested_and_not_added() {
    let world = World::start().await;
    let account = world.account().await;
    let velumora = json!({"name": "Velumora Sports GmbH", "domain": "velumora.example"});
    let created = create(&world, &account, velumora).await.ok();
    assert_eq!(
        created["suggestedAliases"],
        json!(["Velumora Sports", "Velumora"])
    );
    let entities = world.get(&account, "/entities").await.ok();
    for entity in [&created["data"], &entities["data"][0]] {
        assert_eq!(entity["aliases"], json!([]), "{entity}");
    }
    let acme = create(&world, &account, json!({"name": "Acme"})).await.ok();
    assert_eq!(
        acme["suggestedAliases"],
        json!([]),
        "the name is what people write"
    );
}
