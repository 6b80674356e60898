//! `GET` and `POST /entities/name-request`, and the effect of an approved name.

use acceptance::{Account, ApiResponse, FakeOpenAi, World, answer};
use domain::clock::Clock;
use domain::id::EntityId;
use domain::name_request::{NameRequest, ReviewDecision};
use domain::workspace::SubscriptionStatus;
use serde_json::{Value, json};
use store::WorkspaceUpdate;

use super::create;
use super::update::listed;
use crate::contract::Fixture;

async fn ask(world: &World, account: &Account, entity: &str, more: Value) -> ApiResponse {
    let mut body = json!({"entityId": entity, "suggestedName": "Nimbra"});
    for (field, value) in more.as_object().unwrap() {
        body[field] = value.clone();
    }
    world.post(account, "/entities/name-request", &body).await
}

async fn shown(world: &World, account: &Account, entity: &str) -> Value {
    let path = format!("/entities/name-request?entityId={entity}");
    world.get(account, &path).await.ok()
}

async fn review(
    world: &World,
    account: &Account,
    entity: &str,
    verdict: ReviewDecision,
    note: &str,
) -> NameRequest {
    let id: EntityId = entity.parse().unwrap();
    let store = &world.host.store;
    let reviewed = store.review_name(&account.tenant, &id, verdict, note).await;
    reviewed.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_is_pending_until_it_is_reviewed_and_then_another_may_follow() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let (account, entity) = (&fixture.account, fixture.entity.as_str());
    let none = shown(&world, account, entity).await;
    assert!(none["data"].is_null(), "{none}");

    let before = world.host.clock.now().as_millis();
    let filed = ask(&world, account, entity, json!({"suggestedName": " Nimbra "}))
        .await
        .ok();
    let request = &filed["data"];
    let expected = json!({
        "id": request["id"], "currentName": "Acme", "suggestedName": "Nimbra", "aliases": null, "reason": "", "status": "pending",
        "createdAt": request["createdAt"], "reviewedAt": null, "reviewNote": null,
    });
    assert_eq!(*request, expected);
    let at = request["createdAt"].as_i64().unwrap();
    assert!((before..=world.host.clock.now().as_millis()).contains(&at));
    assert_eq!(shown(&world, account, entity).await["data"], expected);
    let error = ask(&world, account, entity, json!({"suggestedName": "Else"}))
        .await
        .error(409);
    assert!(error.contains("waits"), "{error}");

    review(&world, account, entity, ReviewDecision::Reject, "Not yours.").await;
    let rejected = shown(&world, account, entity).await["data"].clone();
    assert_eq!(
        (&rejected["status"], &rejected["reviewNote"]),
        (&json!("rejected"), &json!("Not yours."))
    );
    assert!(rejected["reviewedAt"].as_i64().unwrap() >= at);
    assert_eq!(listed(&world, account, entity).await["name"], "Acme");

    let more = json!({"suggestedName": "Nimbra", "reason": "We are\ncalled so."});
    let second = ask(&world, account, entity, more).await.ok()["data"].clone();
    assert_ne!(second["id"], request["id"]);
    assert_eq!(second["reason"], "We are\ncalled so.");
    review(&world, account, entity, ReviewDecision::Approve, "").await;
    let approved = shown(&world, account, entity).await["data"].clone();
    assert_eq!(
        (&approved["id"], &approved["status"]),
        (&second["id"], &json!("approved"))
    );
    assert_eq!(approved["reviewNote"], "");
    let renamed = listed(&world, account, entity).await;
    assert_eq!(
        (&renamed["name"], &renamed["aliases"]),
        (&json!("Nimbra"), &json!(["Acme"]))
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn aliases_of_the_new_name_are_suggested_once_it_is_approved_and_not_added() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let (account, entity) = (&fixture.account, fixture.entity.as_str());
    let more = json!({"suggestedName": "Nimbra GmbH"});
    ask(&world, account, entity, more).await.ok();
    let pending = shown(&world, account, entity).await;
    assert_eq!(pending["suggestedAliases"], json!([]), "{pending}");
    review(&world, account, entity, ReviewDecision::Approve, "").await;
    let approved = shown(&world, account, entity).await;
    assert_eq!(approved["suggestedAliases"], json!(["Nimbra"]), "{approved}");
    let renamed = listed(&world, account, entity).await;
    assert_eq!(
        (&renamed["name"], &renamed["aliases"]),
        (&json!("Nimbra GmbH"), &json!(["Acme"]))
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_current_name_and_texts_that_are_too_long_are_refused() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let (account, entity) = (&fixture.account, fixture.entity.as_str());
    let before = fixture.state(&world).await;
    for (more, field) in [
        (json!({"suggestedName": "Acme"}), "suggestedName must differ"),
        (json!({"suggestedName": " Acme "}), "suggestedName must differ"),
        (
            json!({"suggestedName": "字".repeat(121)}),
            "suggestedName must be 1 to 120",
        ),
        (
            json!({"reason": "字".repeat(2_001)}),
            "reason must be at most 2000",
        ),
    ] {
        let error = ask(&world, account, entity, more).await.error(400);
        assert!(error.starts_with(field), "{error}");
    }
    assert_eq!(fixture.state(&world).await, before);
    // A different spelling is a different name.
    let most = json!({"suggestedName": "ACME", "reason": "字".repeat(2_000)});
    ask(&world, account, entity, most).await.ok();
    review(&world, account, entity, ReviewDecision::Approve, "").await;
    let renamed = listed(&world, account, entity).await;
    assert_eq!(
        (&renamed["name"], &renamed["aliases"]),
        (&json!("ACME"), &json!([]))
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_twenty_concurrent_name_requests_is_filed() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let (account, entity) = (&fixture.account, fixture.entity.as_str());
    let all = (0..20).map(|n| {
        ask(
            &world,
            account,
            entity,
            json!({"suggestedName": format!("Name {n}")}),
        )
    });
    let (filed, refused): (Vec<ApiResponse>, Vec<ApiResponse>) = futures::future::join_all(all)
        .await
        .into_iter()
        .partition(|answer| answer.status == 200);
    assert_eq!(filed.len(), 1);
    assert!(refused.iter().all(|answer| answer.status == 409), "{refused:?}");
    assert_eq!(
        shown(&world, account, entity).await["data"],
        filed[0].body["data"]
    );
    let requests = world.host.store.name_requests(&account.tenant).await.unwrap();
    assert_eq!(requests.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_operator_reviews_the_name_requests_of_a_canceled_workspace() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let (account, entity) = (&fixture.account, fixture.entity.as_str());
    ask(&world, account, entity, json!({})).await.ok();
    let canceled = WorkspaceUpdate {
        status: Some(SubscriptionStatus::Canceled),
        ..WorkspaceUpdate::default()
    };
    let store = &world.host.store;
    assert!(store.update_workspace(&account.tenant, canceled).await.unwrap());
    review(&world, account, entity, ReviewDecision::Approve, "").await;
    assert_eq!(listed(&world, account, entity).await["name"], "Nimbra");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_target_of_an_individual_without_a_domain_follows_its_name() {
    let world = World::start().await;
    let account = world.account().await;
    let person = |name: &str| json!({"name": name, "domain": null, "trackingType": "individual"});
    let jane = create(&world, &account, person("Jane Doe")).await.ok()["data"].clone();
    let id = jane["id"].as_str().unwrap();
    ask(&world, &account, id, json!({"suggestedName": "Jane Roe"}))
        .await
        .ok();
    review(&world, &account, id, ReviewDecision::Approve, "").await;
    let mut expected = jane.clone();
    expected["name"] = json!("Jane Roe");
    expected["target"] = json!("Jane Roe");
    expected["aliases"] = json!(["Jane Doe"]);
    assert_eq!(listed(&world, &account, id).await, expected);
    assert_eq!(create(&world, &account, person("jane roe")).await.status, 409);
    create(&world, &account, person("Jane Doe")).await.ok();
}

/// Returns the number of mentions and of responses of the entity.
async fn counts(world: &World, account: &Account, entity: &str) -> (i64, i64) {
    let path = format!("/trends/visibility?entityId={entity}");
    let trend = world.get(account, &path).await.ok();
    let points = trend["data"].as_array().unwrap();
    let sum = |field: &str| points.iter().map(|point| point[field].as_i64().unwrap()).sum();
    (sum("mentions"), sum("responses"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_are_matched_by_the_new_name_and_still_by_the_old_one_on_the_whole_day_of_its_approval() {
    let provider = FakeOpenAi::start(|body| {
        let text = match body["input"].as_str().unwrap_or_default() {
            "Old?" => "I would take Zorbly.",
            "New?" => "I would take Nimbra.",
            "Alias?" => "I would take Quantrel.",
            _ => "I would take none.",
        };
        answer(text, &[], &[])
    })
    .await;
    let world = World::asking(&provider).await;
    let account = world.account().await;
    let prompts = ["Old?", "New?", "Alias?", "Other?"];
    let entity = world
        .entity(&account, "Zorbly", "zorbly.example", &prompts, json!({}))
        .await;
    world.checked(&account, &entity).await;
    assert_eq!(counts(&world, &account, &entity).await, (1, 4));
    let check = async || {
        let body = json!({"entityId": entity});
        world.post(&account, "/entities/run-check", &body).await.ok();
        world.checked(&account, &entity).await;
        counts(&world, &account, &entity).await
    };

    ask(&world, &account, &entity, json!({})).await.ok();
    assert_eq!(check().await, (2, 8), "a name that is only asked for");
    review(&world, &account, &entity, ReviewDecision::Approve, "").await;
    assert_eq!(
        counts(&world, &account, &entity).await,
        (2, 8),
        "before the answers are read again"
    );
    assert_eq!(check().await, (6, 12), "the new name and the old one");

    let aliases = json!({"entityId": entity, "aliases": ["Quantrel"]});
    world.patch(&account, "/entities", &aliases).await.ok();
    assert_eq!(check().await, (8, 16), "the new name and the new alias");
}
