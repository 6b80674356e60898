//! Builds the events with which API Gateway invokes a function.

use serde_json::{Value, json};

/// Returns an API Gateway event in payload format 2.0. `path` has the prefix `/v1`, `query` has no question
/// mark.
pub fn api_event(
    method: &str,
    path: &str,
    query: &str,
    headers: &[(&str, &str)],
    body: Option<&Value>,
) -> Value {
    let mut event = json!({
        "version": "2.0", "routeKey": format!("ANY {path}"), "rawPath": path, "rawQueryString": query,
        "headers": {"host": "api.example.com"},
        "requestContext": {
            "accountId": "000000000000", "apiId": "a", "domainName": "api.example.com", "domainPrefix": "api",
            "http": {"method": method, "path": path, "protocol": "HTTP/1.1", "sourceIp": "127.0.0.1",
                     "userAgent": "test"},
            "requestId": "r", "routeKey": format!("ANY {path}"), "stage": "$default",
            "time": "10/Mar/2026:12:00:00 +0000", "timeEpoch": 1_773_144_000_000_i64,
        },
        "isBase64Encoded": false,
    });
    for (name, value) in headers {
        event["headers"][name] = (*value).into();
    }
    if let Some(body) = body {
        event["body"] = body.to_string().into();
    }
    event
}
