//! After each transition of shards, the stored check equals the pure one after the same transition.

use domain::admission::FairTime;
use domain::check::{Check, ShardList, Transition};
use domain::id::EntityId;
use domain::ordinal::{CheckNumber, ShardNumber};
use domain::time::SECOND;
use store::{RunningCheckItem, Tenant};

use super::table::Table;

/// A stored check of four shards, and the pure one.
struct Twin {
    table: Table,
    tenant: Tenant,
    entity: EntityId,
    pure: Check,
}

fn shards(numbers: &[u32]) -> Vec<ShardNumber> {
    numbers.iter().copied().map(ShardNumber::new).collect()
}

impl Twin {
    async fn start() -> Self {
        let table = Table::start().await;
        let tenant = table.tenant(1_000).await;
        let entity = table.entity(&tenant, "acme.com", 90, 1).await.id;
        let (check, _) = table.claimed(&tenant, &entity).await;
        let pure = table.store.check(&tenant, &entity, check).await.unwrap();
        Self {
            pure: pure.unwrap(),
            table,
            tenant,
            entity,
        }
    }

    fn number(&self) -> CheckNumber {
        self.pure.check
    }

    /// Returns the check as an admission reads it.
    async fn read(&self) -> RunningCheckItem {
        self.table.store.running_checks().await.unwrap().remove(0)
    }

    async fn assert_equal(&self) {
        assert_eq!(self.read().await.check, self.pure);
    }

    /// Publishes shards that were chosen from `read`. Returns whether no other admission was faster.
    async fn publish(&mut self, read: &RunningCheckItem, numbers: &[u32]) -> bool {
        self.table.advance(SECOND);
        let (chosen, now) = (shards(numbers), self.table.now());
        let turn = FairTime::default();
        let stored = self.table.store.mark_published(read, &chosen, turn, now).await;
        let is_published = self.pure.shards.apply(&read.check.shards.publish(&chosen, now));
        assert_eq!(stored, Ok(is_published), "{numbers:?}");
        if is_published {
            self.pure.turn = Some(turn);
        }
        self.assert_equal().await;
        is_published
    }

    async fn apply(&mut self, transition: Transition) {
        let (store, check) = (&self.table.store, self.number());
        // A repeated transition changes nothing.
        for _ in 0..2 {
            let stored = store.move_shards(&self.tenant, &self.entity, check, &transition);
            assert!(stored.await.unwrap().is_some() && self.pure.shards.apply(&transition));
            self.assert_equal().await;
        }
    }
}

#[tokio::test]
async fn the_stored_check_equals_the_pure_one_after_each_transition() {
    let mut twin = Twin::start().await;
    let unpublished = twin.read().await;
    assert!(twin.publish(&unpublished, &[]).await, "it only gets its turn");
    assert!(twin.publish(&unpublished, &[0, 1, 2]).await);
    assert!(!twin.publish(&unpublished, &[0, 1]).await);
    assert!(!twin.publish(&unpublished, &[0, 1, 2]).await);

    // Three shards are lost. The two admissions choose different ones of them, which have one in common.
    twin.apply(Transition::return_to_ready(shards(&[0, 1, 2]))).await;
    let returned = twin.read().await;
    assert!(twin.publish(&returned, &[1, 2]).await);
    for late in [&[0, 1][..], &[2], &[0, 3]] {
        assert!(!twin.publish(&returned, late).await);
    }
    let ready: Vec<ShardNumber> = twin.pure.shards.ready_shards().collect();
    assert_eq!(ready, shards(&[0, 3]));

    let all = twin.read().await;
    assert!(twin.publish(&all, &[0, 3]).await);
    let (now, deadline) = (twin.table.now(), twin.table.now() + 10 * SECOND);
    for number in 0..4 {
        let lease = twin
            .table
            .lease(&twin.tenant, &twin.entity, twin.number(), number);
        let lease = lease.await.unwrap();
        twin.pure.shards.apply(&Transition::take_up(lease.shard.shard));
        (twin.pure.started_at, twin.pure.deadline) = (Some(now), Some(deadline));
        let taken_up = twin.table.store.take_up_shard(&lease, now, Some(deadline)).await;
        assert_eq!(taken_up, Ok(Some(twin.pure.clone())));
        if number == 0 {
            assert!(twin.table.store.finish_shard(&lease).await.unwrap());
            assert!(twin.pure.shards.apply(&Transition::end(lease.shard.shard)));
            twin.assert_equal().await;
            assert!(!twin.table.store.finish_shard(&lease).await.unwrap());
            twin.assert_equal().await;
        }
    }
    twin.apply(Transition::withdraw(1.into())).await;
    twin.apply(Transition::return_to_ready([2.into()])).await;
    let again = twin.read().await;
    assert!(twin.publish(&again, &[2]).await);
    twin.apply(Transition::drop_event(2.into())).await;

    // Nobody works on the last shards any more.
    let records = twin
        .table
        .store
        .shards(&twin.tenant, &twin.entity, twin.number())
        .await;
    let correction = twin
        .pure
        .shards
        .correction(&records.unwrap(), true, now + 1_000 * SECOND);
    twin.apply(correction).await;
    assert_eq!(twin.pure.shards.list(ShardList::Ready).len(), 3);
    assert_eq!(twin.pure.shards.left(), 3);
}
