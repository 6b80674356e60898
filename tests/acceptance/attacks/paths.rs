//! Paths that closely resemble a path of the service.

use std::collections::BTreeSet;

use acceptance::{RawResponse, World};

use super::headers::send;
use crate::contract::Fixture;
use crate::contract::coverage::served;

/// Sends a raw request target with a valid key.
async fn get(world: &World, key: &str, target: &[u8]) -> Option<RawResponse> {
    let head = format!("Host: a\r\nAuthorization: Bearer {key}");
    send(
        world,
        [b"GET ", target, b" HTTP/1.1"].concat(),
        head.as_bytes(),
        b"",
    )
    .await
}

/// Returns request targets that closely resemble `/v1` and the path.
fn near_misses(path: &str) -> Vec<String> {
    let (first, rest) = path[1..].split_at(1);
    let upper = path.to_uppercase();
    vec![
        format!("/v1/{path}"),
        format!("/v1{path}/"),
        format!("/v1/.{path}"),
        format!("/v1/nowhere/..{path}"),
        format!("/v1/%2e%2e/v1{path}"),
        format!("/v1{path}/."),
        format!("/v1{path}/.."),
        format!("/v1{path}%2F"),
        format!("/v1%252f{}", &path[1..]),
        format!("/v1{path};x=1"),
        format!("/v1;x{path}"),
        format!("/V1{path}"),
        format!("/v1{upper}"),
        format!("/v1{path}%00"),
        format!("/v1{path}%0a"),
        format!("/v1{path}%20"),
        format!("/v1{path}+"),
        format!("/v1{path}.json"),
        format!("/v1{path}*"),
        format!("/v1\\{}", &path[1..]),
        format!("/v1/{first}\u{301}{rest}").replace('\u{301}', "%CC%81"),
        format!("/v1{path}%ED%A0%80"),
        format!("/v1{path}%FF"),
        path.to_owned(),
        format!("/v1/v1{path}"),
        format!("/$default/v1{path}"),
        format!("/v1{path}/{}", "a".repeat(8_000)),
        format!("/v1{path}{}", "/..".repeat(1_000)),
    ]
}

/// Returns percent-encoded spellings of the path, which the gateway decodes.
fn same(path: &str) -> Vec<String> {
    let first = path.as_bytes()[1];
    vec![
        format!("/v1{path}?"),
        format!("/v1{path}?&&"),
        format!("/v1/%{first:02x}{}", &path[2..]),
        format!("/%76%31{path}"),
        format!("/v1%2F{}", &path[1..]),
        format!("http://elsewhere.example/v1{path}"),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_path_that_is_nearly_one_is_none() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let key = fixture.account.key.as_str();
    let paths: BTreeSet<&str> = served().into_iter().map(|(_, path)| path).collect();
    let mut made = 0;
    for path in &paths {
        for target in near_misses(path) {
            let answer = get(&world, key, target.as_bytes()).await.unwrap();
            let shown = format!("{target}: {}", String::from_utf8_lossy(&answer.body));
            assert_eq!(
                (answer.status, answer.error().as_deref()),
                (404, Some("Path not found")),
                "{shown}"
            );
            assert!(answer.header("x-request-id").is_some(), "{shown}");
            made += 1;
        }
        let usual = get(&world, key, format!("/v1{path}").as_bytes()).await.unwrap();
        for target in same(path) {
            let answer = get(&world, key, target.as_bytes()).await.unwrap();
            assert_eq!(
                (answer.status, answer.body),
                (usual.status, usual.body.clone()),
                "{target}"
            );
            made += 1;
        }
    }
    // The server itself refuses an invalid or overlong request target, if it responds at all.
    for target in [
        &b"/v1/entities\0"[..],
        b"/v1/entities HTTP/1.1 x",
        b"/v1/ent ities",
        b"/v1/\xff",
        b"/v1/<>",
        b"v1/entities",
        b"*",
        b"",
        b"//",
        b"/v1/entities\x7f",
        &[b"/v1/".as_slice(), &[b'a'; 70_000]].concat(),
    ] {
        let answer = get(&world, key, target).await;
        let status = answer.map_or(400, |answer| answer.status);
        assert!((400..500).contains(&status), "{target:?}: {status}");
        made += 1;
    }
    println!("paths: {} paths, {made} attacks", paths.len());
    assert!(made >= 700, "{made}");
}
