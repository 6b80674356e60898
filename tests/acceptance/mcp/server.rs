//! What the server says of itself, and which web pages may call it.

use acceptance::World;
use reqwest::Method;
use serde_json::json;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_server_says_who_it_is_and_how_to_use_it() {
    let world = World::start().await;
    let account = world.account().await;
    let client = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
    let reply = world.mcp(&account, "initialize", &client).await;
    let result = &reply.body["result"];
    assert_eq!(result["protocolVersion"], "2025-06-18");
    assert_eq!(result["serverInfo"]["name"], "visibility-tracking-service");
    assert!(
        result["instructions"]
            .as_str()
            .unwrap()
            .contains("Begin with list_entities")
    );
    assert!(
        reply.headers.get("mcp-session-id").is_none(),
        "there are no sessions"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_web_page_is_refused_unless_its_origin_is_listed() {
    let world = World::start().await;
    let account = world.account().await;
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let request = world
        .mcp_request(Method::POST)
        .bearer_auth(&account.key)
        .json(&list);
    let request = request.header("accept", "application/json, text/event-stream");
    let page = request
        .try_clone()
        .unwrap()
        .header("origin", "http://evil.example");
    assert_eq!(page.send().await.unwrap().status(), 403);
    assert_eq!(request.send().await.unwrap().status(), 200);
}
