//! A single update that conflicts with a transaction on the item is retried, because it had no effect.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use acceptance::Fault;
use domain::check_key::ShardKey;
use domain::limits::LEASE;
use domain::ordinal::PromptOrdinal;
use domain::time::MILLISECOND;
use domain::workspace::Limits;
use store::{AuthError, Rate};
use uuid::Uuid;

use super::table::{NOON, Table, no_limits};

/// Makes the next updates fail with conflicts, and returns the number of conflicts that are left.
fn conflicts(table: &Table, count: usize) -> Arc<AtomicUsize> {
    let left = Arc::new(AtomicUsize::new(count));
    let taken = left.clone();
    table.faults.script(move |call| {
        let is_update = call.operation == "UpdateItem";
        let take = |left: usize| left.checked_sub(1);
        let conflicts = is_update
            && taken
                .fetch_update(Ordering::SeqCst, Ordering::SeqCst, take)
                .is_ok();
        conflicts.then_some(Fault::Conflict)
    });
    left
}

#[tokio::test]
async fn each_step_of_a_shard_is_retried_after_conflicts() {
    let table = Table::start().await;
    let store = &table.store;
    let tenant = table.tenant(1_000).await;
    let entity = table.entity(&tenant, "acme.com", 2, 1).await.id;
    let (check, _) = table.claimed(&tenant, &entity).await;
    let until = NOON + LEASE;
    let shard = async || {
        let mut shards = store.shards(&tenant, &entity, check).await.unwrap();
        shards.remove(0)
    };

    let left = conflicts(&table, 4);
    let key = ShardKey {
        check,
        shard: 0.into(),
    };
    let lease = store
        .lease_shard(&tenant, &entity, key, Uuid::new_v4(), NOON, until)
        .await
        .unwrap();
    assert_eq!(left.load(Ordering::SeqCst), 0);
    assert_eq!(shard().await.owner, lease.owner);

    let left = conflicts(&table, 4);
    assert!(store.renew_lease(&lease, until + MILLISECOND).await.unwrap());
    assert_eq!(left.load(Ordering::SeqCst), 0);
    assert_eq!(shard().await.lease_until, until + MILLISECOND);

    let left = conflicts(&table, 4);
    let asks = BTreeMap::from([(PromptOrdinal::new(1), 1)]);
    assert!(store.record_asks(&lease, &asks).await.unwrap().is_some());
    assert_eq!(left.load(Ordering::SeqCst), 0);
    assert_eq!(shard().await.asks, asks);

    let left = conflicts(&table, 4);
    assert!(store.release_lease(&lease).await.unwrap());
    assert_eq!(left.load(Ordering::SeqCst), 0);
    assert!(shard().await.lease_until <= NOON);
}

#[tokio::test]
async fn a_request_that_is_retried_after_conflicts_counts_once() {
    let table = Table::start().await;
    let limits = Limits {
        reads_per_minute: 3,
        ..no_limits()
    };
    let (tenant, key) = table.workspace(limits, 0).await;
    for _ in 0..3 {
        let left = conflicts(&table, 3);
        let access = table.store.authenticate(&key, Rate::Read, NOON).await;
        assert_eq!(access.unwrap().tenant, tenant);
        assert_eq!(left.load(Ordering::SeqCst), 0);
    }
    conflicts(&table, 3);
    let denied = table.store.authenticate(&key, Rate::Read, NOON).await;
    assert!(matches!(denied, Err(AuthError::TooMany(_))), "{denied:?}");
}

#[tokio::test]
async fn retries_of_permanent_conflicts_end_and_change_nothing() {
    let table = Table::start().await;
    let (_, key) = table.workspace(no_limits(), 0).await;
    let before = table.items().await;
    table.faults.take();
    conflicts(&table, usize::MAX);
    let error = table
        .store
        .authenticate(&key, Rate::Read, NOON)
        .await
        .unwrap_err();
    let is_transient = matches!(&error, AuthError::Store(error) if error.is_transient());
    assert!(is_transient, "{error}");
    assert_eq!(table.faults.take().len(), 10);
    assert_eq!(table.items().await, before);
}
