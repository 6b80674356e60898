//! References to group members: an entity id, or the uuid of a brand that the workspace tracks or has seen.

use acceptance::{FakeOpenAi, ProviderReply, World, answer};
use domain::brand::uuid_of_domain;
use domain::clock::Clock;
use domain::time::DAY;
use serde_json::json;

use super::{cited, create, entity, group, members};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_references_to_one_brand_are_one_member() {
    let world = World::start().await;
    let account = world.account().await;
    let acme = entity(&world, &account, "Acme", "acme.com").await;
    let blog = entity(&world, &account, "Acme Blog", "blog.acme.com").await;
    let other = entity(&world, &account, "Other", "other.com").await;
    let uuid = uuid_of_domain("acme.com").to_string();
    for entities in [
        json!([acme, blog]),
        json!([uuid, acme]),
        json!([blog, uuid.to_uppercase()]),
    ] {
        let body = json!({"primaryEntity": acme, "entities": entities});
        let error = create(&world, &account, body).await.error(400);
        assert_eq!(error, "entities must be 2 to 45 different entities");
    }
    // The primary and its member entry can use different references.
    let body = json!({"primaryEntity": uuid, "entities": [blog, other, acme, format!(" {uuid} ")]});
    let made = create(&world, &account, body).await.ok()["data"].clone();
    assert_eq!(members(&made, "name"), [json!("Acme"), json!("Other")]);
    assert_eq!(members(&made, "isPrimary"), [json!(true), json!(false)]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_brand_that_an_answer_cited_can_join_a_group_for_as_long_as_analytics_show_it() {
    let provider = FakeOpenAi::start(|_| {
        let urls = [
            "https://www.docs.rival.co.uk/a?utm_source=openai",
            "ftp://files.net/b",
        ];
        ProviderReply::from(answer("I recommend Acme.", &urls, &[]))
    })
    .await;
    let world = World::asking(&provider).await;
    let account = world.account().await;
    let quiet = json!({"startTracking": false});
    let acme = world
        .entity(&account, "Acme", "acme.com", &["Which?"], quiet)
        .await;
    let rival = uuid_of_domain("rival.co.uk").to_string();
    let body = json!({"primaryEntity": acme, "entities": [acme, rival]});
    assert_eq!(
        create(&world, &account, body.clone()).await.error(404),
        "Entity not found: entities[1]"
    );

    let run = json!({"entityId": acme});
    world.post(&account, "/entities/run-check", &run).await.ok();
    world.checked(&account, &acme).await;
    let made = create(&world, &account, body.clone()).await.ok()["data"].clone();
    assert_eq!(members(&made, "name"), [json!("Acme"), json!("rival.co.uk")]);
    let none = json!({"primaryEntity": acme, "entities": [acme, uuid_of_domain("files.net").to_string()]});
    assert_eq!(create(&world, &account, none).await.status, 404);

    // A brand that joined a group stays known. A brand that was only cited does not.
    super::delete(&world, &account, made["id"].as_str().unwrap())
        .await
        .ok();
    let seen = cited(&world, &account, &["seen.com"]).await.remove(0);
    let clock = &world.host.clock;
    clock.advance_to(clock.now() + 366 * DAY);
    group(
        &world,
        &account,
        &[&seen, &uuid_of_domain("rival.co.uk").to_string()],
    )
    .await;
    let gone = cited(&world, &account, &["gone.com"]).await.remove(0);
    clock.advance_to(clock.now() + 401 * DAY);
    let body = json!({"primaryEntity": acme, "entities": [acme, gone]});
    assert_eq!(create(&world, &account, body).await.status, 404);
}
