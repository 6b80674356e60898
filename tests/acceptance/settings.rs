//! The operator's settings take effect, and an invalid value stops the start.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use acceptance::{Account, FakeOpenAi, ProviderReply, World, answer};
use aws_sdk_dynamodb::types::AttributeValue;
use domain::clock::Clock;
use domain::limits::FACT_RETENTION;
use domain::time::{DAY, Timestamp};
use events::CheckQueue;
use futures::FutureExt;
use local::bus::Depth;
use local::{FunctionHandlers, HostBuilder, Options};
use runtime::Settings;
use serde_json::json;
use store::connect;
use tokio::sync::Notify;

async fn set(settings: &'static [(&'static str, &'static str)]) -> World {
    World::with(Options::default(), lookup(settings)).await
}

fn lookup(settings: &'static [(&'static str, &'static str)]) -> impl Fn(&str) -> Option<String> {
    move |name| {
        let set = settings.iter().find(|(known, _)| *known == name);
        set.map(|(_, value)| (*value).to_owned())
    }
}

/// Returns for how many whole days from now the entity's items are kept whose keys contain `partition` and
/// `sort`.
async fn days_kept(world: &World, entity: &str, partition: &str, sort: &str) -> Vec<u64> {
    let ready = &world.host.ready;
    let table = aws_sdk_dynamodb::Client::new(&connect::to_endpoint(&ready.dynamodb_endpoint));
    let scanned = table.scan().table_name(&ready.table).send().await.unwrap();
    assert!(scanned.last_evaluated_key.is_none(), "one page");
    let now = world.host.clock.now();
    let text = |value: Option<&AttributeValue>| value.unwrap().as_s().unwrap().clone();
    let mut days = Vec::new();
    for item in scanned.items.unwrap() {
        let (pk, sk) = (text(item.get("PK")), text(item.get("SK")));
        if pk.contains(entity) && pk.contains(partition) && sk.starts_with(sort) {
            let expires: i64 = item["expiresAt"].as_n().unwrap().parse().unwrap();
            let left = Timestamp::from_millis(expires * 1_000).duration_since(now);
            // Some moments of the last day are over.
            days.push(left.as_secs().div_ceil(DAY.as_secs()));
        }
    }
    days
}

