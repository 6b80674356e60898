//! The next reconciliation of a running check can only move to an earlier time.

use domain::id::EntityId;
use domain::limits::FIRST_RECONCILIATION;
use domain::ordinal::CheckNumber;
use domain::time::{MILLISECOND, MINUTE, SECOND, Timestamp};
use store::Tenant;

use super::table::{NOON, Table};

const FIRST: Timestamp = Timestamp::from_millis(NOON.as_millis() + FIRST_RECONCILIATION.as_millis() as i64);

async fn check(table: &Table) -> (Tenant, EntityId, CheckNumber) {
    let tenant = table.tenant(1_000).await;
    let entity = table.entity(&tenant, "acme.com", 1, 1).await.id;
    let (check, _) = table.claimed(&tenant, &entity).await;
    (tenant, entity, check)
}

#[tokio::test]
async fn a_reconciliation_is_only_moved_to_an_earlier_time() {
    let table = Table::start().await;
    let (tenant, entity, check) = check(&table).await;
    let store = &table.store;
    let claimed = table.read_entity(&tenant, &entity).await;
    assert_eq!(claimed.running.as_ref().unwrap().next_reconciliation_at, FIRST);
    for later in [FIRST, FIRST + MILLISECOND, FIRST + 100 * MINUTE] {
        store
            .reconcile_no_later_than(&tenant, &entity, check, later)
            .await
            .unwrap();
    }
    store
        .reconcile_no_later_than(&tenant, &entity, check.next(), NOON)
        .await
        .unwrap();
    assert_eq!(
        table.read_entity(&tenant, &entity).await,
        claimed,
        "nothing was written"
    );

    let sooner = FIRST - MINUTE;
    store
        .reconcile_no_later_than(&tenant, &entity, check, sooner)
        .await
        .unwrap();
    let running = table.read_entity(&tenant, &entity).await.running.unwrap();
    let mut expected = claimed.running.unwrap();
    expected.next_reconciliation_at = sooner;
    assert_eq!(running, expected);
    let due = table.due_entities(sooner).await;
    assert_eq!(due, [entity], "the tick sees it by then");
    assert!(table.due_entities(sooner - MILLISECOND).await.is_empty());
}

#[tokio::test]
async fn the_earliest_of_many_concurrently_requested_reconciliations_wins() {
    let table = Table::start().await;
    let (tenant, entity, check) = check(&table).await;
    let wants = [40, 10, 30, 5, 20, 15, 25, 35].map(|seconds| NOON + seconds * SECOND);
    let looks = wants.map(|at| table.store.reconcile_no_later_than(&tenant, &entity, check, at));
    for look in futures::future::join_all(looks).await {
        look.unwrap();
    }
    let running = table.read_entity(&tenant, &entity).await.running.unwrap();
    assert_eq!(running.next_reconciliation_at, NOON + 5 * SECOND);
    let writes = table.faults.calls();
    let refused = writes
        .iter()
        .filter(|c| c.operation == "TransactWriteItems" && c.status == Some(400));
    assert!(refused.count() > 0, "they met each other");
}
