//! Invalid input of `POST /entities`.

use acceptance::World;
use serde_json::{Value, json};

use super::{create, listed};
use crate::contract::Bad;

pub(crate) const BAD: &[Bad] = &[
    Bad::Missing("name"),
    Bad::Field("name", "7"),
    Bad::Field("name", "[\"Acme\"]"),
    Bad::Field("name", "\"   \""),
    Bad::Field("name", "\"a\\u0000b\""),
    Bad::Field("name", "\"a\\nb\""),
    Bad::Field("name", "\"\\u200b\""),
    Bad::Missing("domain"),
    Bad::Field("domain", "7"),
    Bad::Field("domain", "{}"),
    Bad::Field("domain", "\"localhost\""),
    Bad::Field("domain", "\"acme\""),
    Bad::Field("domain", "\"192.168.0.1\""),
    Bad::Field("domain", "\"https://[::1]/a\""),
    Bad::Field("domain", "\"3232235521\""),
    Bad::Field("domain", "\"com\""),
    Bad::Field("domain", "\"co.uk\""),
    Bad::Field("domain", "\"github.io\""),
    Bad::Field("domain", "\"www.co.uk\\u0000\""),
    Bad::Field("domain", "\"ftp://acme.org\""),
    Bad::Field("domain", "\"javascript://acme.org\""),
    Bad::Field("domain", "\"https://user:secret@acme.org\""),
    Bad::Field("domain", "\"acme.org:8080\""),
    Bad::Field("domain", "\"acme..org\""),
    Bad::Field("domain", "\"-acme.org\""),
    Bad::Field("domain", "\"ac me.org\""),
    Bad::Field("domain", "\"a@acme.org\""),
    Bad::Field("description", "7"),
    Bad::Field("description", "\"a\\u0007b\""),
    Bad::Field("language", "7"),
    Bad::Field("language", "\"english\""),
    Bad::Field("language", "\"xx\""),
    Bad::Field("language", "\"en-XX\""),
    Bad::Field("language", "\"\""),
    Bad::Field("geolocation", "7"),
    Bad::Field("geolocation", "\"xx\""),
    Bad::Field("geolocation", "\"usa\""),
    Bad::Field("geolocation", "\"\""),
    Bad::Field("trackingType", "7"),
    Bad::Field("trackingType", "\"Website\""),
    Bad::Field("trackingType", "\"brand\""),
    Bad::Field("models", "null"),
    Bad::Field("models", "[]"),
    Bad::Field("models", "\"gpt\""),
    Bad::Field("models", "[7]"),
    Bad::Field("models", "[null]"),
    Bad::Field("models", "[\"\"]"),
    Bad::Field("models", "[\"gpt-6-luna\"]"),
    Bad::Field("models", "[\"7dea88c1-f321-5f64-bd14-a25dfce7807a\"]"),
    Bad::Field("prompts", "7"),
    Bad::Field("prompts", "{}"),
    Bad::Field("prompts", "\"Which?\""),
    Bad::Field("prompts", "[7]"),
    Bad::Field("prompts", "[null]"),
    Bad::Field("prompts", "[[]]"),
    Bad::Field("prompts", "[\"\"]"),
    Bad::Field("prompts", "[\" \\n \"]"),
    Bad::Field("prompts", "[\"a\\u0000b\"]"),
    Bad::Field("prompts", "[{}]"),
    Bad::Field("prompts", "[{\"text\": \"Which?\"}]"),
    Bad::Field("prompts", "[{\"prompt\": 7}]"),
    Bad::Field("prompts", "[{\"prompt\": \"Which?\", \"language\": \"xx\"}]"),
    Bad::Field("prompts", "[{\"prompt\": \"Which?\", \"language\": 7}]"),
    Bad::Field("prompts", "[{\"prompt\": \"Which?\", \"geolocation\": \"xx\"}]"),
    Bad::Field("generatePrompts", "\"true\""),
    Bad::Field("generatePrompts", "1"),
    Bad::Field("startTracking", "\"no\""),
    Bad::Field("startTracking", "0"),
];

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
    ] {
        let error = create(&world, &account, more).await.error(400);
        assert!(error.starts_with(text), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn texts_are_accepted_up_to_their_maximum_length() {
    let world = World::start().await;
    let account = world.account().await;
    // The limit counts characters, not bytes.
    for (field, most) in [("name", 120), ("description", 2_000)] {
        let long = json!({field: "字".repeat(most + 1)});
        let error = create(&world, &account, long).await.error(400);
        assert!(error.starts_with(field), "{error}");
    }
    let most =
        json!({"name": "字".repeat(120), "description": "𝒂".repeat(2_000), "prompts": ["é".repeat(1_000)]});
    let created = create(&world, &account, most).await.ok();
    assert_eq!(created["data"]["name"], "字".repeat(120));
    assert_eq!(created["data"]["description"], "𝒂".repeat(2_000));
    assert_eq!(created["prompts"][0]["prompt"], "é".repeat(1_000));
    let long = json!({"domain": "b.example", "prompts": ["é".repeat(1_001)]});
    let error = create(&world, &account, long).await.error(400);
    assert_eq!(error, "prompts[0] must be 1 to 1000 characters");
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_that_breaks_several_rules_creates_nothing() {
    let world = World::start().await;
    let account = world.account().await;
    for more in [
        json!({"name": 7, "domain": 7, "models": 7, "prompts": 7}),
        json!({"prompts": Value::Array(vec![json!("Which?"); 91])}),
        json!({"startTracking": "yes", "generatePrompts": "no"}),
    ] {
        assert_eq!(create(&world, &account, more).await.status, 400);
    }
    assert_eq!(listed(&world, &account).await, [""; 0]);
}
