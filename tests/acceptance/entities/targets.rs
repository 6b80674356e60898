//! Targets: domains, URLs and people.

use acceptance::World;
use serde_json::{Value, json};

use super::create;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_domain_or_url_is_kept_in_its_canonical_form() {
    let world = World::start().await;
    let account = world.account().await;
    for (domain, target, target_type) in [
        ("one.example", "one.example", "domain"),
        (" TWO.Example ", "two.example", "domain"),
        ("www.three.example", "three.example", "domain"),
        ("https://four.example", "four.example", "domain"),
        ("http://www.five.example/", "five.example", "domain"),
        ("https://six.example/Shop/Shoes/", "six.example/Shop/Shoes", "url"),
        ("seven.example/A?utm_source=x#top", "seven.example/A", "url"),
        ("https://eight.example:443/a", "eight.example/a", "url"),
        ("blog.nine.example", "blog.nine.example", "domain"),
        ("müller.example", "xn--mller-kva.example", "domain"),
        ("BÜCHER.example/Über", "xn--bcher-kva.example/%C3%9Cber", "url"),
        ("例え.jp", "xn--r8jz45g.jp", "domain"),
        ("shop.github.io", "shop.github.io", "domain"),
        ("ten.co.uk.", "ten.co.uk", "domain"),
    ] {
        let created = create(&world, &account, json!({"domain": domain})).await.ok();
        let entity = &created["data"];
        assert_eq!(
            [&entity["target"], &entity["targetType"]],
            [target, target_type],
            "{domain}"
        );
        let host = target.split('/').next().unwrap();
        assert_eq!(
            entity["faviconUrl"],
            format!("https://{host}/favicon.ico"),
            "{domain}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_brand_has_one_uuid_for_all_its_targets_in_all_workspaces() {
    let world = World::start().await;
    let (account, other) = (world.account().await, world.account().await);
    let mut uuids = Vec::new();
    for domain in ["acme.co.uk", "shop.acme.co.uk", "acme.co.uk/about"] {
        uuids.push(
            create(&world, &account, json!({"domain": domain})).await.ok()["data"]["entityUuid"].take(),
        );
    }
    uuids.push(
        create(&world, &other, json!({"domain": "acme.co.uk", "name": "Theirs"}))
            .await
            .ok()["data"]["entityUuid"]
            .take(),
    );
    let brand = domain::brand::uuid_of_domain("acme.co.uk").to_string();
    assert!(uuids.iter().all(|uuid| *uuid == json!(brand)), "{uuids:?}");
    let created = create(&world, &account, json!({"domain": "acme.com"})).await.ok();
    assert_ne!(created["data"]["entityUuid"], json!(brand));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_individual_needs_no_domain_and_may_have_one() {
    let world = World::start().await;
    let (account, other) = (world.account().await, world.account().await);
    let person =
        |name: &str, domain: Value| json!({"trackingType": "individual", "name": name, "domain": domain});
    let shown = |created: Value| {
        ["target", "targetType", "trackingType", "faviconUrl"].map(|field| created["data"][field].clone())
    };
    let jane = create(&world, &account, person("Jane Doe", Value::Null))
        .await
        .ok();
    let uuid = jane["data"]["entityUuid"].clone();
    assert_eq!(
        shown(jane),
        [
            json!("Jane Doe"),
            json!("individual"),
            json!("individual"),
            Value::Null
        ]
    );
    let joan = create(
        &world,
        &account,
        person("Joan Doe", json!("https://www.doe.example/joan/")),
    )
    .await
    .ok();
    assert_eq!(
        joan["data"]["entityUuid"],
        json!(domain::brand::uuid_of_domain("doe.example").to_string())
    );
    assert_eq!(
        shown(joan),
        [
            json!("doe.example/joan"),
            json!("individual"),
            json!("individual"),
            json!("https://doe.example/favicon.ico")
        ]
    );
    // The name belongs to the same person in any spelling, and the page can be tracked as a website as well.
    for same in [
        person("jane  doe", json!("")),
        person("JANE DOE", Value::Null),
        json!({"domain": "doe.example/joan"}),
    ] {
        let shown = same.to_string();
        assert_eq!(create(&world, &account, same).await.status, 409, "{shown}");
    }
    // A person without a domain belongs to the workspace alone.
    let theirs = create(&world, &other, person("Jane Doe", Value::Null)).await.ok();
    assert_ne!(theirs["data"]["entityUuid"], uuid);
    // A given domain must be valid, and a website requires one.
    let error = create(&world, &account, person("Jim", json!("localhost")))
        .await
        .error(400);
    assert!(error.starts_with("domain"), "{error}");
    let error = create(&world, &account, json!({"domain": null})).await.error(400);
    assert_eq!(error, "domain is required");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn languages_and_places_are_stored_in_canonical_form() {
    let world = World::start().await;
    let account = world.account().await;
    for (at, (language, geolocation, canonical)) in [
        ("en", "global", ["en", "global"]),
        ("FR", "GLOBAL", ["fr", "global"]),
        ("pt_br", "uk", ["pt-BR", "gb"]),
        ("pt-BR", "UK", ["pt-BR", "gb"]),
        ("en-uk", "GB", ["en-GB", "gb"]),
        ("zh-tw", "tw", ["zh-TW", "tw"]),
    ]
    .into_iter()
    .enumerate()
    {
        let domain = format!("acme{at}.com");
        let more = json!({"domain": domain, "language": language, "geolocation": geolocation});
        let created = create(&world, &account, more).await.ok();
        let entity = &created["data"];
        assert_eq!([&entity["language"], &entity["geolocation"]], canonical);
    }
}
