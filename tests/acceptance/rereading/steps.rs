//! The steps of a rereading, one at a time.

use domain::answer::ResponseState;
use domain::clock::Clock;
use domain::facts::Family;
use domain::facts::families::Visibility;
use domain::limits::{CHECK_DEADLINE, REREADING_LEASE};
use domain::ordinal::BrandOrdinal;
use domain::period::DateRange;
use domain::time::{DAY, Day, MINUTE, SECOND};
use serde_json::{Value, json};

use super::twin::{Change, Twin};

impl Twin {
    /// Returns what `tracking-status` says about the rereading.
    async fn status(&self) -> Value {
        let query = format!("entityId={}", self.fixture.entity);
        self.get("/v1/entities/tracking-status", &query).await["data"]["rereading"].clone()
    }

    /// Runs everything that is due, until no more events are published.
    async fn run(&self) {
        self.fixture.tick().await;
        self.fixture.deliver_published().await;
    }

    /// Returns the distinct readings of each day of the last 30 days.
    async fn readings(&self) -> Vec<(Day, Vec<String>)> {
        let fixture = &self.fixture;
        let range = DateRange::last_30_days(fixture.table.now().day());
        let store = &fixture.table.store;
        let index = store
            .fact_index(&fixture.tenant, &fixture.entity, &range, true)
            .await
            .unwrap();
        let mut days: Vec<(Day, Vec<String>)> = Vec::new();
        for (check, reading) in index.readings() {
            let reading = reading.map_or_else(String::new, |reading| reading.to_string());
            match days.last_mut().filter(|(day, _)| *day == check.day) {
                Some((_, known)) if known.contains(&reading) => {}
                Some((_, known)) => known.push(reading),
                None => days.push((check.day, vec![reading])),
            }
        }
        days
    }

    /// Returns the brands that each response of each check mentions.
    async fn recorded_mentions(&self) -> Vec<Vec<BrandOrdinal>> {
        let (store, tenant, entity) = (
            &self.fixture.table.store,
            &self.fixture.tenant,
            &self.fixture.entity,
        );
        let mut mentions = Vec::new();
        for check in 1..=self.fixture.read_entity().await.check_seq.get() {
            let check = store.check(tenant, entity, check.into()).await.unwrap().unwrap();
            let responses = store.responses_of(tenant, entity, check.key()).await.unwrap();
            mentions.extend(responses.into_iter().map(|response| response.brands));
        }
        mentions
    }

    async fn mentions(&self) -> u64 {
        let query = format!("entityId={}", self.fixture.entity);
        let trend = self.get("/v1/trends/visibility", &query).await;
        let days = trend["data"].as_array().unwrap();
        days.iter().map(|day| day["mentions"].as_u64().unwrap()).sum()
    }

    async fn counted_since(&self) -> Value {
        let query = format!("entityId={}", self.fixture.entity);
        let mut found = Vec::new();
        for path in [
            "/v1/trends/visibility",
            "/v1/entities/competitors",
            "/v1/entities/prompts",
        ] {
            found.push(self.get(path, &query).await["countedSince"].clone());
        }
        assert!(found.windows(2).all(|pair| pair[0] == pair[1]), "{found:?}");
        found.remove(0)
    }
}

async fn after_days(days: usize) -> Twin {
    let twin = Twin::start().await;
    for _ in 0..days {
        twin.run_day().await;
        twin.next_day();
    }
    twin
}

#[tokio::test]
async fn the_status_shows_a_rereading_from_the_change_to_its_end() {
    let twin = after_days(3).await;
    twin.fixture.table.advance(MINUTE);
    // The slot of today is due as well.
    twin.run_day().await;
    assert_eq!(twin.status().await, Value::Null);
    let before = twin.mentions().await;
    twin.learn(Change::Alias).await;
    assert_eq!(twin.status().await, json!({"done": 0, "total": null}));
    twin.fixture.tick().await;
    assert_eq!(twin.status().await, json!({"done": 0, "total": null}));
    assert_eq!(twin.mentions().await, before);
    let asked = twin.fixture.ask_count();
    twin.fixture.deliver_published().await;
    assert_eq!(twin.status().await, Value::Null);
    assert!(twin.mentions().await > before);
    assert_eq!(twin.fixture.ask_count(), asked);
}

