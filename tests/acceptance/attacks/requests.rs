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
    let many = |count: usize| (0..count).map(|n| format!("X-{n}: 1\r\n")).collect::<String>() + "X: 1";
    let key_of = |length: usize| format!("Idempotency-Key: {}", "é".repeat(length));
    let (long, fifty, thousands) = (
        format!("X-Long: {}", "x".repeat(1_000_000)),
        many(50),
        many(5_000),
    );
    let (longest_key, longer_key) = (key_of(255), key_of(256));
    // Headers beside the length of the body. A request that the service reads completely is valid, so that
    // the response is 403.
    let with_length: &[(&str, &[u16])] = &[
        ("Accept: */*", &[403]),
        ("Content-Type: application/xml", &[403]),
        ("Content-Type: \"\u{fffd}", &[403]),
        ("Content-Encoding: gzip", &[403]),
        ("Expect: 100-continue", &[403]),
        ("Expect: nonsense", &[403, 417]),
        ("TE: trailers\r\nUpgrade: h2c\r\nConnection: upgrade", &[403]),
        ("X-HTTP-Method-Override: DELETE", &[403]),
        ("X-Original-URL: /v1/models\r\nX-Rewrite-URL: /v1/models", &[403]),
        (
            "X-Request-Id: mine\r\nX-Forwarded-For: ::1\r\nX-Forwarded-Proto: x",
            &[403],
        ),
        (&longest_key, &[403]),
        (&longer_key, &[400]),
        ("Idempotency-Key: W#1#IDEM#\\\"}", &[403]),
        ("Idempotency-Key: a\r\nIdempotency-Key: b", &[403]),
        // Two lengths must never be read as two requests.
        ("Content-Length: 0", &[400]),
        (" folded: x", &[400]),
        ("bad name: x", &[400]),
        (&long, &[400, 431]),
        (&fifty, &[403]),
        (&thousands, &[400, 431]),
    ];
    let with_length = with_length.iter().map(|(head, statuses)| {
        let head = format!("{sized}\r\n{head}");
        ("POST /v1/tags HTTP/1.1", head, body.as_str(), *statuses)
    });
    let framed: &[(&str, &str, &[u16])] = &[
        ("Transfer-Encoding: chunked", &chunked, &[403]),
        ("Transfer-Encoding: chunked, chunked", &chunked, &[400, 403]),
        ("Transfer-Encoding: gzip", &chunked, &[400]),
        ("Transfer-Encoding: chunked", "zz\r\n", &[400]),
        ("Transfer-Encoding: chunked", "fffffffffffffffffff\r\nx", &[400]),
        (
            "Transfer-Encoding: chunked\r\nContent-Length: 5",
            &chunked,
            &[400, 403],
        ),
        ("Content-Length: -1", &body, &[400]),
        ("Content-Length: 99999999999999999999", &body, &[400]),
        ("Content-Length: 0", "", &[400]),
    ];
    let framed = framed
        .iter()
        .map(|(head, body, statuses)| ("POST /v1/tags HTTP/1.1", (*head).to_owned(), *body, *statuses));
    let lines: &[(&str, &[u16])] = &[
        ("post /v1/tags HTTP/1.1", &[405]),
        ("POST /v1/tags HTTP/1.0", &[403]),
        ("POST /v1/tags HTTP/3.0", &[400, 505]),
        ("PO ST /v1/tags HTTP/1.1", &[400]),
        ("POST /v1/tags#name HTTP/1.1", &[400, 403]),
        ("PRI * HTTP/2.0", &[400, 505]),
        ("CONNECT a:80 HTTP/1.1", &[400, 404, 405]),
    ];
    let lines = lines
        .iter()
        .map(|(line, statuses)| (*line, sized.clone(), body.as_str(), *statuses));
    let cases: Vec<(&str, String, &str, &[u16])> = with_length.chain(framed).chain(lines).collect();
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
