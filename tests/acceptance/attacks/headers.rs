//! Raw bytes in the headers that carry the API key.

use acceptance::{RawResponse, World, send_raw};

use crate::contract::Fixture;

/// Sends a raw request line, header lines and a body.
pub(super) async fn send(
    world: &World,
    line: impl AsRef<[u8]>,
    head: &[u8],
    body: &[u8],
) -> Option<RawResponse> {
    let to = world
        .host
        .ready
        .base_url
        .trim_start_matches("http://")
        .trim_end_matches("/v1");
    let request = [
        line.as_ref(),
        b"\r\nConnection: close\r\n",
        head,
        b"\r\n\r\n",
        body,
    ]
    .concat();
    send_raw(to, &request).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn keys_in_odd_headers_open_what_they_are_keys_of_and_nothing_else() {
    let world = World::start().await;
    let (mine, theirs) = (Fixture::new(&world).await, Fixture::new(&world).await);
    let (key, other) = (mine.account.key.as_str(), theirs.account.key.as_str());
    let missing = Some("Missing API key");
    let invalid = Some("Invalid API key");
    let cases: Vec<(String, u16, Option<&str>)> = vec![
        (format!("Authorization: bearer  {key}"), 200, None),
        (format!("Authorization:\tBearer {key}\t"), 200, None),
        (format!("authorization:Bearer {key}"), 200, None),
        (format!("Authorization: Bearer\t{key}"), 401, missing),
        (format!("Authorization: Bearer{key}"), 401, missing),
        (format!("Authorization: Token {key}"), 401, missing),
        ("Authorization: Bearer".to_owned(), 401, missing),
        ("X-API-Key: ".to_owned(), 401, missing),
        (format!("X-API-Key:  {key} "), 200, None),
        (format!("Authorization: Basic x\r\nX-API-Key: {key}"), 200, None),
        (
            format!("Authorization: Bearer {key}\r\nX-API-Key: {other}"),
            200,
            None,
        ),
        (
            format!("Authorization: Bearer {other}x\r\nX-API-Key: {key}"),
            401,
            invalid,
        ),
        // Two headers of one name are joined into a key that does not exist.
        (
            format!("Authorization: Bearer {key}\r\nAuthorization: Bearer {key}"),
            401,
            invalid,
        ),
        (
            format!("Authorization: Bearer {key}\r\nAuthorization: Bearer {other}"),
            401,
            invalid,
        ),
        (format!("X-API-Key: {key}\r\nX-API-Key: {other}"), 401, invalid),
        (format!("X-API-Key: {key},{key}"), 401, invalid),
        (
            format!("Authorization: Bearer {} {}", &key[..10], &key[10..]),
            401,
            invalid,
        ),
        (format!("Authorization: Bearer \"{key}\""), 401, invalid),
        (
            format!("Authorization: Bearer {}", key.to_uppercase()),
            401,
            invalid,
        ),
        (format!("Authorization: Bearer {key}é"), 401, invalid),
        (format!("Authorization: Bearer {key}\u{feff}"), 401, invalid),
        (
            format!("Authorization: Bearer {}", key.replace("wsk_", "wsk＿")),
            401,
            invalid,
        ),
        (
            format!("Authorization: Bearer {}", "k".repeat(8_192)),
            401,
            invalid,
        ),
        (
            format!("Authorization: Bearer wsk_{}", "0".repeat(32)),
            401,
            invalid,
        ),
        ("Authorization: Bearer KEY#0".to_owned(), 401, invalid),
        (format!("Proxy-Authorization: Bearer {key}"), 401, missing),
        (
            format!("Cookie: Authorization=Bearer {key}; x-api-key={key}"),
            401,
            missing,
        ),
        (format!("X_API_KEY: {key}"), 401, missing),
        (format!("X-Forwarded-Authorization: Bearer {key}"), 401, missing),
    ];
    let workspace = |of: &Fixture| of.account.tenant.workspace().to_string();
    for (head, status, error) in &cases {
        let answer = send(
            &world,
            "GET /v1/workspace HTTP/1.1",
            format!("Host: a\r\n{head}").as_bytes(),
            b"",
        )
        .await
        .unwrap();
        let shown: String = head.chars().take(200).collect();
        assert_eq!(
            (answer.status, answer.error().as_deref()),
            (*status, *error),
            "{shown}"
        );
        let body = String::from_utf8(answer.body).unwrap();
        assert_eq!(body.contains(&workspace(&mine)), *status == 200, "{shown}");
        assert!(!body.contains(&workspace(&theirs)), "{shown}");
    }
    // The server or the service refuses bytes that no header can contain.
    for byte in (0_u8..=31)
        .chain(127..=255)
        .filter(|byte| !b"\t\r\n".contains(byte))
    {
        let head = [
            b"Host: a\r\nAuthorization: Bearer ",
            key.as_bytes(),
            &[byte],
            b"x",
        ]
        .concat();
        let status = send(&world, "GET /v1/workspace HTTP/1.1", &head, b"")
            .await
            .map_or(400, |answer| answer.status);
        assert!(status == 400 || status == 401, "{byte:#x}: {status}");
    }
    println!("keys: {} attacks", cases.len() + 157);
}