#[tokio::test]
async fn figures_count_since_the_first_day_that_was_read_for_the_same_names() {
    let twin = after_days(3).await;
    let today = twin.fixture.table.now().day();
    let first = today.plus_days(-29).to_string();
    assert_eq!(twin.counted_since().await, json!(first));
    twin.learn(Change::Alias).await;
    // The check of today is claimed with the new name, before the earlier days are read again.
    twin.fixture.tick().await;
    let held = twin.fixture.take_published().await;
    let (rereading, check): (Vec<_>, Vec<_>) = held
        .into_iter()
        .partition(|batch| batch.to_string().contains("RereadingDue"));
    for batch in check {
        twin.fixture.deliver(&batch).await;
    }
    twin.fixture.deliver_published().await;
    assert_eq!(twin.counted_since().await, json!(today.to_string()));
    for batch in rereading {
        twin.fixture.deliver(&batch).await;
    }
    assert_eq!(twin.counted_since().await, json!(first));
}

#[tokio::test]
async fn a_day_whose_texts_are_gone_stays_as_it_is() {
    let twin = after_days(3).await;
    let (table, entity) = (&twin.fixture.table, &twin.fixture.entity);
    let days = twin.readings().await;
    // One text of the second day is gone.
    let items = table.items().await;
    let second = format!("{}#", days[1].0);
    let partition = format!("#E#{entity}#R#");
    let gone = items
        .keys()
        .find(|(pk, sk)| pk.contains(&partition) && sk.starts_with(&second));
    acceptance::delete_item(&table.endpoint, gone.unwrap()).await;
    twin.learn(Change::Alias).await;
    twin.run().await;
    for _ in 0..3 {
        table.advance(MINUTE);
        twin.run().await;
    }
    assert_eq!(twin.status().await, Value::Null, "the rereading ends");
    let after = twin.readings().await;
    assert_eq!(after[1], days[1]);
    assert_ne!(after[0], days[0]);
    assert_ne!(after[2], days[2]);
    assert_eq!(twin.counted_since().await, json!(days[2].0.to_string()));
}

#[tokio::test]
async fn a_day_whose_texts_have_expired_is_not_read() {
    let twin = after_days(1).await;
    twin.fixture.table.advance(91 * DAY);
    twin.learn(Change::Alias).await;
    twin.fixture.table.faults.take();
    twin.run().await;
    let since = twin.fixture.table.now().day().plus_days(-90);
    let first = since.plus_days(-2).to_string();
    let calls = twin.fixture.table.faults.take();
    let reads_old = calls
        .iter()
        .any(|call| call.request.to_string().contains(&format!("{first}#")));
    assert!(!reads_old);
}

#[tokio::test]
async fn a_check_that_ends_with_other_names_than_its_day_is_indexed_together_with_it() {
    let twin = after_days(2).await;
    twin.run_day().await;
    // The second check of the day is claimed with the old names, and the first is read again before it ends.
    let run = twin
        .fixture
        .table
        .claim(
            &twin.fixture.tenant,
            &twin.fixture.entity,
            store::Trigger::Request,
        )
        .await;
    run.unwrap();
    twin.learn(Change::Alias).await;
    twin.run().await;
    let is_uniform = |days: &[(Day, Vec<String>)]| days.iter().all(|(_, readings)| readings.len() == 1);
    assert!(is_uniform(&twin.readings().await));
    // The check is reconciled, answered and finished.
    for _ in 0..6 {
        twin.fixture.table.advance(MINUTE);
        twin.run().await;
        assert!(is_uniform(&twin.readings().await));
    }
    let entity = twin.fixture.read_entity().await;
    assert_eq!(entity.last_check.unwrap().check.get(), 4);
    let readings = twin.readings().await;
    assert!(
        readings.iter().all(|(_, of_day)| *of_day == readings[0].1),
        "{readings:?}"
    );
    assert_eq!(twin.status().await, Value::Null);
}

