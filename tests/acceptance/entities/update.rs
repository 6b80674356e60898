//! `PATCH /entities`.

use acceptance::{Account, ApiResponse, World};
use serde_json::{Value, json};

use super::check_domain::check;
use super::create;
use crate::contract::Fixture;

pub(super) async fn change(world: &World, account: &Account, entity: &str, change: Value) -> ApiResponse {
    let mut body = change;
    body["entityId"] = json!(entity);
    world.patch(account, "/entities", &body).await
}

/// Returns the entity as the list shows it.
pub(super) async fn listed(world: &World, account: &Account, entity: &str) -> Value {
    let entities = world.get(account, "/entities").await.ok();
    let rows = entities["data"].as_array().unwrap();
    rows.iter().find(|row| row["id"] == entity).unwrap().clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_field_changes_alone_and_absent_fields_stay() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let (account, entity) = (&fixture.account, fixture.entity.as_str());
    let models = world.models(account).await;
    let mut expected = listed(&world, account, entity).await;
    for (given, shown) in [
        (
            json!({"description": " Tools\nfor all "}),
            json!({"description": "Tools\nfor all"}),
        ),
        (json!({"description": ""}), json!({"description": ""})),
        (json!({"language": "pt_br"}), json!({"language": "pt-BR"})),
        (json!({"geolocation": "UK"}), json!({"geolocation": "gb"})),
        (
            json!({"models": [models[1], models[0], models[1]]}),
            json!({"models": [models[1], models[0]]}),
        ),
        (json!({"models": [models[0]]}), json!({"models": [models[0]]})),
        (
            json!({"aliases": [" Acme Inc ", "ACME", "AI", "acme  inc"]}),
            json!({"aliases": ["Acme Inc", "AI"]}),
        ),
        (json!({"aliases": []}), json!({"aliases": []})),
        (json!({"frequencyHours": 1}), json!({"frequencyHours": 1})),
        (json!({"frequencyHours": 720}), json!({"frequencyHours": 720})),
        (json!({"isActive": true}), json!({"isActive": true})),
        (json!({"isActive": false}), json!({"isActive": false})),
        (
            json!({"target": "https://www.shop.ACME.com/Tools/?utm_source=x"}),
            json!({
                "target": "shop.acme.com/Tools", "targetType": "url",
                "faviconUrl": "https://shop.acme.com/favicon.ico",
            }),
        ),
        (
            json!({"target": "acme.com"}),
            json!({
                "target": "acme.com", "targetType": "domain", "faviconUrl": "https://acme.com/favicon.ico",
            }),
        ),
        (
            json!({"description": "Both", "language": "de", "isActive": null, "name": null}),
            json!({"description": "Both", "language": "de"}),
        ),
    ] {
        for (field, value) in shown.as_object().unwrap() {
            expected[field] = value.clone();
        }
        // An update without a change also succeeds.
        for _ in 0..2 {
            let changed = change(&world, account, entity, given.clone()).await.ok();
            assert_eq!(changed["data"], expected, "{given}");
            assert_eq!(listed(&world, account, entity).await, expected, "{given}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_patch_without_a_change_is_refused_and_one_with_a_name_says_how_names_change() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let (account, entity) = (&fixture.account, fixture.entity.as_str());
    let before = fixture.state(&world).await;
    for nothing in [
        json!({}),
        json!({"description": null, "target": null}),
        json!({"unheardOf": 1}),
    ] {
        let error = change(&world, account, entity, nothing).await.error(400);
        assert!(error.starts_with("body must change"), "{error}");
    }
    let named = json!({"name": "Nimbra", "description": "New"});
    let error = change(&world, account, entity, named).await.error(400);
    assert!(error.contains("/entities/name-request"), "{error}");
    let many: Vec<String> = (0..21).map(|n| format!("Name {n}")).collect();
    for (given, text) in [
        (json!({"models": [fixture.model, "x"]}), "models[1] "),
        (
            json!({"aliases": ["A", "字".repeat(121)]}),
            "aliases[1] must be 1 to 120",
        ),
        (json!({"aliases": many}), "aliases must have at most 20"),
        (
            json!({"description": "字".repeat(2_001)}),
            "description must be at most 2000",
        ),
    ] {
        let error = change(&world, account, entity, given).await.error(400);
        assert!(error.starts_with(text), "{error}");
    }
    assert_eq!(fixture.state(&world).await, before);
    change(&world, account, entity, json!({"aliases": many[..20]}))
        .await
        .ok();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_target_changes_within_its_domain_to_an_untracked_one_and_frees_its_former_one() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let (account, entity) = (&fixture.account, fixture.entity.as_str());
    let blog = create(&world, account, json!({"domain": "blog.acme.com"}))
        .await
        .ok();
    let before = fixture.state(&world).await;
    for other in ["other.com", "acme.co.uk", "nimbra.com"] {
        let error = change(&world, account, entity, json!({"target": other}))
            .await
            .error(400);
        assert_eq!(error, "target must stay within acme.com");
    }
    let taken = json!({"target": "https://blog.acme.com/", "description": "Moved"});
    let error = change(&world, account, entity, taken).await.error(409);
    assert!(error.contains("tracked"), "{error}");
    assert_eq!(fixture.state(&world).await, before);
    assert_eq!(
        check(&world, account, "blog.acme.com").await["entityId"],
        blog["data"]["id"]
    );

    let uuid = listed(&world, account, entity).await["entityUuid"].clone();
    change(&world, account, entity, json!({"target": "acme.com/shop"}))
        .await
        .ok();
    assert_eq!(listed(&world, account, entity).await["entityUuid"], uuid);
    assert_eq!(check(&world, account, "acme.com/shop").await["entityId"], entity);
    assert_eq!(check(&world, account, "acme.com").await["available"], true);
    create(&world, account, json!({"domain": "acme.com"})).await.ok();
    let back = change(&world, account, entity, json!({"target": "acme.com"})).await;
    assert_eq!(back.status, 409);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_individual_keeps_its_type_and_without_a_domain_has_no_target_to_change() {
    let world = World::start().await;
    let account = world.account().await;
    let person =
        |name: &str, domain: Value| json!({"name": name, "domain": domain, "trackingType": "individual"});
    let joan = create(&world, &account, person("Joan", json!("doe.example")))
        .await
        .ok();
    let joan = joan["data"]["id"].as_str().unwrap().to_owned();
    let moved = change(&world, &account, &joan, json!({"target": "doe.example/joan"}))
        .await
        .ok();
    let shown = ["target", "targetType", "trackingType"].map(|field| moved["data"][field].clone());
    assert_eq!(
        shown,
        ["doe.example/joan", "individual", "individual"].map(Value::from)
    );

    let jane = create(&world, &account, person("Jane", Value::Null)).await.ok();
    let jane = jane["data"]["id"].as_str().unwrap();
    let error = change(&world, &account, jane, json!({"target": "jane.example"}))
        .await
        .error(400);
    assert!(error.starts_with("target"), "{error}");
    let described = change(&world, &account, jane, json!({"description": "A person"}))
        .await
        .ok();
    assert_eq!(described["data"]["target"], "Jane");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn prompts_without_their_own_language_and_place_follow_the_entitys() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let (account, entity) = (&fixture.account, fixture.entity.as_str());
    let own = json!({"entityId": entity, "prompt": "Which one?", "language": "fr", "geolocation": "fr"});
    world.post(account, "/entities/addprompt", &own).await.ok();
    change(
        &world,
        account,
        entity,
        json!({"language": "de", "geolocation": "at"}),
    )
    .await
    .ok();
    let path = format!("/entities/prompts?entityId={entity}");
    let rows = world.get(account, &path).await.ok()["data"].clone();
    let locale = |n: usize| [rows[n]["language"].clone(), rows[n]["geolocation"].clone()];
    assert_eq!(locale(0), ["de", "at"].map(Value::from));
    assert_eq!(locale(1), ["fr", "fr"].map(Value::from));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn aliases_are_suggested_until_a_client_adds_them() {
    let world = World::start().await;
    let account = world.account().await;
    let velumora = json!({"name": "Velumora Sports GmbH", "domain": "velumora.example"});
    let created = create(&world, &account, velumora).await.ok();
    let entity = created["data"]["id"].as_str().unwrap();
    for (given, suggested, aliases) in [
        (
            json!({"description": "Shoes"}),
            json!(["Velumora Sports", "Velumora"]),
            json!([]),
        ),
        (
            json!({"aliases": ["Velumora Sports"]}),
            json!(["Velumora"]),
            json!(["Velumora Sports"]),
        ),
        // Whoever looks for `Velumora` finds it in `Velumora Sports` too.
        (json!({"aliases": ["Velumora"]}), json!([]), json!(["Velumora"])),
    ] {
        let changed = change(&world, &account, entity, given.clone()).await.ok();
        assert_eq!(changed["suggestedAliases"], suggested, "{given}");
        assert_eq!(
            listed(&world, &account, entity).await["aliases"],
            aliases,
            "{given}"
        );
    }
}
