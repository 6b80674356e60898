//! Tags of prompts, and tags as a filter of prompts.

use acceptance::World;
use serde_json::{Value, json};

use super::{add, ids, list, update};
use crate::contract::Fixture;
use crate::tags;

async fn tags_of(world: &World, fixture: &Fixture) -> Vec<Value> {
    let rows = list(world, &fixture.account, &fixture.entity).await;
    rows.iter().map(|row| row["tags"].clone()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_prompt_has_its_own_tags_or_those_of_the_request() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let (account, a) = (&fixture.account, &fixture.tag);
    let b = &tags::create(&world, account, "B").await;
    let body = json!({"entityId": fixture.entity, "prompt": "One?", "tags": [b, a, b]});
    add(&world, account, body).await.ok();
    let body = json!({"entityId": fixture.entity, "tags": [a], "prompts": [
        "Two?", {"prompt": "Three?"}, {"prompt": "Four?", "tags": [b]}, {"prompt": "Five?", "tags": []},
        {"prompt": "Four?", "tags": [a]}, {"prompt": "Six?", "tags": null},
    ]});
    assert_eq!(add(&world, account, body).await.ok()["count"], 5);
    let expected = [
        json!([]),
        json!([b, a]),
        json!([a]),
        json!([a]),
        json!([b, a]),
        json!([]),
        json!([a]),
    ];
    assert_eq!(tags_of(&world, &fixture).await, expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn prompts_are_chosen_by_tags_and_ids() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let (account, entity, a) = (&fixture.account, &fixture.entity, &fixture.tag);
    let b = &tags::create(&world, account, "B").await;
    let body = json!({"entityId": entity, "prompts": [
        {"prompt": "One?", "tags": [a]}, {"prompt": "Two?", "tags": [b, a]}, {"prompt": "Three?", "tags": [b]},
    ]});
    let added = add(&world, account, body).await.ok();
    let prompts: Vec<&str> = std::iter::once(fixture.prompt.as_str())
        .chain(
            added["promptIds"]
                .as_array()
                .unwrap()
                .iter()
                .map(|id| id.as_str().unwrap()),
        )
        .collect();
    let [none, one, two, three] = prompts[..] else {
        panic!("{prompts:?}")
    };
    let paused = json!({"promptId": two, "isActive": false});
    update(&world, account, paused).await.ok();
    for (parameters, chosen) in [
        (format!("tags={a}"), vec![one, two]),
        (format!("tags={b},{a}"), vec![one, two, three]),
        (format!("tags={b}&tags={a}"), vec![one, two, three]),
        (format!("tags={b}&promptIds={three},{none},{one}"), vec![three]),
        (format!("promptIds={two},{none}"), vec![none, two]),
        ("tags=unheard-of".to_owned(), vec![]),
        ("tags=&promptIds=".to_owned(), prompts.clone()),
    ] {
        assert_eq!(
            ids(&world, account, entity, &parameters).await,
            chosen,
            "{parameters}"
        );
    }

    // A deleted tag is on no prompt, and a new tag of that name is a different tag.
    tags::delete(&world, account, a).await.ok();
    let again = tags::create(&world, account, "Launch").await;
    let left = [json!([]), json!([]), json!([b]), json!([b])];
    assert_eq!(tags_of(&world, &fixture).await, left);
    for gone in [a, &again] {
        assert_eq!(
            ids(&world, account, entity, &format!("tags={gone}")).await,
            [""; 0]
        );
    }
    // An update does not show the deleted tag, and does not restore it.
    let body = json!({"updates": [{"promptId": one, "isActive": true}, {"promptId": two, "isActive": true}]});
    let updated = update(&world, account, body).await.ok();
    let shown: Vec<&Value> = updated["prompts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| &p["tags"])
        .collect();
    assert_eq!(shown, [&json!([]), &json!([b])]);
}
