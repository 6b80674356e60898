//! Invalid input of `POST /entities`.

use acceptance::World;
use serde_json::{Value, json};

use super::{create, listed};
use crate::contract::InvalidInput;

pub(crate) const INVALID_INPUTS: &[InvalidInput] = &[
    InvalidInput::Missing("name"),
    InvalidInput::Field("name", "7"),
    InvalidInput::Field("name", "[\"Acme\"]"),
    InvalidInput::Field("name", "\"   \""),
    InvalidInput::Field("name", "\"a\\u0000b\""),
    InvalidInput::Field("name", "\"a\\nb\""),
    InvalidInput::Field("name", "\"\\u200b\""),
    InvalidInput::Missing("domain"),
    InvalidInput::Field("domain", "7"),
    InvalidInput::Field("domain", "{}"),
    InvalidInput::Field("domain", "\"localhost\""),
    InvalidInput::Field("domain", "\"acme\""),
    InvalidInput::Field("domain", "\"192.168.0.1\""),
    InvalidInput::Field("domain", "\"https://[::1]/a\""),
    InvalidInput::Field("domain", "\"3232235521\""),
    InvalidInput::Field("domain", "\"com\""),
    InvalidInput::Field("domain", "\"co.uk\""),
    InvalidInput::Field("domain", "\"github.io\""),
    InvalidInput::Field("domain", "\"www.co.uk\\u0000\""),
    InvalidInput::Field("domain", "\"ftp://acme.org\""),
    InvalidInput::Field("domain", "\"javascript://acme.org\""),
    InvalidInput::Field("domain", "\"https://user:secret@acme.org\""),
    InvalidInput::Field("domain", "\"acme.org:8080\""),
    InvalidInput::Field("domain", "\"acme..org\""),
    InvalidInput::Field("domain", "\"-acme.org\""),
    InvalidInput::Field("domain", "\"ac me.org\""),
    InvalidInput::Field("domain", "\"a@acme.org\""),
    InvalidInput::Field("description", "7"),
    InvalidInput::Field("description", "\"a\\u0007b\""),
    InvalidInput::Field("language", "7"),
    InvalidInput::Field("language", "\"english\""),
    InvalidInput::Field("language", "\"xx\""),
    InvalidInput::Field("language", "\"en-XX\""),
    InvalidInput::Field("language", "\"\""),
    InvalidInput::Field("geolocation", "7"),
    InvalidInput::Field("geolocation", "\"xx\""),
    InvalidInput::Field("geolocation", "\"usa\""),
    InvalidInput::Field("geolocation", "\"\""),
    InvalidInput::Field("trackingType", "7"),
    InvalidInput::Field("trackingType", "\"Website\""),
    InvalidInput::Field("trackingType", "\"brand\""),
    InvalidInput::Field("models", "null"),
    InvalidInput::Field("models", "[]"),
    InvalidInput::Field("models", "\"gpt\""),
    InvalidInput::Field("models", "[7]"),
    InvalidInput::Field("models", "[null]"),
    InvalidInput::Field("models", "[\"\"]"),
    InvalidInput::Field("models", "[\"gpt-6-luna\"]"),
    InvalidInput::Field("models", "[\"7dea88c1-f321-5f64-bd14-a25dfce7807a\"]"),
    InvalidInput::Field("prompts", "7"),
    InvalidInput::Field("prompts", "{}"),
    InvalidInput::Field("prompts", "\"Which?\""),
    InvalidInput::Field("prompts", "[7]"),
    InvalidInput::Field("prompts", "[null]"),
    InvalidInput::Field("prompts", "[[]]"),
    InvalidInput::Field("prompts", "[\"\"]"),
    InvalidInput::Field("prompts", "[\" \\n \"]"),
    InvalidInput::Field("prompts", "[\"a\\u0000b\"]"),
    InvalidInput::Field("prompts", "[{}]"),
    InvalidInput::Field("prompts", "[{\"text\": \"Which?\"}]"),
    InvalidInput::Field("prompts", "[{\"prompt\": 7}]"),
    InvalidInput::Field("prompts", "[{\"prompt\": \"Which?\", \"tags\": 7}]"),
    InvalidInput::Field(
        "prompts",
        "[{\"prompt\": \"Which?\", \"tags\": [\"0000000000000000\"]}]",
    ),
    InvalidInput::Field("prompts", "[{\"prompt\": \"Which?\", \"language\": \"xx\"}]"),
    InvalidInput::Field("prompts", "[{\"prompt\": \"Which?\", \"language\": 7}]"),
    InvalidInput::Field("prompts", "[{\"prompt\": \"Which?\", \"geolocation\": \"xx\"}]"),
    InvalidInput::Field("generatePrompts", "\"true\""),
    InvalidInput::Field("generatePrompts", "1"),
    InvalidInput::Field("startTracking", "\"no\""),
    InvalidInput::Field("startTracking", "0"),
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
