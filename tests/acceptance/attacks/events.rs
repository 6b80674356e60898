//! Lambda events that no gateway should send.

use serde_json::{Value, json};

use super::CanceledWorkspace;
use crate::contract::tenants::table_snapshot;

/// One change of an event: a JSON pointer and the new value.
type Change = (&'static str, Value);

fn changes() -> Vec<(Change, u16)> {
    let mut changes = vec![
        // These bodies are not JSON.
        (("/body", json!("#")), 400),
        (("/body", json!("bm8=")), 400),
        (("/body", json!(null)), 400),
        (("/body", json!("")), 400),
        (("/headers/host", json!("a b")), 403),
        (("/headers/host", json!("<>:99999")), 403),
        (("/headers/x-forwarded-proto", json!("a b")), 403),
        (("/headers/content-length", json!("-1")), 403),
        (("/requestContext/domainName", json!("[")), 403),
        (("/requestContext/requestId", json!("a\r\nX-Injected: 1")), 403),
        (("/requestContext/requestId", json!("é".repeat(5_000))), 403),
        (("/requestContext/http/method", json!("FROB")), 405),
        (("/rawPath", json!("/v1/tags?x")), 404),
        (("/rawPath", json!("v1/tags")), 403),
        (("/rawPath", json!("/v1/tags\u{0}")), 404),
        (("/rawPath", json!("/v1/tags#x")), 404),
        (("/rawPath", json!("/".repeat(50_000))), 404),
        (("/rawPath", json!("")), 404),
        (("/cookies", json!(["a=\r\nb", "é"])), 403),
        (("/queryStringParameters", json!({"": "", "\u{0}": "\u{0}"})), 403),
    ];
    for query in [
        "a=\"<b>\"",
        "a b",
        "\u{0}",
        "é=\u{10ffff}",
        "#",
        "%",
        "a=\u{7f}",
        "\\^`{|}'[]",
    ] {
        changes.push((("/rawQueryString", json!(query)), 403));
    }
    changes
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_event_makes_a_function_panic() {
    let canceled = CanceledWorkspace::new().await;
    let before = table_snapshot(&canceled.world).await;
    let routes = local::functions::routes(&canceled.world.host.dependencies);
    let (_, tags) = routes.into_iter().find(|(path, _)| path == "/v1/tags").unwrap();
    let body = json!({"name": "New"}).to_string();
    let good = json!({
        "version": "2.0", "routeKey": "ANY /v1/tags", "rawPath": "/v1/tags", "rawQueryString": "",
        "headers": {
            "authorization": format!("Bearer {}", canceled.fixture.account.key), "host": "api.example",
            "x-forwarded-proto": "https", "content-length": body.len().to_string(),
        },
        "requestContext": {
            "accountId": "1", "apiId": "a", "domainName": "api.example", "domainPrefix": "api",
            "http": {"method": "POST", "path": "/v1/tags", "protocol": "HTTP/1.1", "sourceIp": "::1", "userAgent": ""},
            "requestId": "id", "routeKey": "ANY /v1/tags", "stage": "$default", "time": "", "timeEpoch": 0,
        },
        "cookies": [], "queryStringParameters": {}, "body": body, "isBase64Encoded": false,
    });
    assert_eq!(tags(good.clone()).await["statusCode"], 403, "a valid write");
    let mut made = 0;
    for (change, status) in changes() {
        for is_base64 in [false, true] {
            let (location, value) = &change;
            let mut event = good.clone();
            *event.pointer_mut(location).unwrap() = value.clone();
            event["isBase64Encoded"] = json!(is_base64);
            // A separate task makes a panic visible.
            let answer = tokio::spawn(tags(event)).await.unwrap();
            let shown: String = format!("{location} {value}").chars().take(100).collect();
            assert_eq!(answer["statusCode"], status, "{shown} {is_base64}: {answer}");
            let body: Value = serde_json::from_str(answer["body"].as_str().unwrap()).unwrap();
            assert!(body["error"].is_string(), "{shown}: {answer}");
            made += 1;
        }
    }
    assert_eq!(table_snapshot(&canceled.world).await, before);
    println!("events: {made} attacks");
}
