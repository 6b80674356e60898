use lambda_http::{Body, Request, RequestExt, Response, service_fn};

use super::*;
use crate::test_client::raw;

/// Returns a handler that responds with the parts of a request that a `lambda_http` service receives.
fn mirror() -> ApiHandler {
    handler(service_fn(async |request: Request| {
        let query = request.query_string_parameters();
        let seen = json!({
            "method": request.method().as_str(),
            "uri": request.uri().to_string(),
            "path": request.raw_http_path(),
            "tags": query.all("tag"),
            "key": request.headers().get("x-api-key").map(|v| v.to_str().unwrap()),
            "body": request.body().to_vec(),
            "has_context": request.lambda_context().request_id.len() == 36,
        });
        let response = Response::builder()
            .header("content-type", "application/json")
            .header("set-cookie", "a=1")
            .header("set-cookie", "b=2")
            .body(Body::from(seen.to_string()));
        Ok::<_, lambda_http::Error>(response?)
    }))
}

#[tokio::test]
async fn a_lambda_http_service_runs_behind_the_gateway() {
    let at = host(Limits::API_GATEWAY, vec![], mirror()).await.at;
    let headers = ["X-API-Key: k", "Content-Type: application/octet-stream"];
    let reply = send(at, "POST /v1/a%20b?tag=x&tag=y%2Cz", &headers, &[0xff, b'a']).await;
    let expected = json!({
        "method": "POST",
        "uri": format!("http://{at}/v1/a%20b?tag=x&tag=y%2Cz"),
        "path": "/v1/a b",
        "tags": ["x", "y,z"],
        "key": "k",
        "body": [255, 97],
        "has_context": true,
    });
    assert_eq!((reply.status, reply.json()), (200, expected));
    let cookies = reply.headers.iter().filter(|(name, _)| name == "set-cookie");
    assert_eq!(cookies.count(), 2);
}

#[tokio::test]
async fn an_error_of_a_lambda_http_service_is_a_500() {
    let failing = handler(service_fn(async |_: Request| {
        Err::<Response<Body>, _>(lambda_http::Error::from("secret detail"))
    }));
    let at = host(Limits::API_GATEWAY, vec![], failing).await.at;
    let reply = send(at, "GET /", &[], b"").await;
    assert_eq!(
        (reply.status, reply.text()),
        (500, r#"{"message":"Internal Server Error"}"#)
    );
}

#[tokio::test]
async fn odd_requests_get_a_response_and_the_server_keeps_running() {
    let at = host(Limits::API_GATEWAY, vec![], mirror()).await.at;
    for (request, status) in [
        ("GET /v1 HTTP/1.0\r\n\r\n", 200),
        ("GET /v1 HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n", 200),
        ("GET //v1/../%2e%2e/%00%0a HTTP/1.0\r\n\r\n", 200),
        (
            "GET http://elsewhere/v1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
            200,
        ),
        ("GET /v1?%zz&=&&%FF=%C3 HTTP/1.0\r\n\r\n", 200),
        ("OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 400),
        ("GET /v1 HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n", 200),
        (
            "POST /v1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\nzz\r\n",
            400,
        ),
    ] {
        assert_eq!(raw(at, request.as_bytes()).await.status, status, "{request:?}");
    }
    let chunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n\
                   2\r\nab\r\n1\r\nc\r\n0\r\n\r\n";
    assert_eq!(
        raw(at, chunked.as_bytes()).await.json()["body"],
        json!([97, 98, 99])
    );
}
