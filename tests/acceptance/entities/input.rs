//! Invalid input of `POST /entities`.

use acceptance::World;
use serde_json::json;

use super::create;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_error_names_the_item_of_a_list_and_the_rule_that_it_violates() {
    let world = World::start().await;
    let account = world.account().await;
    for (more, text) in [
        (
            json!({"prompts": ["Which?", ""]}),
            "prompts[1] must be 1 to 1000 characters",
        ),
        (
            json!({"prompts": ["Which?", {"prompt": "Who?", "language": "xx"}]}),
            "prompts[1].language ",
        ),
        (
            json!({"prompts": ["Which?", {"prompt": "Who?", "geolocation": 7}]}),
            "prompts[1].geolocation ",
        ),
        (
            json!({"prompts": [{"prompt": null}]}),
            "prompts[0].prompt is required",
        ),
        (
            json!({"models": ["x"]}),
            "models[0] must be the uuid of a model from GET /models",
        ),
        (json!({"models": []}), "models must name at least one model"),
        // A website has a domain.
        (json!({"domain": null}), "domain "),
        (json!({"domain": ""}), "domain "),
    ] {
        let error = create(&world, &account, more).await.error(400);
        assert!(error.starts_with(text), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn null_is_treated_as_an_absent_field() {
    let world = World::start().await;
    let account = world.account().await;
    let nulls = json!({
        "description": null, "language": null, "geolocation": null, "trackingType": null,
        "generatePrompts": null, "startTracking": null, "unheardOf": null,
        "prompts": [{"prompt": "Which?", "language": null, "geolocation": null}],
    });
    let created = create(&world, &account, nulls).await.ok();
    let entity = &created["data"];
    let shown = [
        "description",
        "language",
        "geolocation",
        "trackingType",
        "isActive",
    ]
    .map(|f| &entity[f]);
    assert_eq!(
        shown,
        [
            &json!(""),
            &json!("en"),
            &json!("global"),
            &json!("website"),
            &json!(true)
        ]
    );
    let prompt = &created["prompts"][0];
    assert_eq!([&prompt["language"], &prompt["geolocation"]], ["en", "global"]);
}
