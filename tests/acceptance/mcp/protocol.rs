//! Requests that are none of the protocol, and the shape of its errors.

use acceptance::{McpReply, World};
use domain::limits::MAX_BODY_BYTES;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use crate::contract::Fixture;
use crate::contract::tenants::table_snapshot;

const BOTH: &str = "application/json, text/event-stream";

fn ping() -> Value {
    json!({"jsonrpc": "2.0", "id": 7, "method": "ping"})
}

/// Returns the status, the code, and the id of an error in the shape of the protocol, whose message is not
/// empty.
fn error(reply: &McpReply) -> (u16, i64, Value) {
    let error = &reply.body["error"];
    assert_eq!(reply.headers[CONTENT_TYPE], "application/json", "{}", reply.body);
    assert_eq!(reply.body["jsonrpc"], "2.0", "{}", reply.body);
    assert!(!error["message"].as_str().unwrap().is_empty());
    let known = ["jsonrpc", "id", "error"];
    let fields = reply.body.as_object().unwrap().keys();
    assert!(fields.into_iter().all(|field| known.contains(&field.as_str())));
    (
        reply.status,
        error["code"].as_i64().unwrap(),
        reply.body["id"].clone(),
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_takes_json_is_answered_in_json() {
    let world = World::start().await;
    let account = world.account().await;
    for accept in [
        None,
        Some("*/*"),
        Some("application/json"),
        Some("application/*"),
        Some(BOTH),
    ] {
        let mut request = world.mcp_request(Method::POST).bearer_auth(&account.key);
        if let Some(accept) = accept {
            request = request.header(ACCEPT, accept);
        }
        let reply = McpReply::to(request.json(&ping())).await;
        assert_eq!(reply.status, 200, "{accept:?}: {}", reply.body);
        assert_eq!(reply.headers[CONTENT_TYPE], "application/json");
        assert_eq!(
            reply.body,
            json!({"jsonrpc": "2.0", "id": 7, "result": {}}),
            "{accept:?}"
        );
    }
    for accept in ["text/event-stream", "text/html", "application/json;q=0, */*"] {
        let request = world.mcp_request(Method::POST).bearer_auth(&account.key);
        let reply = McpReply::to(request.header(ACCEPT, accept).json(&ping())).await;
        assert_eq!(error(&reply), (406, -32600, json!(7)), "{accept}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_error_has_the_shape_of_the_protocol() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let post = || {
        let request = world.mcp_request(Method::POST).bearer_auth(&fixture.account.key);
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static(BOTH));
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        request.headers(headers)
    };
    let with = |field: &str, value: Value| {
        let mut message = ping();
        message[field] = value;
        message.to_string()
    };
    let write = json!({"name": "run_check", "arguments": {"entityId": fixture.entity}});
    let write = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": write}).to_string();
    let too_large = format!("{}{}", ping(), " ".repeat(MAX_BODY_BYTES));
    let bodies: Vec<(String, u16, i64, Value)> = vec![
        (String::new(), 400, -32700, Value::Null),
        ("{".to_owned(), 400, -32700, Value::Null),
        ("\u{feff}{}".to_owned(), 400, -32700, Value::Null),
        (format!("{0}{0}", ping()), 400, -32700, Value::Null),
        (format!("[{write}]"), 400, -32600, Value::Null),
        (format!("[{write},{write}]"), 400, -32600, Value::Null),
        ("[]".to_owned(), 400, -32600, Value::Null),
        ("7".to_owned(), 400, -32600, Value::Null),
        ("{}".to_owned(), 400, -32600, Value::Null),
        (write.replacen('{', "{\"id\":8,", 1), 400, -32600, Value::Null),
        (
            write.replace("\"name\":", "\"name\":\"whoami\",\"name\":"),
            400,
            -32600,
            Value::Null,
        ),
        (with("params", json!("no object")), 400, -32600, json!(7)),
        (
            format!("{}{}", "[".repeat(200), "]".repeat(200)),
            400,
            -32600,
            Value::Null,
        ),
        (with("jsonrpc", json!("1.0")), 400, -32600, json!(7)),
        (with("id", Value::Null), 400, -32600, Value::Null),
        (with("id", json!(1.5)), 400, -32600, Value::Null),
        (with("method", json!(7)), 400, -32600, json!(7)),
        (with("method", json!("tools/drop")), 200, -32601, json!(7)),
        (
            r#"{"jsonrpc":"2.0","id":7,"result":{}}"#.to_owned(),
            400,
            -32600,
            Value::Null,
        ),
        (too_large, 413, -32600, Value::Null),
    ];
    let before = table_snapshot(&world).await;
    for (body, status, code, id) in bodies {
        let shown = body[..body.len().min(100)].to_owned();
        let reply = McpReply::to(post().body(body)).await;
        assert_eq!(error(&reply), (status, code, id), "{shown}: {}", reply.body);
    }
    let text = |request: RequestBuilder| request.body(ping().to_string());
    let bare = |method: Method| world.mcp_request(method).bearer_auth(&fixture.account.key);
    let header = |name: &'static str, value: &'static str| text(post().header(name, value));
    let foreign = "http://evil.example";
    for (request, status, code, id) in [
        (text(bare(Method::POST)), 415, -32600, json!(7)),
        (
            text(bare(Method::POST).header(CONTENT_TYPE, "text/plain")),
            415,
            -32600,
            json!(7),
        ),
        (bare(Method::GET), 405, -32600, Value::Null),
        (bare(Method::DELETE), 405, -32600, Value::Null),
        (text(bare(Method::PUT)), 405, -32600, json!(7)),
        (text(world.mcp_request(Method::POST)), 401, -32000, json!(7)),
        (header("origin", foreign), 403, -32000, json!(7)),
        (
            header("mcp-protocol-version", "1999-01-01"),
            400,
            -32600,
            json!(7),
        ),
    ] {
        let reply = McpReply::to(request).await;
        assert_eq!(error(&reply), (status, code, id), "{}", reply.body);
        if status == 405 {
            assert_eq!(reply.headers["allow"], "POST");
        }
        assert!(reply.headers.contains_key("x-request-id"), "{:?}", reply.headers);
    }
    assert_eq!(table_snapshot(&world).await, before);
}
