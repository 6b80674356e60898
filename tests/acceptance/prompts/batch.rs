//! `PATCH /entities/updateprompt` for several prompts.

use acceptance::World;
use domain::limits::MAX_PROMPT_UPDATES_PER_REQUEST;
use serde_json::{Value, json};

use super::{add, delete, list, update};
use crate::contract::Fixture;

/// Adds `count` prompts to the fixture's entity and returns their ids.
async fn more(world: &World, fixture: &Fixture, count: usize) -> Vec<Value> {
    let mut ids = Vec::new();
    for first in (0..count).step_by(90) {
        let prompts: Vec<String> = (first..count.min(first + 90))
            .map(|n| format!("Which {n}?"))
            .collect();
        let body = json!({"entityId": fixture.entity, "prompts": prompts});
        let added = add(world, &fixture.account, body).await.ok();
        ids.extend(added["promptIds"].as_array().unwrap().clone());
    }
    ids
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn different_prompts_get_different_changes_and_are_answered_in_their_order() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let account = &fixture.account;
    let ids = more(&world, &fixture, 2).await;
    let foreign = list(&world, account, &fixture.other).await.remove(0)["id"].clone();
    let body = json!({"updates": [
        {"promptId": ids[1], "prompt": "Welche?", "language": "de"},
        {"promptId": foreign, "isActive": false},
        {"promptId": fixture.prompt, "tags": [fixture.tag], "geolocation": null},
    ]});
    let updated = update(&world, account, body).await.ok();
    assert_eq!(updated["count"], 3);

    let (mine, other) = (
        list(&world, account, &fixture.entity).await,
        list(&world, account, &fixture.other).await,
    );
    // The response shows the prompts as the list does, without their statistics.
    let plain = |row: &Value| {
        let mut row = row.clone();
        row.as_object_mut().unwrap().remove("stats");
        row
    };
    let listed = [plain(&mine[2]), plain(&other[0]), plain(&mine[0])];
    assert_eq!(updated["prompts"], json!(listed));
    assert_eq!(
        (&mine[2]["prompt"], &mine[2]["language"], &mine[2]["isActive"]),
        (&json!("Welche?"), &json!("de"), &json!(true))
    );
    assert_eq!(other[0]["isActive"], false);
    assert_eq!(mine[0]["tags"], json!([fixture.tag]));
    assert_eq!(
        (&mine[1]["prompt"], &mine[1]["tags"]),
        (&json!("Which 0?"), &json!([]))
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_batch_that_breaks_a_rule_changes_nothing() {
    let world = World::start().await;
    let (fixture, theirs) = (Fixture::new(&world).await, Fixture::new(&world).await);
    let account = &fixture.account;
    let ids = more(&world, &fixture, 101).await;
    delete(&world, account, ids[100].as_str().unwrap()).await.ok();
    let before = fixture.state(&world).await;

    let pause = |id: &Value| json!({"promptId": id, "isActive": false});
    let all: Vec<Value> = ids.iter().map(pause).collect();
    let with = |place: usize, entry: Value| {
        let mut updates = all[..MAX_PROMPT_UPDATES_PER_REQUEST].to_vec();
        updates[place] = entry;
        json!(updates)
    };
    let long = |id: &Value| json!({"promptId": id, "prompt": "𝒂".repeat(1_000)});
    let unknown = format!("{}-p{}", fixture.entity, "zz");
    for (updates, status, text) in [
        (json!([]), 400, "updates must be 1 to 100 updates"),
        (json!(all), 400, "updates must be 1 to 100 updates"),
        (json!({}), 400, "updates must be an array"),
        (with(3, json!(7)), 400, "updates[3] must be a JSON object"),
        (
            with(3, json!({"isActive": false})),
            400,
            "updates[3].promptId is required",
        ),
        (
            with(3, json!({"promptId": "", "isActive": false})),
            400,
            "updates[3].promptId is required",
        ),
        (
            with(3, json!({"promptId": ids[3]})),
            400,
            "updates[3] must have at least one of prompt, language, geolocation, isActive, tags",
        ),
        (
            with(3, json!({"promptId": ids[3], "isActive": "no"})),
            400,
            "updates[3].isActive must be true or false",
        ),
        (
            with(3, json!({"promptId": ids[3], "prompt": " "})),
            400,
            "updates[3].prompt must be 1 to 1000 characters",
        ),
        (
            with(3, json!({"promptId": ids[3], "tags": [fixture.tag, theirs.tag]})),
            400,
            "updates[3].tags[1] must be the id of a tag from GET /tags",
        ),
        (
            with(99, pause(&ids[5])),
            400,
            "updates[99].promptId must be given only once",
        ),
        (
            with(99, pause(&json!(format!(" {} ", ids[5].as_str().unwrap())))),
            400,
            "updates[99].promptId must be given only once",
        ),
        (
            json!(ids[..52].iter().map(long).collect::<Vec<_>>()),
            400,
            "updates must have at most 200 KiB of text in one request",
        ),
        // The ids are unknown, malformed, of another workspace, and deleted.
        (
            with(50, pause(&json!(unknown))),
            404,
            "Prompt not found: updates[50].promptId",
        ),
        (
            with(50, pause(&json!("x"))),
            404,
            "Prompt not found: updates[50].promptId",
        ),
        (
            with(50, pause(&json!(theirs.prompt))),
            404,
            "Prompt not found: updates[50].promptId",
        ),
        (
            with(50, pause(&ids[100])),
            404,
            "Prompt not found: updates[50].promptId",
        ),
        // An invalid body is reported before an unknown id.
        (
            json!([pause(&json!("x")), {"promptId": ids[0], "language": "xx"}]),
            400,
            "updates[1].language ",
        ),
    ] {
        let error = update(&world, account, json!({"updates": updates}))
            .await
            .error(status);
        assert!(error.starts_with(text), "{error} instead of {text}");
    }
    assert_eq!(fixture.state(&world).await, before);
    let most: Vec<Value> = ids[..51].iter().map(long).collect();
    update(&world, account, json!({"updates": most})).await.ok();
    let most = &all[..MAX_PROMPT_UPDATES_PER_REQUEST];
    assert_eq!(
        update(&world, account, json!({"updates": most})).await.ok()["count"],
        100
    );
}
