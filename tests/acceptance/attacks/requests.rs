//! Raw HTTP requests with unusual framing and misleading headers.

use acceptance::World;

use super::headers::send;
use crate::contract::tenants::table_snapshot;
use crate::contract::{Fixture, RequestInput};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn odd_requests_are_refused_or_read_as_one_request() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    fixture.cancel(&world).await;
    let before = table_snapshot(&world).await;
    let key = format!("Host: a\r\nAuthorization: Bearer {}", fixture.account.key);
    let body = serde_json::json!({"name": "New"}).to_string();
    let length = body.len();
    let chunked = format!("{length:x}\r\n{body}\r\n0\r\n\r\n");
    let sized = format!("Content-Length: {length}");
    let many = |count: usize| (0..count).map(|n| format!("X-{n}: 1\r\n")).collect::<String>();
    let post = "POST /v1/tags HTTP/1.1";
    // A request that the service reads completely is valid, so the response is 403.
    let cases: Vec<(&str, String, &str, &[u16])> = vec![
        (post, sized.clone(), &body, &[403]),
        (
            post,
            format!("{sized}\r\nContent-Type: application/xml"),
            &body,
            &[403],
        ),
        (
            post,
            format!("{sized}\r\nContent-Type: multipart/form-data"),
            &body,
            &[403],
        ),
        (
            post,
            format!("{sized}\r\nContent-Type: \"\u{fffd}"),
            &body,
            &[403],
        ),
        (post, format!("{sized}\r\nContent-Encoding: gzip"), &body, &[403]),
        (post, format!("{sized}\r\nExpect: 100-continue"), &body, &[403]),
        (post, format!("{sized}\r\nExpect: nonsense"), &body, &[403, 417]),
        (
            post,
            format!("{sized}\r\nTE: trailers\r\nUpgrade: h2c\r\nConnection: upgrade"),
            &body,
            &[403],
        ),
        (
            post,
            format!("{sized}\r\nX-HTTP-Method-Override: DELETE"),
            &body,
            &[403],
        ),
        (
            post,
            format!("{sized}\r\nX-Original-URL: /v1/models\r\nX-Rewrite-URL: /v1/models"),
            &body,
            &[403],
        ),
        (
            post,
            format!("{sized}\r\nX-Request-Id: mine\r\nX-Forwarded-For: ::1\r\nX-Forwarded-Proto: x"),
            &body,
            &[403],
        ),
        (
            post,
            format!("{sized}\r\nIdempotency-Key: {}", "é".repeat(255)),
            &body,
            &[403],
        ),
        (
            post,
            format!("{sized}\r\nIdempotency-Key: {}", "é".repeat(256)),
            &body,
            &[400],
        ),
        (
            post,
            format!("{sized}\r\nIdempotency-Key: W#1#IDEM#\\\"}}"),
            &body,
            &[403],
        ),
        (
            post,
            format!("{sized}\r\nIdempotency-Key: a\r\nIdempotency-Key: b"),
            &body,
            &[403],
        ),
        (post, "Transfer-Encoding: chunked".to_owned(), &chunked, &[403]),
        (
            post,
            "Transfer-Encoding: chunked, chunked".to_owned(),
            &chunked,
            &[400, 403],
        ),
        (post, "Transfer-Encoding: gzip".to_owned(), &chunked, &[400]),
        (post, "Transfer-Encoding: chunked".to_owned(), "zz\r\n", &[400]),
        (
            post,
            "Transfer-Encoding: chunked".to_owned(),
            "fffffffffffffffffff\r\nx",
            &[400],
        ),
        // Two lengths must never be read as two requests.
        (
            post,
            format!("{sized}\r\nTransfer-Encoding: chunked"),
            &chunked,
            &[400, 403],
        ),
        (post, format!("{sized}\r\nContent-Length: 0"), &body, &[400]),
        (post, "Content-Length: -1".to_owned(), &body, &[400]),
        (
            post,
            "Content-Length: 99999999999999999999".to_owned(),
            &body,
            &[400],
        ),
        (post, "Content-Length: 0".to_owned(), "", &[400]),
        (post, format!("{sized}\r\n folded: x"), &body, &[400]),
        (post, format!("{sized}\r\nbad name: x"), &body, &[400]),
        (
            post,
            format!("{sized}\r\nX-Long: {}", "x".repeat(1_000_000)),
            &body,
            &[400, 431],
        ),
        (post, format!("{sized}\r\n{}X: 1", many(50)), &body, &[403]),
        (
            post,
            format!("{sized}\r\n{}X: 1", many(5_000)),
            &body,
            &[400, 431],
        ),
        ("post /v1/tags HTTP/1.1", sized.clone(), &body, &[405]),
        ("POST /v1/tags HTTP/1.0", sized.clone(), &body, &[403]),
        ("POST /v1/tags HTTP/3.0", sized.clone(), &body, &[400, 505]),
        ("PO ST /v1/tags HTTP/1.1", sized.clone(), &body, &[400]),
        ("POST /v1/tags#name HTTP/1.1", sized.clone(), &body, &[400, 403]),
        ("PRI * HTTP/2.0", String::new(), "SM\r\n\r\n", &[400, 505]),
        ("CONNECT a:80 HTTP/1.1", String::new(), "", &[400, 404, 405]),
    ];
    for (line, head, body, statuses) in &cases {
        let head = format!("{key}\r\n{head}");
        let answer = send(&world, line, head.as_bytes(), body.as_bytes()).await;
        // A closed connection counts as refused.
        let status = answer.as_ref().map_or(400, |answer| answer.status);
        let shown: String = head
            .lines()
            .skip(2)
            .collect::<String>()
            .chars()
            .take(100)
            .collect();
        let text = answer.map(|answer| String::from_utf8_lossy(&answer.body).into_owned());
        assert!(statuses.contains(&status), "{line} {shown}: {status} {text:?}");
        let id = "mine";
        assert!(!text.unwrap_or_default().contains(id), "{line} {shown}");
    }
    assert_eq!(table_snapshot(&world).await, before);
    println!("requests: {} attacks", cases.len());
    // The server still works afterwards.
    let models = crate::contract::endpoints()
        .find(|endpoint| endpoint.route == "GET /models")
        .unwrap();
    models
        .send(&world, Some(&fixture.account.key), &RequestInput::default())
        .await
        .ok();
}
