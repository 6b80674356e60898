//! `PATCH /entities/updateprompt` for one prompt.

use acceptance::World;
use serde_json::{Value, json};

use super::{add, delete, list, update, used};
use crate::contract::Fixture;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_field_changes_alone_and_the_prompt_stays_the_same_one() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let (account, entity, id) = (&fixture.account, &fixture.entity, &fixture.prompt);
    let mut expected = list(&world, account, entity).await;
    for (change, field, shown) in [
        (json!({"prompt": " Which then? "}), "prompt", json!("Which then?")),
        (json!({"language": "pt_br"}), "language", json!("pt-BR")),
        (json!({"geolocation": "UK"}), "geolocation", json!("gb")),
        (json!({"isActive": false}), "isActive", json!(false)),
        (json!({"tags": [fixture.tag]}), "tags", json!([fixture.tag])),
        // An update to the current value succeeds and changes nothing.
        (json!({"isActive": false}), "isActive", json!(false)),
        (json!({"prompt": "Which then?"}), "prompt", json!("Which then?")),
        (json!({"isActive": true}), "isActive", json!(true)),
        (json!({"tags": []}), "tags", json!([])),
        // With `null` the prompt follows the entity again.
        (json!({"language": null}), "language", json!("en")),
        (json!({"geolocation": null}), "geolocation", json!("global")),
        (json!({"geolocation": null}), "geolocation", json!("global")),
    ] {
        let mut body = change.clone();
        body["promptId"] = json!(id);
        let updated = update(&world, account, body).await.ok();
        expected[0][field] = shown;
        let rows = list(&world, account, entity).await;
        assert_eq!(rows, expected, "{change}");
        for field in ["id", "prompt", "language", "geolocation", "createdAt"] {
            assert_eq!(updated["prompt"][field], rows[0][field], "{change}");
        }
    }
    assert_eq!(used(&world, account).await, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_fields_change_at_once_and_null_fields_stay() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let (account, entity) = (&fixture.account, &fixture.entity);
    let body = json!({
        "promptId": format!(" {} ", fixture.prompt), "prompt": "Welche?", "language": "de", "geolocation": "at",
        "isActive": false, "tags": [fixture.tag, fixture.tag], "updates": null,
    });
    update(&world, account, body).await.ok();
    let after = list(&world, account, entity).await;
    let row = &after[0];
    let shown = ["prompt", "language", "geolocation", "isActive", "tags"].map(|field| row[field].clone());
    let expected = [
        json!("Welche?"),
        json!("de"),
        json!("at"),
        json!(false),
        json!([fixture.tag]),
    ];
    assert_eq!(shown, expected);

    let body = json!({
        "promptId": fixture.prompt, "prompt": null, "isActive": null, "tags": null, "language": "fr",
    });
    update(&world, account, body).await.ok();
    let mut expected = after;
    expected[0]["language"] = json!("fr");
    assert_eq!(list(&world, account, entity).await, expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_change_or_with_both_modes_it_is_refused() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let id = &fixture.prompt;
    let one = json!([{"promptId": id, "isActive": false}]);
    let none = "body must have at least one of prompt, language, geolocation, isActive, tags";
    for (body, text) in [
        (json!({"promptId": id}), none),
        (
            json!({"promptId": id, "prompt": null, "isActive": null, "tags": null}),
            none,
        ),
        (json!({"promptId": id, "other": 1}), none),
        (json!({}), "promptId is required"),
        (json!({"isActive": true}), "promptId is required"),
        (
            json!({"promptId": id, "updates": one}),
            "updates must not be given together with promptId",
        ),
        (
            json!({"isActive": true, "updates": one}),
            "updates must not be given together with isActive",
        ),
        (
            json!({"tags": [], "updates": one}),
            "updates must not be given together with tags",
        ),
        // The prompt follows the entity, so it has no override.
        (
            json!({"language": null, "updates": one}),
            "updates must not be given together with language",
        ),
    ] {
        let error = update(&world, &fixture.account, body.clone()).await.error(400);
        assert_eq!(error, text, "{body}");
    }
    let body = json!({"promptId": null, "prompt": null, "updates": one});
    update(&world, &fixture.account, body).await.ok();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deleted_prompt_is_unknown() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    delete(&world, &fixture.account, &fixture.prompt).await.ok();
    let body = json!({"promptId": fixture.prompt, "isActive": true});
    let error = update(&world, &fixture.account, body).await.error(404);
    assert_eq!(error, "Prompt not found");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_changes_of_different_fields_all_take_effect() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let (account, entity) = (&fixture.account, &fixture.entity);
    let prompt = json!({"entityId": entity, "prompt": "Which other?"});
    let id = add(&world, account, prompt).await.ok()["promptId"].clone();
    let changes = [
        json!({"prompt": "Welche?"}),
        json!({"language": "de"}),
        json!({"geolocation": "at"}),
        json!({"isActive": false}),
        json!({"tags": [fixture.tag]}),
    ];
    let all = changes.iter().map(|change| {
        let mut body = change.clone();
        body["promptId"] = id.clone();
        update(&world, account, body)
    });
    for answer in futures::future::join_all(all).await {
        answer.ok();
    }
    let row = list(&world, account, entity).await.remove(1);
    for change in &changes {
        let (field, value): (&String, &Value) = change.as_object().unwrap().iter().next().unwrap();
        assert_eq!(row[field], *value);
    }
}
