//! `POST /entities/addprompt`, and the list of the added prompts.

use std::collections::BTreeSet;

use acceptance::World;
use domain::clock::Clock;
use domain::workspace::Limits;
use serde_json::{Value, json};

use super::{add, list};
use crate::contract::Fixture;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_prompt_that_is_added_is_listed_last_with_its_own_or_the_entitys_language_and_place() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let (account, entity) = (&fixture.account, &fixture.entity);
    let before = world.host.clock.now().as_millis();
    let mut ids = vec![fixture.prompt.clone()];
    for (more, shown) in [
        (json!({"prompt": " Which b? "}), ["Which b?", "en", "global"]),
        (
            json!({"prompt": "Which a?", "language": "pt_br"}),
            ["Which a?", "pt-BR", "global"],
        ),
        (
            json!({"prompt": "Which c?", "geolocation": "UK"}),
            ["Which c?", "en", "gb"],
        ),
        (
            json!({"prompt": "Which d?", "language": null, "prompts": null}),
            ["Which d?", "en", "global"],
        ),
    ] {
        let mut body = more;
        body["entityId"] = json!(entity);
        let added = add(&world, account, body).await.ok();
        ids.push(added["promptId"].as_str().unwrap().to_owned());
        let last = list(&world, account, entity).await.pop().unwrap();
        assert_eq!(last["id"], added["promptId"]);
        assert_eq!(
            ["prompt", "language", "geolocation"].map(|f| last[f].as_str().unwrap()),
            shown
        );
        assert_eq!(last["isActive"], true);
        let at = last["createdAt"].as_i64().unwrap();
        assert!((before..=world.host.clock.now().as_millis()).contains(&at));
    }
    let rows = list(&world, account, entity).await;
    let listed: Vec<&str> = rows.iter().map(|row| row["id"].as_str().unwrap()).collect();
    assert_eq!(listed, ids);
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), 5);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn prompts_are_added_in_bulk_each_once_and_follow_what_the_request_says_for_all() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let body = json!({"entityId": fixture.entity, "language": "de", "prompts": [
        "Which one?", {"prompt": "Which two?", "language": "fr"}, " Which one? ",
        {"prompt": "Which three?", "geolocation": "uk"}, {"prompt": "Which one?", "language": "DE"},
    ]});
    let added = add(&world, &fixture.account, body).await.ok();
    assert_eq!(added["count"], 3);
    let rows = list(&world, &fixture.account, &fixture.entity).await;
    let ids: Vec<&Value> = rows[1..].iter().map(|row| &row["id"]).collect();
    assert_eq!(
        ids,
        added["promptIds"].as_array().unwrap().iter().collect::<Vec<_>>()
    );
    let shown: Vec<[&str; 3]> = rows[1..]
        .iter()
        .map(|row| ["prompt", "language", "geolocation"].map(|f| row[f].as_str().unwrap()))
        .collect();
    assert_eq!(
        shown,
        [
            ["Which one?", "de", "global"],
            ["Which two?", "fr", "global"],
            ["Which three?", "de", "gb"]
        ]
    );
    // A bulk request with one prompt gets a bulk response.
    let one = json!({"entityId": fixture.entity, "prompts": ["Which four?"]});
    let added = add(&world, &fixture.account, one).await.ok();
    assert_eq!(added["count"], 1);
    for prompts in [json!([]), json!(["Which five?"])] {
        let both = json!({"entityId": fixture.entity, "prompt": "Which?", "prompts": prompts});
        let refused = add(&world, &fixture.account, both).await.error(400);
        assert_eq!(refused, "prompts must not be given together with prompt");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_prompt_that_names_the_entitys_own_language_or_place_is_the_same_as_one_that_names_none() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    // The entity's language is en, and its geolocation is global.
    let body = json!({"entityId": fixture.entity, "prompts": [
        "Which one?", {"prompt": "Which one?", "language": "en"}, {"prompt": "Which one?", "geolocation": "global"},
        {"prompt": "Which two?", "language": "EN", "geolocation": "Global", "tags": [fixture.tag]}, "Which two?",
        {"prompt": "Which two?", "language": "en-GB"},
    ]});
    let added = add(&world, &fixture.account, body).await.ok();
    assert_eq!(added["count"], 3, "{added}");
    let rows = list(&world, &fixture.account, &fixture.entity).await;
    let shown: Vec<Value> = rows[1..]
        .iter()
        .map(|row| json!([row["prompt"], row["language"], row["tags"]]))
        .collect();
    let tag = &fixture.tag;
    let expected = [
        json!(["Which one?", "en", []]),
        json!(["Which two?", "en", [tag]]),
        json!(["Which two?", "en-GB", []]),
    ];
    assert_eq!(shown, expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_limit_pages_the_prompts_and_without_it_all_are_listed() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let body = json!({"entityId": fixture.entity, "prompts": (1..25).map(|n| format!("Which {n}?")).collect::<Vec<_>>()});
    add(&world, &fixture.account, body).await.ok();
    let get = async |more: &str| {
        let path = format!("/entities/prompts?entityId={}{more}", fixture.entity);
        world.get(&fixture.account, &path).await
    };
    let all = get("").await.ok();
    assert!(all.get("pagination").is_none(), "{all}");
    let rows = all["data"].as_array().unwrap();
    assert_eq!(rows.len(), 25);
    for (limit, offset) in [(10, 0), (10, 20), (1, 24), (100, 0), (5, 25)] {
        let page = get(&format!("&limit={limit}&offset={offset}")).await.ok();
        let expected: Vec<_> = rows.iter().skip(offset).take(limit).cloned().collect();
        assert_eq!(page["data"], json!(expected), "{limit} {offset}");
        let pagination = json!({"total": 25, "limit": limit, "offset": offset});
        assert_eq!(page["pagination"], pagination);
    }
    let one = get(&format!("&limit=1&promptIds={}", fixture.prompt)).await.ok();
    assert_eq!(one["pagination"], json!({"total": 1, "limit": 1, "offset": 0}));
    let alone = get("&offset=1").await.error(400);
    assert_eq!(alone, "offset must be given together with limit");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_list_that_a_function_cannot_return_is_refused_and_says_how_to_page() {
    let world = World::start().await;
    let limits = Limits {
        prompts: 3_000,
        writes_per_minute: 1_000,
        ..Limits::default()
    };
    let account = world.account_with(limits, 0).await;
    let entity = world
        .entity(
            &account,
            "Acme",
            "acme.com",
            &["Which?"],
            json!({"startTracking": false}),
        )
        .await;
    // Each prompt has 3,000 bytes.
    let mut number = 0;
    while number < 2_040 {
        let prompts: Vec<String> = (number..number + 60)
            .map(|n| format!("{n:04}{}", "字".repeat(996)))
            .collect();
        add(&world, &account, json!({"entityId": entity, "prompts": prompts}))
            .await
            .ok();
        number += 60;
    }
    let path = format!("/entities/prompts?entityId={entity}");
    let rule = "with offset for the next rows: the rows do not fit into one response";
    for (more, text) in [
        ("", "limit must be given"),
        ("&format=csv", "limit must be given"),
    ] {
        let refused = world.get(&account, &format!("{path}{more}")).await;
        assert_eq!(refused.error(400), format!("{text}, {rule}"), "{more}");
    }
    let page = world.get(&account, &format!("{path}&limit=100")).await.ok();
    assert_eq!(page["pagination"]["total"], 2_041);
    assert_eq!(page["data"].as_array().unwrap().len(), 100);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bulk_that_breaks_a_rule_adds_nothing() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let many: Vec<String> = (0..91).map(|n| format!("Which {n}?")).collect();
    for (prompts, text) in [
        (json!([]), "prompts"),
        (json!("Which?"), "prompts must be an array"),
        (json!(["Which?", 7]), "prompts[1] must be a string or an object"),
        (json!(["Which?", {"prompt": ""}]), "prompts[1].prompt is required"),
        (
            json!(["Which?", {"prompt": "Who?", "geolocation": "xx"}]),
            "prompts[1].geolocation ",
        ),
        (json!(many), "prompts must be at most 90 in one request"),
    ] {
        let body = json!({"entityId": fixture.entity, "prompts": prompts});
        let error = add(&world, &fixture.account, body).await.error(400);
        assert!(error.starts_with(text), "{error}");
    }
    assert_eq!(list(&world, &fixture.account, &fixture.entity).await.len(), 1);
    let body = json!({"entityId": fixture.entity, "prompts": many[..90]});
    assert_eq!(add(&world, &fixture.account, body).await.ok()["count"], 90);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_prompt_limit_holds_however_many_are_added_at_once() {
    let world = World::start().await;
    let limits = Limits {
        prompts: 5,
        reads_per_minute: 100_000,
        writes_per_minute: 100_000,
        ..Limits::default()
    };
    let account = world.account_with(limits, 10_000).await;
    let quiet = json!({"startTracking": false});
    let entity = world
        .entity(&account, "Acme", "acme.com", &["Which?"], quiet)
        .await;

    let five = json!({"entityId": entity, "prompts": ["a?", "b?", "c?", "d?", "e?"]});
    let error = add(&world, &account, five).await.error(403);
    assert!(
        error.contains("prompts") && error.contains("4 are free"),
        "{error}"
    );
    assert_eq!(list(&world, &account, &entity).await.len(), 1);

    let all = (0..20).map(|n| {
        add(
            &world,
            &account,
            json!({"entityId": entity, "prompt": format!("Which {n}?")}),
        )
    });
    let statuses: Vec<u16> = futures::future::join_all(all)
        .await
        .iter()
        .map(|a| a.status)
        .collect();
    assert_eq!(statuses.iter().filter(|s| **s == 200).count(), 4, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|s| **s == 403).count(), 16, "{statuses:?}");
    let rows = list(&world, &account, &entity).await;
    assert_eq!(rows.len(), 5);
    assert_eq!(
        rows.iter()
            .map(|row| row["id"].to_string())
            .collect::<BTreeSet<_>>()
            .len(),
        5
    );
    let usage = world.get(&account, "/workspace").await.ok()["data"]["usage"]["prompts"].clone();
    assert_eq!(usage, json!({"used": 5, "limit": 5}));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_period_does_not_filter_which_prompts_are_listed() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    for range in [
        "period=7d",
        "period=14d",
        "startDate=2020-01-01&endDate=2020-01-02",
        "endDate=2030-01-01",
    ] {
        let path = format!("/entities/prompts?entityId={}&{range}", fixture.entity);
        let prompts = world.get(&fixture.account, &path).await.ok();
        assert_eq!(prompts["data"].as_array().unwrap().len(), 1, "{range}");
    }
}
