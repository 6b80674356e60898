//! Wrong calls.

use acceptance::World;
use mcp::TOOLS;
use serde_json::{Value, json};

use super::arguments;
use crate::contract::Fixture;
use crate::contract::tenants::table_snapshot;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wrong_call_says_what_is_right() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let account = &fixture.account;
    for (tool, arguments, expected) in [
        (
            "visibility",
            json!({"entity": "x"}),
            "There is no argument entity. This tool takes entityId, period",
        ),
        (
            "visibility",
            json!({}),
            "entityId is required: The id of the entity",
        ),
        ("visibility", json!({"entityId": "unknown"}), "Entity not found"),
        (
            "visibility",
            json!({"entityId": fixture.entity, "startDate": "yesterday"}),
            "startDate must be",
        ),
        (
            "cited_urls",
            json!({"entityId": fixture.entity, "citedEntityUuid": "x"}),
            "citedEntityUuid must be a UUID",
        ),
        (
            "add_prompts",
            json!({"entityId": fixture.entity, "prompts": []}),
            "prompts must",
        ),
        // Assistants send lists as JSON texts.
        (
            "add_prompts",
            json!({"entityId": fixture.entity, "prompts": "[\"Is this good?\"]"}),
            "prompts must be an array of strings",
        ),
        (
            "visibility",
            json!({"entityId": fixture.entity, "models": format!("[\"{}\"]", fixture.model)}),
            "models must be an array of strings",
        ),
    ] {
        let result = world.call_tool(account, tool, &arguments).await;
        assert!(
            result.is_error && result.text.starts_with(expected),
            "{tool}: {}",
            result.text
        );
    }
    let unknown = world
        .mcp(
            account,
            "tools/call",
            &json!({"name": "drop_table", "arguments": {}}),
        )
        .await;
    let message = unknown.body["error"]["message"].as_str().unwrap();
    assert!(
        message.starts_with("There is no tool drop_table. The tools are whoami, list_entities"),
        "{message}"
    );
    let unknown = world.mcp(account, "tools/drop", &json!({})).await;
    assert_eq!(unknown.body["error"]["code"], -32601);
    for (params, expected) in [
        (
            json!({"name": "whoami", "arguments": "{}"}),
            "params.arguments must be a JSON object",
        ),
        (
            json!({"name": "whoami", "arguments": []}),
            "params.arguments must be a JSON object",
        ),
        (json!({"name": 7}), "params.name must be a string"),
        (json!({}), "params.name must be a string"),
    ] {
        let refused = world.mcp(account, "tools/call", &params).await;
        let error = json!({"code": -32602, "message": expected});
        assert_eq!(
            (refused.status, &refused.body["error"]),
            (200, &error),
            "{params}"
        );
    }
    for nothing in [
        json!({"name": "whoami"}),
        json!({"name": "whoami", "arguments": null}),
    ] {
        let answered = world.mcp(account, "tools/call", &nothing).await;
        assert_eq!(answered.body["result"]["isError"], false, "{nothing}");
    }
}

/// Values of every JSON type, as assistants send them.
fn values() -> Vec<Value> {
    vec![
        json!(true),
        json!("true"),
        json!("no such text"),
        json!(5),
        json!(5.0),
        json!(5.5),
        json!(-1),
        json!(1e300),
        json!("5"),
        json!([]),
        json!(["x"]),
        json!([5]),
        json!(["x", 5]),
        json!([["x"]]),
        json!([null]),
        json!([{}]),
        json!("[\"x\"]"),
        json!({}),
        json!({"x": "y"}),
        json!("{\"x\":\"y\"}"),
    ]
}

/// Returns whether a text says that a value has the wrong type.
fn is_about_types(text: &str) -> bool {
    [
        "must be a string",
        "must be an array of strings",
        "must be true or false",
        "must be one of",
    ]
    .iter()
    .any(|rule| text.contains(rule))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_value_that_the_published_schema_does_not_allow_is_refused_by_name_and_changes_nothing() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let account = &fixture.account;
    let listed = world.mcp(account, "tools/list", &json!({})).await.body;
    let before = table_snapshot(&world).await;
    let (mut refused, mut taken, mut places) = (0, 0, 0);
    for (tool, listed) in TOOLS.iter().zip(listed["result"]["tools"].as_array().unwrap()) {
        let schema = jsonschema::validator_for(&listed["inputSchema"]).unwrap();
        let good = arguments(tool, &fixture);
        assert!(schema.is_valid(&good), "{}", tool.name);
        for name in listed["inputSchema"]["properties"].as_object().unwrap().keys() {
            // Each place gets every second value, and the next place the others.
            places += 1;
            for value in values().into_iter().skip(places % 2).step_by(2) {
                let mut given = good.clone();
                given[name] = value.clone();
                let is_valid = schema.is_valid(&given);
                if is_valid && tool.writes() {
                    continue;
                }
                let result = world.call_tool(account, tool.name, &given).await;
                let shown = format!("{} {name} {value}: {}", tool.name, result.text);
                if is_valid {
                    assert!(!result.is_error || !is_about_types(&result.text), "{shown}");
                    taken += 1;
                } else {
                    let place = result.text.split([' ', '[']).next();
                    assert!(result.is_error && place == Some(name), "{shown}");
                    refused += 1;
                }
            }
            // As in a body, null is no value.
            let mut given = good.clone();
            given[name] = Value::Null;
            let is_required = listed["inputSchema"]["required"]
                .as_array()
                .unwrap()
                .contains(&json!(name));
            if is_required {
                let result = world.call_tool(account, tool.name, &given).await;
                assert!(
                    result.text.starts_with(&format!("{name} is required")),
                    "{}",
                    result.text
                );
            } else if !tool.writes() {
                let result = world.call_tool(account, tool.name, &given).await;
                assert!(!result.is_error, "{} {name}: {}", tool.name, result.text);
            }
        }
        let mut given = good.clone();
        given["unheardOf"] = json!(1);
        let result = world.call_tool(account, tool.name, &given).await;
        assert!(
            result.is_error
                && result
                    .text
                    .starts_with("There is no argument unheardOf. This tool takes"),
            "{}",
            result.text
        );
    }
    assert_eq!(table_snapshot(&world).await, before);
    assert!(refused > 450 && taken > 100, "{refused} {taken}");
}
