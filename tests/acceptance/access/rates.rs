//! Rate limits: requests per key and minute, and created entities per workspace and hour.

use std::collections::BTreeMap;
use std::time::Duration;

use acceptance::{Account, ApiResponse, World};
use domain::clock::Clock;
use domain::time::{HOUR, MINUTE};
use domain::workspace::Limits;
use futures::future::join_all;
use serde_json::json;
use store::KeySettings;

/// Creates an account with the default rate limits.
async fn usual(world: &World) -> Account {
    world.account_with(Limits::default(), 10_000).await
}

/// Repeats `attempt` until it begins and ends within one window of real time.
async fn within<T>(world: &World, window: Duration, attempt: impl AsyncFn() -> T) -> T {
    loop {
        let before = world.host.clock.real_now().window(window);
        let done = attempt().await;
        if world.host.clock.real_now().window(window) == before {
            return done;
        }
    }
}

fn statuses(answers: &[ApiResponse]) -> BTreeMap<u16, usize> {
    let mut statuses = BTreeMap::new();
    for answer in answers {
        *statuses.entry(answer.status).or_default() += 1;
    }
    statuses
}

/// Asserts that every 429 states the whole seconds to wait, in its header and its body.
fn assert_waits(answers: &[ApiResponse], most: u64) {
    for answer in answers.iter().filter(|a| a.status == 429) {
        let wait = answer.body["retryAfter"].as_u64().unwrap();
        assert!((1..=most).contains(&wait), "{}", answer.body);
        assert_eq!(answer.header("retry-after"), Some(wait.to_string().as_str()));
        assert!(answer.body["error"].is_string() && answer.header("x-request-id").is_some());
    }
}

async fn reads(world: &World, account: &Account, n: usize) -> Vec<ApiResponse> {
    join_all((0..n).map(|_| world.get(account, "/models"))).await
}

