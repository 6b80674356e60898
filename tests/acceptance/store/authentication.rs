//! API keys and their rate limits.

use domain::api_key::ApiKey;
use domain::time::{MILLISECOND, MINUTE, Timestamp};
use domain::workspace::Limits;
use store::{Access, AuthError, KeySettings, Rate, WorkspaceUpdate};

use super::table::{NOON, Table, no_limits};

fn reads(reads_per_minute: u32) -> Limits {
    Limits {
        reads_per_minute,
        ..no_limits()
    }
}

fn to_reads(reads_per_minute: u32) -> WorkspaceUpdate {
    WorkspaceUpdate {
        reads_per_minute: Some(reads_per_minute),
        ..WorkspaceUpdate::default()
    }
}

async fn read(table: &Table, key: &ApiKey, real: Timestamp) -> Result<Access, AuthError> {
    table.store.authenticate(key, Rate::Read, real).await
}

/// Sends concurrent requests and returns how many are accepted. Asserts that the rejected ones are told to
/// retry within a minute.
async fn passed(table: &Table, key: &ApiKey, requests: usize, real: impl Fn(usize) -> Timestamp) -> usize {
    let results = futures::future::join_all((0..requests).map(|n| read(table, key, real(n)))).await;
    for denied in results.iter().filter_map(|r| r.as_ref().err()) {
        assert!(
            matches!(denied, AuthError::TooMany(quota) if (MILLISECOND..=MINUTE).contains(&quota.resets_in)),
            "{denied:?}"
        );
    }
    results.iter().filter(|r| r.is_ok()).count()
}

#[tokio::test]
async fn exactly_as_many_requests_as_the_limit_pass_however_many_are_concurrent() {
    let table = Table::start().await;
    let (tenant, key) = table.workspace(reads(50), 0).await;
    assert_eq!(passed(&table, &key, 200, |_| NOON).await, 50);
    assert_eq!(passed(&table, &key, 20, |_| NOON + MINUTE - MILLISECOND).await, 0);
    // Writes have their own window, and so does the next minute.
    let write = table.store.authenticate(&key, Rate::Write, NOON).await;
    assert_eq!(write.unwrap().tenant, tenant);
    assert_eq!(passed(&table, &key, 200, |_| NOON + MINUTE).await, 50);
}

#[tokio::test]
async fn requests_around_the_end_of_a_minute_never_pass_more_than_two_windows() {
    let table = Table::start().await;
    let (_, key) = table.workspace(reads(20), 0).await;
    let around = |n: usize| {
        if n.is_multiple_of(2) {
            NOON - MILLISECOND
        } else {
            NOON
        }
    };
    let passed = passed(&table, &key, 100, around).await;
    assert!((20..=40).contains(&passed), "{passed}");
    assert!(read(&table, &key, NOON).await.is_err());
}

#[tokio::test]
async fn an_instance_whose_clock_is_a_minute_behind_counts_in_the_current_window() {
    let table = Table::start().await;
    let (_, key) = table.workspace(reads(10), 0).await;
    assert!(read(&table, &key, NOON).await.is_ok());
    let behind = NOON - MINUTE;
    assert!(read(&table, &key, behind).await.is_ok(), "it is not shut out");
    let mixed = passed(
        &table,
        &key,
        60,
        |n| if n.is_multiple_of(2) { behind } else { NOON },
    )
    .await;
    assert_eq!(mixed, 8, "it opens no window of its own");
    assert!(read(&table, &key, NOON + MINUTE).await.is_ok());
}

#[tokio::test]
async fn a_limit_of_zero_rejects_every_request_and_a_raised_limit_applies_at_once() {
    let table = Table::start().await;
    let (tenant, key) = table.workspace(reads(0), 0).await;
    for minute in 0..2 {
        assert_eq!(passed(&table, &key, 3, |_| NOON + minute * MINUTE).await, 0);
    }
    assert!(table.store.update_workspace(&tenant, to_reads(2)).await.unwrap());
    assert_eq!(passed(&table, &key, 10, |_| NOON + MINUTE).await, 2);
}

#[tokio::test]
async fn a_keys_own_rate_limit_survives_a_change_of_the_workspaces_limits() {
    let table = Table::start().await;
    let (tenant, first) = table.workspace(reads(5), 0).await;
    let own = KeySettings {
        reads_per_minute: Some(3),
        ..KeySettings::default()
    };
    let made = table.store.create_key(&tenant, "own", own, NOON).await.unwrap();
    let (_, second) = made.unwrap();
    table.store.update_workspace(&tenant, to_reads(7)).await.unwrap();
    assert_eq!(passed(&table, &first, 20, |_| NOON).await, 7);
    assert_eq!(passed(&table, &second, 20, |_| NOON).await, 3);
}

#[tokio::test]
async fn a_revoked_key_is_deactivated_and_one_never_issued_is_unknown() {
    let table = Table::start().await;
    let (tenant, key) = table.workspace(reads(5), 0).await;
    assert!(read(&table, &key, NOON).await.is_ok());
    let id = table.store.list_keys(&tenant).await.unwrap().remove(0).key_id;
    assert!(table.store.revoke_key(&tenant, &id).await.unwrap());
    for real in [NOON, NOON + MINUTE, NOON - MINUTE] {
        assert_eq!(read(&table, &key, real).await.err(), Some(AuthError::Deactivated));
    }
    let never = ApiKey::from_random(&[7; 26]).unwrap();
    assert_eq!(read(&table, &never, NOON).await.err(), Some(AuthError::Unknown));
    let items = table.items().await;
    let left = items.keys().any(|(pk, _)| pk.contains(&never.digest()));
    assert!(!left, "a denied request leaves nothing behind");
}

#[tokio::test]
async fn a_request_takes_one_write_in_a_running_window_and_two_at_its_start() {
    let table = Table::start().await;
    let (_, key) = table.workspace(reads(5), 0).await;
    for (minute, writes) in [(0, 2), (0, 1), (1, 2), (1, 1)] {
        table.faults.take();
        read(&table, &key, NOON + minute * MINUTE).await.unwrap();
        let calls = table.faults.take();
        let operations: Vec<&str> = calls.iter().map(|c| c.operation.as_str()).collect();
        assert_eq!(operations, vec!["UpdateItem"; writes]);
    }
}

#[tokio::test]
async fn a_window_that_a_wrong_clock_has_stored_locks_no_key() {
    let table = Table::start().await;
    for ahead in [3 * MINUTE, 24 * 60 * MINUTE] {
        let (_, key) = table.workspace(reads(3), 0).await;
        assert_eq!(passed(&table, &key, 9, |_| NOON + ahead).await, 3);
        assert_eq!(passed(&table, &key, 9, |_| NOON).await, 3, "a window of its own");
        assert_eq!(
            passed(&table, &key, 9, |_| NOON + MINUTE).await,
            3,
            "and the next"
        );
    }
    // A clock that is ahead by less than that is another instance's, and its window counts.
    for ahead in [MINUTE, 2 * MINUTE] {
        let (_, key) = table.workspace(reads(3), 0).await;
        assert_eq!(passed(&table, &key, 2, |_| NOON + ahead).await, 2);
        assert_eq!(passed(&table, &key, 9, |_| NOON).await, 1);
    }
}