async fn checked_entity(world: &World, account: &Account) -> String {
    let entity = world
        .entity(account, "Acme", "acme.com", &["Which?"], json!({}))
        .await;
    world.checked(account, &entity).await;
    entity
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn responses_are_kept_for_the_configured_days_and_facts_as_usual() {
    for (world, days) in [
        (set(&[]).await, 90),
        (set(&[(Settings::RESPONSE_RETENTION_DAYS, "30")]).await, 30),
    ] {
        let account = world.account().await;
        let entity = checked_entity(&world, &account).await;
        // These are the check with its plan and its shard, and the response.
        let of_check = days_kept(&world, &entity, "#E#", "CHECK#").await;
        assert_eq!(of_check, vec![days; 3]);
        assert_eq!(days_kept(&world, &entity, "#R#", "").await, [days]);
        let facts = days_kept(&world, &entity, "#F#", "").await;
        assert!(
            !facts.is_empty()
                && facts
                    .iter()
                    .all(|kept| *kept >= FACT_RETENTION.as_secs() / DAY.as_secs() - 1)
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_entity_is_checked_at_the_configured_frequency() {
    let world = set(&[(Settings::FREQUENCY_HOURS, "6")]).await;
    let account = world.account().await;
    let entity = checked_entity(&world, &account).await;
    let path = format!("/entities/tracking-status?entityId={entity}");
    let status = world.get(&account, &path).await.ok();
    assert_eq!(status["data"]["frequencyHours"], 6);
    // The frequency can still be updated.
    let change = json!({"entityId": entity, "frequencyHours": 48});
    world.patch(&account, "/entities", &change).await.ok();
    assert_eq!(
        world.get(&account, &path).await.ok()["data"]["frequencyHours"],
        48
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_invalid_value_stops_the_start_and_is_reported_with_the_reason() {
    for (settings, says) in [
        (
            &[(Settings::RESPONSE_RETENTION_DAYS, "7")],
            "RESPONSE_RETENTION_DAYS must be a whole number from 30 to 400",
        ),
        (
            &[(Settings::FREQUENCY_HOURS, "daily")],
            "DEFAULT_FREQUENCY_HOURS must be a whole number from 1 to 720",
        ),
        (
            &[(Settings::SHARD_CONCURRENCY, "1001")],
            "SHARD_CONCURRENCY must be a whole number from 2 to 1000",
        ),
        (
            &[(Settings::CORS_ORIGINS, "app.example.com")],
            "CORS_ORIGINS must be origins such as https://app.example.com, comma-separated, or *",
        ),
    ] {
        let started = HostBuilder::new(Options::default())
            .environment(lookup(settings))
            .start()
            .await;
        assert_eq!(started.err().unwrap().to_string(), says);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn shards_are_worked_on_at_the_configured_concurrency_and_few_wait_in_the_queue() {
    let gate = Arc::new(Notify::new());
    let closed = gate.clone();
    let provider = FakeOpenAi::start(move |_| {
        ProviderReply::from(answer("I recommend Acme.", &[], &[])).behind(&closed)
    })
    .await;
    let options = Options {
        tick: DAY,
        shard_concurrency: 2,
        ..Options::default()
    };
    let world = World::with(options, provider.lookup()).await;
    let account = world.account().await;
    let mut entities = Vec::new();
    for domain in ["one.com", "two.com", "three.com", "four.com", "five.com"] {
        let entity = world.entity(&account, "Acme", domain, &["Which?"], json!({}));
        entities.push(entity.await);
    }
    // Two shards are worked on and one waits. The others are not published.
    let queues = &world.host.queues;
    let all_planned = async {
        loop {
            let shards = queues.get(CheckQueue::Shards).depth();
            assert!(shards.in_flight <= 2);
            assert!(shards.visible <= 3 - shards.in_flight);
            let is_waiting = shards.visible == 1 && shards.in_flight == 2;
            if is_waiting && queues.get(CheckQueue::Steps).is_idle() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), all_planned)
        .await
        .unwrap();
    assert!(queues.depth().visible == 1 && !queues.is_idle());
    let open = async {
        loop {
            gate.notify_waiters();
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let finished = async {
        for entity in &entities {
            world.checked(&account, entity).await;
        }
        queues.wait_until_idle().await;
    };
    tokio::select! {
        () = finished => {}
        () = open => {}
    }
    assert_eq!(
        (queues.depth(), queues.dead_letters()),
        (Depth::default(), Vec::new())
    );
    let status = world.get(&account, "/workspace").await.ok();
    assert_eq!(
        status["data"]["usage"]["credits"]["totalUsed"], 5,
        "every check is finished"
    );
}

/// Returns the `SHARD_CONCURRENCY` that a function in a process of its own gets.
async fn external_concurrency(shard_concurrency: u32) -> Option<String> {
    let given = Arc::<Mutex<Vec<(String, String)>>>::default();
    let sink = given.clone();
    let options = Options {
        shard_concurrency,
        ..Options::default()
    };
    let host = HostBuilder::new(options)
        .external_functions(Arc::new(move |environment| {
            *sink.lock().unwrap() = environment;
            let handlers = FunctionHandlers {
                routes: Vec::new(),
                fallback: Arc::new(|_| std::future::ready(json!(null)).boxed()),
                checker: Some(Arc::new(|_| std::future::ready(Ok(json!(null))).boxed())),
                notifier: None,
            };
            std::future::ready(handlers).boxed()
        }))
        .start()
        .await
        .unwrap();
    host.stop().await;
    let given = given.lock().unwrap();
    let concurrency = given.iter().find(|(name, _)| name == Settings::SHARD_CONCURRENCY);
    concurrency.map(|(_, value)| value.clone())
}

#[tokio::test]
async fn a_function_in_a_process_of_its_own_gets_a_concurrency_that_it_accepts() {
    for (option, given) in [(1, "2"), (5, "5"), (1_000, "1000")] {
        let concurrency = external_concurrency(option).await.unwrap();
        assert_eq!(concurrency, given);
        let settings =
            Settings::from_lookup(|name| (name == Settings::SHARD_CONCURRENCY).then(|| concurrency.clone()));
        assert_eq!(settings.unwrap().shard_concurrency.to_string(), given);
    }
}
