//! The steps of a rereading, one at a time.

use domain::answer::ResponseState;
use domain::clock::Clock;
use domain::family::Family;
use domain::limits::{CHECK_DEADLINE, REREADING_LEASE};
use domain::period::DateRange;
use domain::time::{Day, MINUTE, SECOND};
use facts::families::Visibility;
use serde_json::{Value, json};

use super::twin::{Change, Twin};

#[tokio::test]
async fn a_worker_whose_lease_has_ended_switches_nothing() {
    let twin = Twin::start_and_run_days(2).await;
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
    let twin = Twin::start_and_run_days(1).await;
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
    let twin = Twin::start_and_run_days(2).await;
    let (table, tenant, entity) = (&twin.fixture.table, &twin.fixture.tenant, &twin.fixture.entity);
    twin.learn(Change::Alias).await;
    twin.fixture.tick().await;
    let held = twin.fixture.take_published().await;
    table.store.delete_entity(tenant, entity).await.unwrap();
    for batch in held {
        assert_eq!(twin.fixture.deliver(&batch).await, 0);
    }
    twin.run_due_work().await;
    table.advance(CHECK_DEADLINE);
    twin.run_due_work().await;
    assert!(table.store.due_work(table.now()).await.unwrap().is_empty());
}

#[tokio::test]
async fn only_responses_with_other_mentions_are_rewritten() {
    let twin = Twin::start_and_run_days(2).await;
    let (table, tenant, entity) = (&twin.fixture.table, &twin.fixture.tenant, &twin.fixture.entity);
    twin.learn(Change::Alias).await;
    table.faults.take();
    twin.run_due_work().await;
    let range = DateRange::last_30_days(table.now().day());
    let index = table
        .store
        .fact_index(tenant, entity, &[range], store::Consistency::Strong)
        .await
        .unwrap();
    for (check, reading) in index
        .readings()
        .filter(|(check, _)| check.day < table.now().day())
    {
        let responses = table.store.responses_of(tenant, entity, check).await.unwrap();
        let rewritten = responses.iter().filter(|r| r.reading == reading).count();
        assert!(rewritten > 0 && rewritten < responses.len(), "{rewritten}");
        let mut segments = index.segments_of(Family::Visibility).unwrap();
        segments.retain(|(of, _)| *of == check);
        let encoded = table
            .store
            .segments(tenant, entity, Family::Visibility, &segments)
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
    let twin = Twin::start_and_run_days(1).await;
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
        twin.run_due_work().await;
    }
    assert_eq!(
        twin.fixture.read_entity().await.last_check.unwrap().check.get(),
        3
    );
    let before = twin.readings_by_day().await;
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
        assert_eq!(twin.rereading_status().await, expected);
        let after = twin.readings_by_day().await;
        let done = expected["done"].as_u64().unwrap_or(2);
        assert_eq!(after[0] == before[0], done < 2);
        assert_eq!(after[1] == before[1], done < 1);
        assert!(after.iter().all(|(_, readings)| readings.len() == 1));
    }
    assert!(twin.fixture.take_published().await.is_empty());
}

#[tokio::test]
async fn a_rereading_that_is_published_is_published_again_after_five_minutes_if_nobody_takes_it_up() {
    let twin = Twin::start_and_run_days(1).await;
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
    let twin = Twin::start_and_run_days(2).await;
    twin.run_day().await;
    let before = twin.brands_by_response().await;
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
    assert_ne!(twin.brands_by_response().await, before);
    twin.set_aliases(&[]).await;
    for _ in 0..8 {
        twin.fixture.table.advance(MINUTE);
        twin.run_due_work().await;
    }
    assert_eq!(twin.rereading_status().await, Value::Null);
    assert_eq!(twin.brands_by_response().await, before);
}
