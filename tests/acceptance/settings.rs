//! The operator's settings take effect, and an invalid value stops the start.

use acceptance::{Account, World};
use aws_sdk_dynamodb::types::AttributeValue;
use domain::clock::Clock;
use domain::limits::FACT_RETENTION;
use domain::time::{DAY, Timestamp};
use local::{HostBuilder, Options};
use runtime::Settings;
use serde_json::json;
use store::connect;

async fn set(settings: &'static [(&'static str, &'static str)]) -> World {
    World::with(Options::default(), lookup(settings)).await
}

fn lookup(settings: &'static [(&'static str, &'static str)]) -> impl Fn(&str) -> Option<String> {
    move |name| {
        let set = settings.iter().find(|(known, _)| *known == name);
        set.map(|(_, value)| (*value).to_owned())
    }
}

/// Returns for how many whole days from now the entity's items are kept whose keys contain `partition` and `sort`.
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
            days.push(
                Timestamp::from_millis(expires * 1_000)
                    .duration_since(now)
                    .as_secs()
                    / DAY.as_secs(),
            );
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
