//! What a key reaches through the tools, and how its requests are counted.

use acceptance::{Account, World};
use domain::key_scope::{KeyAccess, KeyScope};
use domain::workspace::Limits;
use mcp::TOOLS;
use reqwest::header::{CONTENT_TYPE, WWW_AUTHENTICATE};
use serde_json::{Value, json};

use super::arguments;
use crate::contract::Fixture;

async fn scoped(world: &World, account: &Account, access: KeyAccess, entities: Option<&str>) -> Account {
    let entities = entities.map(|id| [id.parse().unwrap()].into());
    world
        .account_with_scope(account, KeyScope { access, entities })
        .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_read_key_neither_sees_nor_uses_the_tools_that_write() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let reader = scoped(&world, &fixture.account, KeyAccess::Read, None).await;
    let names = async |account: &Account| -> Vec<String> {
        let listed = world.mcp(account, "tools/list", &json!({})).await.body;
        let tools = listed["result"]["tools"].as_array().unwrap().iter();
        tools
            .map(|tool| tool["name"].as_str().unwrap().to_owned())
            .collect()
    };
    let all: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
    assert_eq!(names(&fixture.account).await, all);
    let reading: Vec<&str> = TOOLS
        .iter()
        .filter(|tool| !tool.writes())
        .map(|tool| tool.name)
        .collect();
    assert_eq!(names(&reader).await, reading);
    let before = fixture.state(&world).await;
    for tool in TOOLS {
        let result = world
            .call_tool(&reader, tool.name, &arguments(tool, &fixture))
            .await;
        assert_eq!(result.is_error, tool.writes(), "{}: {}", tool.name, result.text);
        if tool.writes() {
            assert_eq!(result.text, "This key may only read");
        }
    }
    assert_eq!(fixture.state(&world).await, before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn for_a_key_that_is_bound_to_an_entity_and_for_another_tenant_nothing_else_exists() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let bound = scoped(&world, &fixture.account, KeyAccess::Write, Some(&fixture.entity)).await;
    let bound_to_other = scoped(&world, &fixture.account, KeyAccess::Write, Some(&fixture.other)).await;
    let stranger = world.account().await;
    let before = fixture.state(&world).await;
    for tool in TOOLS {
        let asked = arguments(tool, &fixture);
        if asked == json!({}) {
            continue;
        }
        // The workspace's members and tags are no choice of the stranger's.
        let asked_by_stranger = match tool.name {
            "create_task" => json!({"actionableId": fixture.actionable}),
            "add_prompts" => json!({"entityId": fixture.entity, "prompts": ["Which one?"]}),
            _ => asked.clone(),
        };
        let result = world.call_tool(&stranger, tool.name, &asked_by_stranger).await;
        assert!(result.is_error, "{}: {}", tool.name, result.text);
        assert!(
            result.text.ends_with(" not found"),
            "{}: {}",
            tool.name,
            result.text
        );
        let is_of_other = asked.to_string().contains(&fixture.other);
        let stranger = if is_of_other { &bound } else { &bound_to_other };
        let result = world.call_tool(stranger, tool.name, &asked_by_stranger).await;
        assert!(
            result.is_error && result.text.ends_with(" not found"),
            "{}: {}",
            tool.name,
            result.text
        );
    }
    assert_eq!(fixture.state(&world).await, before);
    let entities = world.call_tool(&bound, "list_entities", &json!({})).await.content;
    assert_eq!(entities["rowCount"], 1);
    let overview = world.call_tool(&bound, "overview", &json!({})).await.content;
    assert_eq!(
        (&overview["totalCount"], &overview["rows"][0][0]),
        (&json!(1), &json!(fixture.entity))
    );
    let overview = world.call_tool(&stranger, "overview", &json!({})).await.content;
    assert_eq!(overview["totalCount"], 0);
    let me = world.call_tool(&bound, "whoami", &json!({})).await.content;
    assert_eq!(
        me["key"],
        json!({"scope": "write", "entityIds": [fixture.entity]})
    );
    assert_eq!(me["workspace"], Value::Null);
    let me = world
        .call_tool(&fixture.account, "whoami", &json!({}))
        .await
        .content;
    assert_eq!(me["key"], json!({"scope": "write", "entityIds": null}));
    assert_eq!(
        me["workspace"],
        world.get(&fixture.account, "/workspace").await.ok()["data"]
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_needs_a_key_and_a_call_counts_as_one_request() {
    let world = World::start().await;
    let limits = Limits {
        reads_per_minute: 3,
        writes_per_minute: 1,
        ..Limits::default()
    };
    let account = world.account_with(limits, 100).await;
    let nobody = Account {
        key: "wsk_0000000000000000000000000000000000000000".to_owned(),
        ..account.clone()
    };
    let refused = world.mcp(&nobody, "tools/list", &json!({})).await;
    assert_eq!(
        (refused.status, &refused.body["error"]),
        (401, &json!({"code": -32000, "message": "Invalid API key"}))
    );
    assert!(
        refused.headers[WWW_AUTHENTICATE]
            .to_str()
            .unwrap()
            .starts_with("Bearer ")
    );
    let read = world
        .mcp(
            &account,
            "tools/call",
            &json!({"name": "list_entities", "arguments": {}}),
        )
        .await;
    assert_eq!(read.status, 200);
    assert_eq!(read.headers[CONTENT_TYPE], "application/json");
    assert!(
        read.headers["ratelimit"]
            .to_str()
            .unwrap()
            .starts_with("\"read\";r=2;")
    );
    let write = json!({"name": "run_check", "arguments": {"entityId": "unknown"}});
    let first = world.mcp(&account, "tools/call", &write).await;
    assert!(
        first.headers["ratelimit"]
            .to_str()
            .unwrap()
            .starts_with("\"write\";r=0;")
    );
    let second = world.mcp(&account, "tools/call", &write).await;
    assert_eq!(
        (second.status, &second.body["error"]["message"]),
        (429, &json!("Rate limit exceeded"))
    );
    let seconds = second.body["error"]["data"]["retryAfter"].as_u64().unwrap();
    assert_eq!(second.headers["retry-after"], seconds.to_string());
}