/// Sends writes that change nothing, because their entity is unknown.
async fn writes(world: &World, account: &Account, n: usize) -> Vec<ApiResponse> {
    let body = json!({"entityId": "0000000000000000"});
    join_all((0..n).map(|_| world.post(account, "/entities/run-check", &body))).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_reads_a_hundred_times_a_minute_and_its_writes_count_apart() {
    let world = World::start().await;
    let (answers, write) = within(&world, MINUTE, async || {
        let account = usual(&world).await;
        (
            reads(&world, &account, 110).await,
            writes(&world, &account, 1).await,
        )
    })
    .await;
    assert_eq!(statuses(&answers), BTreeMap::from([(200, 100), (429, 10)]));
    assert_waits(&answers, 60);
    assert_eq!(write[0].status, 404);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_writes_twenty_times_a_minute_and_its_reads_count_apart() {
    let world = World::start().await;
    let (answers, read) = within(&world, MINUTE, async || {
        let account = usual(&world).await;
        (
            writes(&world, &account, 25).await,
            reads(&world, &account, 1).await,
        )
    })
    .await;
    assert_eq!(statuses(&answers), BTreeMap::from([(404, 20), (429, 5)]));
    assert_waits(&answers, 60);
    assert_eq!(read[0].status, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_key_of_a_workspace_has_its_own_rate() {
    let world = World::start().await;
    let (first, second) = within(&world, MINUTE, async || {
        let account = usual(&world).await;
        let own = KeySettings {
            writes_per_minute: Some(3),
            ..KeySettings::default()
        };
        let made = world
            .host
            .store
            .create_key(&account.tenant, "slow", own, world.host.clock.now())
            .await;
        let second = Account {
            tenant: account.tenant.clone(),
            key: made.unwrap().unwrap().1.reveal().to_owned(),
        };
        (
            writes(&world, &account, 21).await,
            writes(&world, &second, 5).await,
        )
    })
    .await;
    assert_eq!(statuses(&first), BTreeMap::from([(404, 20), (429, 1)]));
    assert_eq!(statuses(&second), BTreeMap::from([(404, 3), (429, 2)]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_does_not_get_as_far_as_the_rate_uses_none_of_it() {
    let world = World::start().await;
    let answers = within(&world, MINUTE, async || {
        let account = usual(&world).await;
        let (some, none) = (Some(&account), None);
        for _ in 0..25 {
            for (who, method, path) in [
                (some, reqwest::Method::PUT, "/entities"),
                (some, reqwest::Method::POST, "/nowhere"),
                (none, reqwest::Method::POST, "/entities"),
            ] {
                assert!(world.send(who, method, path, None).await.status < 429);
            }
        }
        // Requests that reach the rate limit count, even if they are invalid.
        let mut answers = writes(&world, &account, 10).await;
        for _ in 0..11 {
            answers.push(world.post(&account, "/entities", &json!([])).await);
        }
        answers
    })
    .await;
    assert_eq!(
        statuses(&answers),
        BTreeMap::from([(400, 10), (404, 10), (429, 1)])
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_workspace_creates_ten_entities_an_hour_however_many_keys_ask() {
    let world = World::start().await;
    let (created, refused) = within(&world, HOUR, async || {
        let limits = Limits {
            reads_per_minute: 1_000,
            writes_per_minute: 1_000,
            ..Limits::default()
        };
        let account = world.account_with(limits, 10_000).await;
        let made = world
            .host
            .store
            .create_key(
                &account.tenant,
                "second",
                KeySettings::default(),
                world.host.clock.now(),
            )
            .await;
        let second = Account {
            tenant: account.tenant.clone(),
            key: made.unwrap().unwrap().1.reveal().to_owned(),
        };
        let model = world.model(&account).await;
        let body = |n: usize| {
            let domain = format!("site{n}.example");
            json!({"name": "Acme", "domain": domain, "models": [model], "prompts": []})
        };
        // Refused creations do not count.
        let mut wrong = body(0);
        wrong["domain"] = json!("localhost");
        for _ in 0..12 {
            assert_eq!(world.post(&account, "/entities", &wrong).await.status, 400);
        }
        let bodies: Vec<_> = (0..14).map(body).collect();
        let keys = [&account, &second];
        let all = bodies
            .iter()
            .enumerate()
            .map(|(n, body)| world.post(keys[n % 2], "/entities", body));
        let created = join_all(all).await;
        (created, world.get(&account, "/workspace").await.ok())
    })
    .await;
    assert_eq!(statuses(&created), BTreeMap::from([(200, 10), (429, 4)]));
    assert_waits(&created, 3_600);
    assert_eq!(refused["data"]["usage"]["entities"]["used"], 10);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_response_to_a_valid_key_tells_what_is_left_of_its_rate() {
    let world = World::start().await;
    let answers = within(&world, MINUTE, async || {
        let account = usual(&world).await;
        let mut answers = Vec::new();
        for _ in 0..20 {
            answers.extend(writes(&world, &account, 1).await);
        }
        answers.push(world.post(&account, "/entities", &json!([])).await);
        answers
    })
    .await;
    let left = answers.iter().map(|answer| {
        assert_eq!(answer.header("ratelimit-policy"), Some(r#""write";q=20;w=60"#));
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        let state = answer.header("ratelimit").unwrap();
        let (left, seconds) = state
            .strip_prefix(r#""write";r="#)
            .unwrap()
            .split_once(";t=")
            .unwrap();
        let seconds: u64 = seconds.parse().unwrap();
        assert!((1..=60).contains(&seconds), "{state}");
        if answer.status == 429 {
            assert_eq!(answer.body["retryAfter"], seconds);
        }
        left.parse::<u32>().unwrap()
    });
    let expected: Vec<u32> = (0..20).rev().chain([0]).collect();
    assert_eq!(left.collect::<Vec<_>>(), expected);
    assert_eq!(answers.last().unwrap().status, 429);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_response_to_an_invalid_key_tells_how_to_authenticate() {
    let world = World::start().await;
    let account = world.account().await;
    let wrong = Account {
        key: "wsk_".to_owned(),
        ..account
    };
    for (account, challenge) in [
        (None, r#"Bearer realm="visibility""#),
        (
            Some(&wrong),
            r#"Bearer realm="visibility", error="invalid_token""#,
        ),
    ] {
        let answer = world.send(account, reqwest::Method::GET, "/entities", None).await;
        assert_eq!(answer.status, 401);
        assert_eq!(answer.header("www-authenticate"), Some(challenge));
        assert_eq!(answer.header("ratelimit"), None);
        assert_eq!(answer.header("cache-control"), Some("no-store"));
    }
}
