use serde_json::json;

use super::*;

#[tokio::test]
async fn a_request_becomes_a_payload_2_event() {
    let at = echoing().await;
    let headers = [
        "User-Agent: probe/1",
        "X-Amzn-Trace-Id: Root=1-a-b",
        "Cookie: a=1; b=2",
    ];
    let mut event = send(at, "GET /v1/entities?limit=5&q=a%20b", &headers, b"")
        .await
        .json();
    let request_id = event["requestContext"]["requestId"].take();
    assert_eq!(request_id.as_str().unwrap().len(), 36);
    let expected = json!({
        "version": "2.0",
        "routeKey": "ANY /v1/entities",
        "rawPath": "/v1/entities",
        "rawQueryString": "limit=5&q=a%20b",
        "cookies": ["a=1", "b=2"],
        "headers": {
            "content-length": "0",
            "host": at.to_string(),
            "user-agent": "probe/1",
            "x-amzn-trace-id": "Root=1-a-b",
            "x-forwarded-for": "127.0.0.1",
            "x-forwarded-port": at.port().to_string(),
            "x-forwarded-proto": "http",
        },
        "queryStringParameters": {"limit": "5", "q": "a b"},
        "requestContext": {
            "accountId": "000000000000",
            "apiId": "local",
            "domainName": "127.0.0.1",
            "domainPrefix": "127",
            "http": {
                "method": "GET",
                "path": "/v1/entities",
                "protocol": "HTTP/1.1",
                "sourceIp": "127.0.0.1",
                "userAgent": "probe/1",
            },
            "requestId": null,
            "routeKey": "ANY /v1/entities",
            "stage": "$default",
            "timeEpoch": 1_587_481_701_067_i64,
        },
        "isBase64Encoded": false,
    });
    assert_eq!(event, expected);
}

#[tokio::test]
async fn a_repeated_query_parameter_is_joined_and_the_raw_query_kept() {
    let at = echoing().await;
    let event = send(at, "GET /v1/entities?t=b&t=a%2Cc&t=%C3%A9+x&e=", &[], b"")
        .await
        .json();
    assert_eq!(event["rawQueryString"], "t=b&t=a%2Cc&t=%C3%A9+x&e=");
    assert_eq!(event["queryStringParameters"], json!({"t": "b,a,c,é x", "e": ""}));
}

#[tokio::test]
async fn a_repeated_header_is_joined_and_headers_of_the_connection_stay_out() {
    let at = echoing().await;
    let headers = [
        "X-One: a",
        "x-one: b",
        "X-ONE: c,d",
        "X-Forwarded-For: 10.0.0.1",
        "TE: trailers",
    ];
    let event = send(at, "GET /v1/entities", &headers, b"").await.json();
    assert_eq!(event["headers"]["x-one"], "a,b,c,d");
    assert_eq!(event["headers"]["x-forwarded-for"], "10.0.0.1, 127.0.0.1");
    assert_eq!(event["headers"].get("te"), None);
    assert_eq!(event["headers"].get("connection"), None);
}

#[tokio::test]
async fn a_body_is_text_where_it_can_be_and_base64_elsewhere() {
    let at = echoing().await;
    let post = async |body: &[u8], headers: &[&str]| {
        let event = send(at, "POST /v1/entities", headers, body).await.json();
        (event["body"].clone(), event["isBase64Encoded"].clone())
    };
    let json_type = ["Content-Type: application/json"];
    assert_eq!(
        post("{\"n\":\"é\"}".as_bytes(), &json_type).await,
        (json!("{\"n\":\"é\"}"), json!(false))
    );
    assert_eq!(post(b"plain", &[]).await, (json!("plain"), json!(false)));
    assert_eq!(
        post(&[0xff, 0x00], &json_type).await,
        (json!("/wA="), json!(true))
    );
    let form = ["Content-Type: application/x-www-form-urlencoded"];
    assert_eq!(post(b"a=b", &form).await, (json!("YT1i"), json!(true)));
}

#[tokio::test]
async fn only_the_exact_decoded_path_matches_a_route() {
    let at = echoing().await;
    for (target, key, path) in [
        ("/v1/entities", "ANY /v1/entities", "/v1/entities"),
        ("/v1/%65ntities?a", "ANY /v1/entities", "/v1/entities"),
        ("/v1/entities/", "$default", "/v1/entities/"),
        ("/v1/Entities", "$default", "/v1/Entities"),
        ("/v1/%C3%A9%3Fx", "$default", "/v1/é"),
        ("/", "$default", "/"),
    ] {
        let event = send(at, &format!("DELETE {target}"), &[], b"").await.json();
        let seen = (
            &event["routeKey"],
            &event["requestContext"]["routeKey"],
            &event["rawPath"],
        );
        assert_eq!(seen, (&json!(key), &json!(key), &json!(path)), "{target}");
    }
}

#[tokio::test]
async fn a_greedy_segment_matches_any_rest_of_a_path_unless_another_route_matches_better() {
    let paths = ["/a", "/a/b", "/a/{rest+}", "/a/c/{file+}", "/{any}"];
    let routes = paths.map(|path| (path, echo())).into();
    let at = host(Limits::API_GATEWAY, routes, echo()).await.at;
    for (target, key, parameters) in [
        ("/a", "ANY /a", json!(null)),
        ("/a/b", "ANY /a/b", json!(null)),
        ("/a/", "ANY /a/{rest+}", json!({"rest": ""})),
        ("/a/b/", "ANY /a/{rest+}", json!({"rest": "b/"})),
        ("/a/x/y%20z.js?q", "ANY /a/{rest+}", json!({"rest": "x/y z.js"})),
        ("/a/c", "ANY /a/{rest+}", json!({"rest": "c"})),
        ("/a/c/d", "ANY /a/c/{file+}", json!({"file": "d"})),
        ("/a/%2e%2e/b", "ANY /a/{rest+}", json!({"rest": "../b"})),
        ("/ab", "$default", json!(null)),
        ("/", "$default", json!(null)),
    ] {
        let event = send(at, &format!("GET {target}"), &[], b"").await.json();
        assert_eq!(event["routeKey"], key, "{target}");
        assert_eq!(event["pathParameters"], parameters, "{target}");
    }
}
