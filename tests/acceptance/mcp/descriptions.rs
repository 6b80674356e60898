//! The descriptions of the tools and of their arguments.

use acceptance::World;
use mcp::TOOLS;
use serde_json::json;

use super::arguments;
use crate::contract::Fixture;

/// The tools whose results have what models, pages or providers said, or whose call makes the service ask
/// models.
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