#[tokio::test]
async fn a_worker_whose_lease_has_ended_switches_nothing() {
    let twin = after_days(2).await;
    let (table, tenant, entity) = (&twin.fixture.table, &twin.fixture.tenant, &twin.fixture.entity);
    let store = &table.store;
    store
        .request_rereading(tenant, Some(entity), None, table.now())
        .await
        .unwrap();
    let until = table.now() + REREADING_LEASE;
    let lease = |owner| store.lease_rereading(tenant, entity, uuid::Uuid::from_u128(owner), until);
    let first = lease(1).await.unwrap().unwrap();
    assert!(lease(2).await.unwrap().is_none());
    assert!(
        lease(1).await.unwrap().is_some(),
        "a repeated call finds its own lease"
    );
    // A newer request does not take the lease away.
    store
        .request_rereading(tenant, Some(entity), None, table.now())
        .await
        .unwrap();
    assert!(lease(2).await.unwrap().is_none());
    table.advance(REREADING_LEASE + SECOND);
    let until = table.now() + REREADING_LEASE;
    let second = store.lease_rereading(tenant, entity, uuid::Uuid::from_u128(2), until);
    let second = second.await.unwrap().unwrap();

    let day = table.now().day().plus_days(-1);
    let month = store.month_index(tenant, entity, day.month()).await.unwrap();
    let entries = month.of_day(day);
    assert!(!entries.is_empty());
    let switch = |lease| store.index_segments(tenant, entity, day, &month, &entries, Some(lease));
    assert!(!switch(&first).await.unwrap());
    assert!(!store.release_rereading(&first, None, table.now()).await.unwrap());
    assert!(!store.end_rereading(&first).await.unwrap());
    assert!(switch(&second).await.unwrap());
    assert!(!switch(&second).await.unwrap(), "the index is not as it was read");
    assert!(store.end_rereading(&second).await.unwrap());
    assert!(
        store
            .lease_rereading(tenant, entity, uuid::Uuid::from_u128(3), until)
            .await
            .unwrap()
            .is_none()
    );
}

#[tokio::test]
async fn a_request_is_widened_and_a_newer_one_is_not_ended() {
    let twin = after_days(1).await;
    let (table, tenant, entity) = (&twin.fixture.table, &twin.fixture.tenant, &twin.fixture.entity);
    let store = &table.store;
    let until = table.now() + REREADING_LEASE;
    for (since, expected) in [
        (Some(9), Some(9)),
        (Some(7), Some(7)),
        (Some(8), Some(7)),
        (None, None),
        (Some(7), None),
    ] {
        for of in [Some(entity), None] {
            store
                .request_rereading(tenant, of, since.map(Day), table.now())
                .await
                .unwrap();
        }
        let workspace = store.workspace_rereading(tenant).await.unwrap().unwrap();
        assert_eq!(workspace.since, expected.map(Day));
        let lease = store.lease_rereading(tenant, entity, uuid::Uuid::from_u128(1), until);
        assert_eq!(lease.await.unwrap().unwrap().rereading.since, expected.map(Day));
    }
    let lease = store.lease_rereading(tenant, entity, uuid::Uuid::from_u128(1), until);
    let lease = lease.await.unwrap().unwrap();
    let seen = store.workspace_rereading(tenant).await.unwrap().unwrap();
    store
        .request_rereading(tenant, Some(entity), None, table.now())
        .await
        .unwrap();
    store
        .request_rereading(tenant, None, None, table.now())
        .await
        .unwrap();
    assert!(!store.end_rereading(&lease).await.unwrap());
    store.end_workspace_rereading(tenant, seen.request).await.unwrap();
    assert!(store.workspace_rereading(tenant).await.unwrap().is_some());
}

#[tokio::test]
async fn the_rereading_of_a_deleted_entity_ends_silently() {
    let twin = after_days(2).await;
    let (table, tenant, entity) = (&twin.fixture.table, &twin.fixture.tenant, &twin.fixture.entity);
    twin.learn(Change::Alias).await;
    twin.fixture.tick().await;
    let held = twin.fixture.take_published().await;
    table.store.delete_entity(tenant, entity).await.unwrap();
    for batch in held {
        assert_eq!(twin.fixture.deliver(&batch).await, 0);
    }
    twin.run().await;
    table.advance(CHECK_DEADLINE);
    twin.run().await;
    assert!(table.store.due_items(table.now()).await.unwrap().is_empty());
}

