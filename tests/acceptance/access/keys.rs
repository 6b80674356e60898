//! The two headers that can carry an API key.

use acceptance::{Account, ApiResponse, World};
use domain::clock::Clock;
use reqwest::Method;
use store::KeySettings;

const MISSING: Option<&str> = Some("Missing API key");
const INVALID: Option<&str> = Some("Invalid API key");

/// Header names and values.
type Headers = Vec<(&'static str, String)>;

/// Sends `GET /models` with `headers`.
async fn with(world: &World, headers: &[(&str, &str)]) -> ApiResponse {
    let mut request = world.request(Method::GET, "/models");
    for (name, value) in headers {
        let value = reqwest::header::HeaderValue::from_bytes(value.as_bytes()).unwrap();
        request = request.header(*name, value);
    }
    World::execute(request).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_comes_as_a_bearer_or_as_x_api_key_and_authorization_counts() {
    let world = World::start().await;
    let account = world.account().await;
    let key = account.key.as_str();
    let bearer = |scheme: &str| format!("{scheme} {key}");
    let twice = format!("Bearer {key},Bearer {key}");
    let cases: Vec<(Headers, Option<&str>)> = vec![
        (vec![("authorization", bearer("Bearer"))], None),
        (vec![("Authorization", bearer("bearer"))], None),
        (vec![("AUTHORIZATION", bearer("BEARER"))], None),
        (vec![("authorization", bearer("Bearer  "))], None),
        (vec![("x-api-key", key.to_owned())], None),
        (vec![("X-API-Key", format!(" {key} "))], None),
        // `Authorization` takes precedence over `X-API-Key`.
        (
            vec![
                ("authorization", bearer("Bearer")),
                ("x-api-key", "wsk_wrong".to_owned()),
            ],
            None,
        ),
        (
            vec![
                ("authorization", "Bearer wrong".to_owned()),
                ("x-api-key", key.to_owned()),
            ],
            INVALID,
        ),
        // No usable key header.
        (vec![], MISSING),
        (vec![("authorization", String::new())], MISSING),
        (vec![("authorization", "Bearer".to_owned())], MISSING),
        (vec![("authorization", "Bearer  ".to_owned())], MISSING),
        (vec![("authorization", key.to_owned())], MISSING),
        (
            vec![("authorization", "Basic dXNlcjpzZWNyZXQ=".to_owned())],
            MISSING,
        ),
        (vec![("x-api-key", String::new())], MISSING),
        (vec![("x-api-key", "  ".to_owned())], MISSING),
        // A key that does not exist, in any form.
        (vec![("authorization", "Bearer é".to_owned())], INVALID),
        (vec![("x-api-key", "schlüssel".to_owned())], INVALID),
        (vec![("authorization", bearer("Bearer x"))], INVALID),
        (vec![("authorization", twice)], INVALID),
        (vec![("x-api-key", key.to_uppercase())], INVALID),
        (vec![("x-api-key", format!("{key}0"))], INVALID),
        (vec![("x-api-key", key[..key.len() - 1].to_owned())], INVALID),
        (vec![("x-api-key", bearer("Bearer"))], INVALID),
        (vec![("x-api-key", "x".repeat(5_000))], INVALID),
    ];
    for (headers, text) in cases {
        let headers: Vec<(&str, &str)> = headers.iter().map(|(n, v)| (*n, v.as_str())).collect();
        let answer = with(&world, &headers).await;
        match text {
            None => drop(answer.ok()),
            Some(text) => assert_eq!(answer.error(401), text, "{headers:?}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_in_the_query_is_no_key() {
    let world = World::start().await;
    let account = world.account().await;
    for name in ["api_key", "apiKey", "x-api-key", "Authorization"] {
        let path = format!("/models?{name}={}", account.key);
        let answer = world.send(None, Method::GET, &path, None).await;
        assert_eq!(answer.error(401), "Missing API key");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_revoked_key_stops_at_once_and_the_others_go_on() {
    let world = World::start().await;
    let account = world.account().await;
    let store = &world.host.store;
    let now = world.host.clock.now();
    let made = store
        .create_key(&account.tenant, "second", KeySettings::default(), now)
        .await;
    let (key_id, key) = made.unwrap().unwrap();
    let second = Account {
        tenant: account.tenant.clone(),
        key: key.reveal().to_owned(),
    };
    world.get(&second, "/models").await.ok();
    assert!(store.revoke_key(&account.tenant, &key_id).await.unwrap());
    assert_eq!(
        world.get(&second, "/models").await.error(401),
        "API key is deactivated"
    );
    world.get(&account, "/models").await.ok();
}
