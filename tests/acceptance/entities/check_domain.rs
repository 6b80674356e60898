//! `GET /entities/check-domain`.

use acceptance::{Account, World};
use serde_json::{Value, json};

use super::create;

pub(super) async fn check(world: &World, account: &Account, domain: &str) -> Value {
    let url = reqwest::Url::parse_with_params("http://localhost", [("domain", domain)]).unwrap();
    let path = format!("/entities/check-domain?{}", url.query().unwrap());
    let checked = world.get(account, &path).await.ok();
    checked["data"].clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tracked_target_is_found_however_it_is_written() {
    let world = World::start().await;
    let account = world.account().await;
    let created = create(
        &world,
        &account,
        json!({"domain": "https://müller.example/Shop/"}),
    )
    .await;
    let id = created.ok()["data"]["id"].clone();
    let target = "xn--mller-kva.example/Shop";
    for domain in [
        target,
        "www.MÜLLER.example/Shop",
        "http://müller.example/Shop/?a=b#c",
    ] {
        let expected = json!({
            "domain": target, "available": false, "reason": "already_in_workspace", "entityId": id,
        });
        assert_eq!(check(&world, &account, domain).await, expected, "{domain}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_target_that_this_workspace_does_not_track_is_available() {
    let world = World::start().await;
    let (account, other) = (world.account().await, world.account().await);
    create(&world, &account, json!({"domain": "acme.com"})).await.ok();
    create(
        &world,
        &account,
        json!({"name": "jane.com", "domain": null, "trackingType": "individual"}),
    )
    .await
    .ok();
    create(&world, &other, json!({"domain": "theirs.com"})).await.ok();
    // These are another page, another host, a target of another workspace, and a person with the name of the
    // domain.
    for (domain, target) in [
        ("acme.com/shop", "acme.com/shop"),
        ("shop.acme.com", "shop.acme.com"),
        ("www.theirs.com", "theirs.com"),
        ("jane.com", "jane.com"),
    ] {
        let expected = json!({
            "domain": target, "available": true, "reason": "not_tracked", "entityId": null,
        });
        assert_eq!(check(&world, &account, domain).await, expected, "{domain}");
    }
}
