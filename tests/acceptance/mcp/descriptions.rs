//! The descriptions of the tools and of their arguments.

use acceptance::World;
use mcp::{Argument, TOOLS, TakenBy};
use serde_json::{Value, json};

use super::arguments;
use crate::contract::Fixture;

/// Collects the names of the properties of a schema, and of each form of it.
fn property_names(document: &Value, schema: &Value, names: &mut Vec<String>) {
    let schema = resolved(document, schema);
    let properties = schema["properties"].as_object();
    names.extend(properties.into_iter().flatten().map(|(name, _)| name.clone()));
    for form in schema["oneOf"].as_array().into_iter().flatten() {
        property_names(document, form, names);
    }
}

fn resolved<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    let target = value["$ref"].as_str();
    target.map_or(value, |target| document.pointer(&target[1..]).unwrap())
}

#[test]
fn every_tool_is_described_and_its_arguments_are_those_of_its_endpoint() {
    let document = openapi::document();
    for tool in TOOLS {
        assert!(
            tool.description.len() > 30 && tool.name.len() < 20,
            "{}",
            tool.name
        );
        let operation = &document["paths"][tool.path][tool.method.name().to_lowercase()];
        assert!(operation.is_object(), "{}", tool.path);
        let mut names = Vec::new();
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            names.push(
                resolved(&document, parameter)["name"]
                    .as_str()
                    .unwrap()
                    .to_owned(),
            );
        }
        let body = &operation["requestBody"]["content"]["application/json"]["schema"];
        property_names(&document, body, &mut names);
        let arguments = tool.arguments();
        let of_endpoint = |one: &&Argument| one.taken_by == TakenBy::Endpoint;
        for argument in arguments.iter().filter(of_endpoint) {
            assert!(
                names.iter().any(|name| name == argument.input.name),
                "{} {}",
                tool.name,
                argument.input.name
            );
        }
        // What the endpoint takes itself is not cut from its rows.
        for argument in arguments.iter().filter(|one| one.taken_by == TakenBy::Page) {
            assert!(
                !names.iter().any(|name| name == argument.input.name),
                "{}",
                tool.name
            );
        }
    }
}

/// The tools whose results have what models, pages or providers said, or whose call makes the service ask models.
const OPEN: [&str; 14] = [
    "overview",
    "compare",
    "cited_domains",
    "cited_urls",
    "citation_trend",
    "rivals",
    "searches",
    "list_answers",
    "read_answer",
    "recommendations",
    "tracking_status",
    "create_task",
    "run_check",
    "add_prompts",
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_hints_say_what_a_tool_does() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let listed = world.mcp(&fixture.account, "tools/list", &json!({})).await.body;
    for tool in listed["result"]["tools"].as_array().unwrap() {
        let name = tool["name"].as_str().unwrap();
        // Read only, destructive, idempotent.
        let expected = match name {
            "create_task" => [false, false, true],
            "move_task" => [false, true, true],
            "run_check" | "add_prompts" => [false, false, false],
            _ => [true, false, true],
        };
        let hints = &tool["annotations"];
        let found = ["readOnlyHint", "destructiveHint", "idempotentHint"].map(|hint| hints[hint].clone());
        assert_eq!(json!(found), json!(expected), "{name}");
        assert_eq!(hints["openWorldHint"], OPEN.contains(&name), "{name}");
        let takes_rows = &tool["inputSchema"]["properties"]["limit"];
        assert!(takes_rows.is_null() || takes_rows["default"] == 20, "{name}");
    }
    // A second equal call of an idempotent tool has no effect.
    for tool in TOOLS
        .iter()
        .filter(|tool| ["create_task", "move_task"].contains(&tool.name))
    {
        let asked = arguments(tool, &fixture);
        let first = world.call_tool(&fixture.account, tool.name, &asked).await;
        assert!(!first.is_error, "{}", first.text);
        let state = fixture.state(&world).await;
        world.call_tool(&fixture.account, tool.name, &asked).await;
        assert_eq!(fixture.state(&world).await, state, "{}", tool.name);
    }
}
