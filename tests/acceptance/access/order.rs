//! The order in which a request is checked: path, method, key, rate, input, subject, rules.

use acceptance::{Account, ApiResponse, World};
use domain::clock::Clock;
use domain::time::MINUTE;
use domain::workspace::{Limits, SubscriptionStatus};
use reqwest::Method;
use serde_json::{Value, json};
use store::{KeySettings, WorkspaceUpdate};

const TOO_LONG: usize = 1024 * 1024 + 1;

/// Sends a raw body with `key`.
async fn send(world: &World, method: Method, path: &str, key: &str, body: Vec<u8>) -> ApiResponse {
    World::execute(world.request(method, path).bearer_auth(key).body(body)).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_check_comes_before_the_next() {
    let world = World::start().await;
    let account = world.account().await;
    let long = || vec![b'x'; TOO_LONG];
    let writes = |n: u32| KeySettings {
        writes_per_minute: Some(n),
        ..KeySettings::default()
    };
    let now = world.host.clock.now();
    let made = world
        .host
        .store
        .create_key(&account.tenant, "spent", writes(0), now)
        .await;
    let spent = made.unwrap().unwrap().1.reveal().to_owned();
    let canceled = WorkspaceUpdate {
        status: Some(SubscriptionStatus::Canceled),
        ..WorkspaceUpdate::default()
    };
    let quiet = json!({"startTracking": false});
    let entity = world
        .entity(&account, "Acme", "acme.com", &["Which?"], quiet)
        .await;
    assert!(
        world
            .host
            .store
            .update_workspace(&account.tenant, canceled)
            .await
            .unwrap()
    );

    // Each request would also fail all later checks.
    let path = "/entities/addprompt";
    for (method, path, key, body, status) in [
        (Method::PUT, "/nowhere", "wrong", long(), 404),
        (Method::PUT, path, "wrong", long(), 405),
        (Method::POST, path, "wrong", long(), 401),
        (Method::POST, path, spent.as_str(), long(), 429),
        (Method::POST, path, account.key.as_str(), long(), 413),
        (
            Method::POST,
            path,
            account.key.as_str(),
            br#"{"entityId": "x", "prompt": 7}"#.to_vec(),
            400,
        ),
        (
            Method::POST,
            path,
            account.key.as_str(),
            br#"{"entityId": "x", "prompt": "a?"}"#.to_vec(),
            404,
        ),
        (
            Method::POST,
            path,
            account.key.as_str(),
            json!({"entityId": entity, "prompt": "a?"})
                .to_string()
                .into_bytes(),
            403,
        ),
    ] {
        let answer = send(&world, method.clone(), path, key, body).await;
        assert_eq!(answer.status, status, "{method} {path}: {}", answer.body);
        assert!(answer.body["error"].is_string(), "{}", answer.body);
        assert!(answer.header("x-request-id").is_some(), "{status}");
        assert_eq!(
            answer.header("content-type"),
            Some("application/json"),
            "{status}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unknown_paths_are_404_whoever_asks() {
    let world = World::start().await;
    let account = world.account().await;
    for path in [
        "",
        "/",
        "/nowhere",
        "/entities/",
        "/Entities",
        "//entities",
        "/entities/x",
        "/models/..",
        "/é",
        "/%00",
    ] {
        for account in [None, Some(&account)] {
            let answer = world.send(account, Method::GET, path, None).await;
            assert_eq!(answer.status, 404, "{path}");
            assert_eq!(answer.body, json!({"error": "Path not found"}), "{path}");
            assert!(answer.header("x-request-id").is_some(), "{path}");
        }
    }
    // Without the version, with another one, or with it twice.
    let root = world.host.ready.base_url.trim_end_matches("/v1").to_owned();
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    for path in ["/entities", "/v2/entities", "/v1/v1/entities", "/V1/entities"] {
        let request = client.get(format!("{root}{path}")).bearer_auth(&account.key);
        assert_eq!(
            World::execute(request).await.error(404),
            "Path not found",
            "{path}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_response_has_a_request_id_of_its_own() {
    let world = World::start().await;
    let limits = Limits {
        reads_per_minute: 1,
        entities: 0,
        ..Limits::default()
    };
    let account = world.account_with(limits, 0).await;
    let mut ids: Vec<String> = Vec::new();
    let mut seen: Vec<u16> = Vec::new();
    let mut keep = |answer: ApiResponse| {
        ids.push(answer.header("x-request-id").unwrap().to_owned());
        seen.push(answer.status);
    };
    let missing: Option<&Account> = None;
    // The second read exceeds the rate unless a new minute begins between the two.
    loop {
        let minute = world.host.clock.real_now().window(MINUTE);
        let answers = [
            world.get(&account, "/models").await,
            world.get(&account, "/models").await,
        ];
        let within = world.host.clock.real_now().window(MINUTE) == minute;
        let [first, second] = answers;
        if within && second.status == 429 {
            keep(first);
            keep(second);
            break;
        }
    }
    keep(world.send(missing, Method::GET, "/nowhere", None).await);
    keep(world.send(missing, Method::PUT, "/models", None).await);
    keep(world.send(missing, Method::GET, "/models", None).await);
    keep(world.post(&account, "/entities", &json!([])).await);
    let unknown = json!({"entityId": "x"});
    keep(world.post(&account, "/entities/run-check", &unknown).await);
    assert!(
        seen.contains(&429) && [404, 405, 401, 400].iter().all(|s| seen.contains(s)),
        "{seen:?}"
    );
    let count = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), count);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_error_is_an_error_text_and_nothing_else() {
    let world = World::start().await;
    let account = world.account().await;
    let fields = |body: &Value| body.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    for answer in [
        world.get(&account, "/nowhere").await,
        world.send(Some(&account), Method::DELETE, "/models", None).await,
        world.send(None, Method::GET, "/models", None).await,
        world.get(&account, "/entities/prompts").await,
        world.get(&account, "/entities/prompts?entityId=x").await,
    ] {
        assert_eq!(fields(&answer.body), ["error"], "{}", answer.status);
    }
}