#[tokio::test]
async fn only_responses_with_other_mentions_are_rewritten() {
    let twin = after_days(2).await;
    let (table, tenant, entity) = (&twin.fixture.table, &twin.fixture.tenant, &twin.fixture.entity);
    twin.learn(Change::Alias).await;
    table.faults.take();
    twin.run().await;
    let range = DateRange::last_30_days(table.now().day());
    let index = table
        .store
        .fact_index(tenant, entity, &range, true)
        .await
        .unwrap();
    for (check, reading) in index
        .readings()
        .filter(|(check, _)| check.day < table.now().day())
    {
        let responses = table.store.responses_of(tenant, entity, check).await.unwrap();
        let rewritten = responses.iter().filter(|r| r.reading == reading).count();
        assert!(rewritten > 0 && rewritten < responses.len(), "{rewritten}");
        let segments = index.segments_of(Family::Visibility).unwrap();
        let encoded = table
            .store
            .segments(
                tenant,
                entity,
                Family::Visibility,
                &segments,
                |of| of == check,
                true,
            )
            .await
            .unwrap();
        let visibility = Visibility::decode(&encoded[0].1).unwrap();
        let mut cells = visibility.cells();
        assert!(responses.iter().all(|response| {
            assert_eq!(response.state, ResponseState::Answered);
            cells.next().unwrap().brands == response.brands
        }));
    }
}

#[tokio::test]
async fn a_step_ends_after_a_minute_and_the_next_one_continues_it() {
    let twin = after_days(1).await;
    twin.run_day().await;
    let table = &twin.fixture.table;
    let requested = table.claim(
        &twin.fixture.tenant,
        &twin.fixture.entity,
        store::Trigger::Request,
    );
    requested.await.unwrap();
    for _ in 0..6 {
        table.advance(MINUTE);
        twin.run().await;
    }
    assert_eq!(
        twin.fixture.read_entity().await.last_check.unwrap().check.get(),
        3
    );
    let before = twin.readings().await;
    twin.learn(Change::Alias).await;
    // Reading the texts of one check takes more than a minute.
    let clock = table.clock.clone();
    twin.faults.script(move |call| {
        if call.request["KeyConditionExpression"]
            .to_string()
            .contains(":prefix")
        {
            clock.set_real(clock.real_now() + MINUTE);
        }
        None
    });
    twin.fixture.tick().await;
    // The latest day has two checks. It changes after both are read.
    for expected in [
        json!({"done": 0, "total": 2}),
        json!({"done": 1, "total": 2}),
        Value::Null,
    ] {
        let mut batches = twin.fixture.take_published().await;
        assert_eq!(batches.len(), 1, "one continuation");
        assert_eq!(twin.fixture.deliver(&batches.remove(0)).await, 0);
        assert_eq!(twin.status().await, expected);
        let after = twin.readings().await;
        let done = expected["done"].as_u64().unwrap_or(2);
        assert_eq!(after[0] == before[0], done < 2);
        assert_eq!(after[1] == before[1], done < 1);
        assert!(after.iter().all(|(_, readings)| readings.len() == 1));
    }
    assert!(twin.fixture.take_published().await.is_empty());
}

#[tokio::test]
async fn a_rereading_that_is_published_is_published_again_after_five_minutes_if_nobody_takes_it_up() {
    let twin = after_days(1).await;
    let table = &twin.fixture.table;
    let (tenant, entity) = (&twin.fixture.tenant, &twin.fixture.entity);
    twin.run_day().await;
    let requested = table
        .store
        .request_rereading(tenant, Some(entity), None, table.now());
    requested.await.unwrap();
    let mut published = Vec::new();
    for _ in 0..12 {
        twin.fixture.tick().await;
        published.push(twin.fixture.take_published().await.len());
        table.advance(MINUTE);
    }
    assert_eq!(published, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
}

#[tokio::test]
async fn responses_that_were_rewritten_for_a_name_that_is_gone_again_are_read_once_more() {
    let twin = after_days(2).await;
    twin.run_day().await;
    let before = twin.recorded_mentions().await;
    twin.learn(Change::Alias).await;
    twin.fixture.tick().await;
    let held = twin.fixture.take_published().await;
    // The process dies after it has rewritten responses, before it writes the new segment.
    let crashed = twin.faults.crashed();
    twin.faults
        .script(|call| (call.operation == "PutItem").then_some(acceptance::Fault::CrashBefore));
    tokio::select! {
        _ = twin.fixture.deliver(&held[0]) => panic!("the process does not die"),
        () = crashed => {}
    }
    twin.faults.none();
    assert_ne!(twin.recorded_mentions().await, before);
    twin.set_aliases(&[]).await;
    for _ in 0..8 {
        twin.fixture.table.advance(MINUTE);
        twin.run().await;
    }
    assert_eq!(twin.status().await, Value::Null);
    assert_eq!(twin.recorded_mentions().await, before);
}
