//! `POST /domain-groups`: a group right after its creation.

use acceptance::World;
use domain::brand::uuid_of_domain;
use domain::clock::Clock;
use serde_json::{Value, json};

use super::{cited, create, delete, entity, list, members, used};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_group_shows_its_members_in_the_order_given_as_they_are_tracked_or_by_their_domain() {
    let world = World::start().await;
    let account = world.account().await;
    let acme = entity(&world, &account, "Acme", "acme.com").await;
    let shop = entity(&world, &account, "Acme Shop", "https://www.shop.acme.co.uk/Store").await;
    let seen = cited(&world, &account, &["xn--mnchen-3ya.de"]).await.remove(0);
    let before = world.host.clock.now().as_millis();
    let body = json!({"primaryEntity": shop, "entities": [seen, acme, shop], "name": null, "entityId": null});
    let created = create(&world, &account, body).await.ok();
    let group = &created["data"];
    assert_eq!(group["name"], "Acme Shop");
    assert_eq!(
        group["primaryEntityUuid"],
        json!(uuid_of_domain("acme.co.uk").to_string())
    );
    assert_eq!(group["entityTrackingId"], Value::Null);
    assert_eq!(group["createdAt"], group["updatedAt"]);
    assert!((before..=world.host.clock.now().as_millis()).contains(&group["createdAt"].as_i64().unwrap()));
    let expected = [
        json!({
            "entityId": null, "entityUuid": seen, "name": "münchen.de", "target": "xn--mnchen-3ya.de",
            "faviconUrl": "https://xn--mnchen-3ya.de/favicon.ico", "isPrimary": false, "inWorkspace": false,
        }),
        json!({
            "entityId": acme, "entityUuid": uuid_of_domain("acme.com").to_string(), "name": "Acme", "target": "acme.com",
            "faviconUrl": "https://acme.com/favicon.ico", "isPrimary": false, "inWorkspace": true,
        }),
        json!({
            "entityId": shop, "entityUuid": uuid_of_domain("acme.co.uk").to_string(), "name": "Acme Shop",
            "target": "shop.acme.co.uk/Store", "faviconUrl": "https://shop.acme.co.uk/favicon.ico",
            "isPrimary": true, "inWorkspace": true,
        }),
    ];
    assert_eq!(group["entities"].as_array().unwrap().as_slice(), expected);
    assert_eq!(
        list(&world, &account, "").await.as_slice(),
        std::slice::from_ref(group)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_group_has_the_name_and_the_scope_that_it_is_given() {
    let world = World::start().await;
    let account = world.account().await;
    let acme = entity(&world, &account, "Acme", "acme.com").await;
    let other = entity(&world, &account, "Other", "other.com").await;
    let scope = entity(&world, &account, "Third", "third.com").await;
    let name = "é".repeat(120);
    let body = json!({
        "primaryEntity": acme, "entities": [acme, other], "name": format!(" {name} "), "entityId": scope,
    });
    let created = create(&world, &account, body.clone()).await.ok();
    assert_eq!(created["data"]["name"], name);
    assert_eq!(created["data"]["entityTrackingId"], scope);

    delete(&world, &account, created["data"]["id"].as_str().unwrap())
        .await
        .ok();
    let mut long = body;
    long["name"] = json!("é".repeat(121));
    let error = create(&world, &account, long).await.error(400);
    assert_eq!(error, "name must be 1 to 120 characters");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_individual_without_a_domain_is_a_member_like_any_other() {
    let world = World::start().await;
    let account = world.account().await;
    let acme = entity(&world, &account, "Acme", "acme.com").await;
    let model = world.model(&account).await;
    let jane = json!({
        "name": "Jane Doe", "trackingType": "individual", "models": [model], "prompts": [], "startTracking": false,
    });
    let jane = world.post(&account, "/entities", &jane).await.ok()["data"].clone();
    let body = json!({"primaryEntity": jane["entityUuid"], "entities": [jane["id"], acme]});
    let group = create(&world, &account, body).await.ok()["data"].clone();
    assert_eq!(group["name"], "Jane Doe");
    assert_eq!(members(&group, "target"), [json!("Jane Doe"), json!("acme.com")]);
    assert_eq!(
        members(&group, "faviconUrl"),
        [Value::Null, json!("https://acme.com/favicon.ico")]
    );
    assert_eq!(members(&group, "isPrimary"), [json!(true), json!(false)]);
    assert_eq!(used(&world, &account).await, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_member_is_shown_by_its_oldest_tracking_and_a_new_tracking_of_an_untracked_one_shows_at_once() {
    let world = World::start().await;
    let account = world.account().await;
    let acme = entity(&world, &account, "Acme", "acme.com").await;
    entity(&world, &account, "Acme Blog", "blog.acme.com").await;
    let seen = cited(&world, &account, &["other.com"]).await.remove(0);
    super::group(&world, &account, &[&seen, &acme]).await;
    let shown = async || list(&world, &account, "").await.remove(0);
    assert_eq!(
        members(&shown().await, "name"),
        [json!("other.com"), json!("Acme")]
    );
    assert_eq!(shown().await["name"], "other.com");

    let other = entity(&world, &account, "Other", "www.other.com/shop").await;
    assert_eq!(members(&shown().await, "entityId"), [json!(other), json!(acme)]);
    assert_eq!(members(&shown().await, "inWorkspace"), [json!(true), json!(true)]);
    assert_eq!(shown().await["name"], "Other");
}
