//! One worker at a time holds the lease of a shard.

use std::collections::{BTreeMap, BTreeSet};

use domain::check_key::ShardKey;
use domain::entity::Problem;
use domain::limits::LEASE;
use domain::ordinal::{CheckNumber, PromptOrdinal};
use domain::time::{MILLISECOND, MINUTE, SECOND};
use store::{LeaseError, Tenant};
use uuid::Uuid;

use super::table::{NOON, Table, answered};

/// Creates a check with one question in one shard.
async fn check(table: &Table) -> (Tenant, domain::id::EntityId, CheckNumber) {
    let tenant = table.tenant(1_000).await;
    let entity = table.entity(&tenant, "acme.com", 2, 1).await;
    let (check, _) = table.claimed(&tenant, &entity.id).await;
    (tenant, entity.id, check)
}

fn busy() -> Problem {
    Problem {
        provider: Some("openai".to_owned()),
        model_id: None,
        reason: "busy".to_owned(),
        since: NOON,
    }
}

#[tokio::test]
async fn one_of_many_workers_leases_a_shard() {
    let table = Table::start().await;
    let (tenant, entity, check) = check(&table).await;
    let leases = (0..12).map(|_| table.lease(&tenant, &entity, check, 0));
    let results = futures::future::join_all(leases).await;
    assert_eq!(results.iter().filter(|r| r.is_ok()).count(), 1);
    let held = LeaseError::NotAvailable {
        until: table.now() + LEASE,
    };
    assert!(
        results
            .iter()
            .filter_map(|r| r.as_ref().err())
            .all(|r| *r == held)
    );
}

#[tokio::test]
async fn an_expired_lease_is_taken_over_and_its_former_owner_can_only_record_answers() {
    let table = Table::start().await;
    let (tenant, entity, check) = check(&table).await;
    let old = table.lease(&tenant, &entity, check, 0).await.unwrap();
    table.advance(LEASE - MILLISECOND);
    assert!(table.lease(&tenant, &entity, check, 0).await.is_err());
    table.advance(MILLISECOND);
    let new = table.lease(&tenant, &entity, check, 0).await.unwrap();
    assert_ne!(old.owner, new.owner);

    let store = &table.store;
    let asks = BTreeMap::from([(PromptOrdinal::new(1), 1)]);
    let later = table.now() + LEASE;
    assert!(store.record_asks(&old, &asks).await.unwrap().is_none());
    assert!(!store.renew_lease(&old, later).await.unwrap());
    assert!(!store.defer_shard(&old, later, &asks, &busy()).await.unwrap());
    assert!(!store.finish_shard(&old).await.unwrap());
    let shards = store.shards(&tenant, &entity, check).await.unwrap();
    assert!(shards[0].asks.is_empty() && shards[0].not_before.is_none());
    let left = store
        .check(&tenant, &entity, check)
        .await
        .unwrap()
        .unwrap()
        .shards
        .left();
    assert_eq!(left, 1);
    // The answers that it has paid for by then are kept.
    let answer = answered(1, 0, "late", table.now());
    assert!(
        store
            .record_responses(&old, table.now().day(), vec![answer])
            .await
            .unwrap()
    );
    let recorded = store.record_asks(&new, &asks).await.unwrap();
    assert_eq!(
        recorded,
        Some(BTreeSet::from([PromptOrdinal::new(1)])),
        "and the new one learns of it"
    );
    assert!(store.finish_shard(&new).await.unwrap());
    assert!(!store.finish_shard(&new).await.unwrap(), "counted off once");
    let left = store
        .check(&tenant, &entity, check)
        .await
        .unwrap()
        .unwrap()
        .shards
        .left();
    assert_eq!(left, 0);
    assert_eq!(
        table.lease(&tenant, &entity, check, 0).await.unwrap_err(),
        LeaseError::Ended
    );
}

#[tokio::test]
async fn a_renewed_lease_lasts_longer() {
    let table = Table::start().await;
    let (tenant, entity, check) = check(&table).await;
    let lease = table.lease(&tenant, &entity, check, 0).await.unwrap();
    table.advance(LEASE - SECOND);
    assert!(
        table
            .store
            .renew_lease(&lease, table.now() + LEASE)
            .await
            .unwrap()
    );
    table.advance(LEASE - SECOND);
    assert!(table.lease(&tenant, &entity, check, 0).await.is_err());
}

#[tokio::test]
async fn a_deferred_shard_is_not_leased_before_its_time() {
    let table = Table::start().await;
    let (tenant, entity, check) = check(&table).await;
    let lease = table.lease(&tenant, &entity, check, 0).await.unwrap();
    let not_before = table.now() + 10 * MINUTE;
    let asks = BTreeMap::from([(PromptOrdinal::new(1), 2)]);
    assert!(
        table
            .store
            .defer_shard(&lease, not_before, &asks, &busy())
            .await
            .unwrap()
    );
    table.advance(10 * MINUTE - MILLISECOND);
    assert_eq!(
        table.lease(&tenant, &entity, check, 0).await.unwrap_err(),
        LeaseError::NotAvailable { until: not_before }
    );
    table.advance(MILLISECOND);
    let lease = table.lease(&tenant, &entity, check, 0).await.unwrap();
    assert_eq!(lease.progress.asks, asks);
}

#[tokio::test]
async fn a_worker_can_request_its_own_lease_again() {
    let table = Table::start().await;
    let (tenant, entity, check) = check(&table).await;
    let (owner, now) = (Uuid::new_v4(), table.now());
    let key = ShardKey {
        check,
        shard: 0.into(),
    };
    for _ in 0..2 {
        let leased = table
            .store
            .lease_shard(&tenant, &entity, key, owner, now, now + LEASE)
            .await;
        assert_eq!(leased.unwrap().owner, owner);
    }
}

#[tokio::test]
async fn the_problem_of_a_shard_is_kept_until_an_answer_is_recorded() {
    let table = Table::start().await;
    let (tenant, entity, check) = check(&table).await;
    let store = &table.store;
    let problems = async || store.shard_problems(&tenant, &entity, check).await.unwrap();
    assert!(problems().await.is_empty());
    let lease = table.lease(&tenant, &entity, check, 0).await.unwrap();
    let asks = BTreeMap::new();
    assert!(
        store
            .defer_shard(&lease, table.now(), &asks, &busy())
            .await
            .unwrap()
    );
    let lease = table.lease(&tenant, &entity, check, 0).await.unwrap();
    assert_eq!(
        problems().await,
        [busy()],
        "its next worker has not been answered yet"
    );
    let answer = vec![answered(1, 0, "a", table.now())];
    assert!(
        store
            .record_responses(&lease, table.now().day(), answer)
            .await
            .unwrap()
    );
    assert!(problems().await.is_empty());
}
