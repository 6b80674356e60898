//! Wrong calls.

use acceptance::World;
use serde_json::json;

use crate::contract::Fixture;

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
        ("visibility", json!({}), "The argument entityId is required"),
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
}
