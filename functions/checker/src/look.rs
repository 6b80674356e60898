//! A look at a running check: what got lost is published again, what is late is closed.

use std::collections::BTreeMap;

use domain::check::{Check, CheckState, Shard, ShardState};
use domain::entity::Running;
use domain::limits::MAX_RECONCILIATION_INTERVAL;
use domain::time::Timestamp;
use events::{CheckEvent, CheckRef};
use store::Tenant;

use crate::{Checker, CheckerError};

impl Checker {
    pub(crate) async fn look(
        &self,
        tenant: &Tenant,
        at: &CheckRef,
        running: &Running,
    ) -> Result<(), CheckerError> {
        let Some(check) = self.store.check(tenant, &at.entity_id, at.check).await? else {
            tracing::error!("a running check has expired");
            return Ok(self.store.abandon_check(tenant, &at.entity_id, at.check).await?);
        };
        if check.state != CheckState::Running {
            return Ok(());
        }
        let now = self.clock.now();
        if now >= check.deadline {
            return self.close(tenant, at, &check).await;
        }
        let (events, free) = self.lost(tenant, at, &check, now).await?;
        self.bus.publish(&events).await?;
        // A lease that is seen ends, or a wait is over, before the usual look: then that is the next one.
        let usual = now
            .plus(self.clock.to_service_millis(running.look_after))
            .min(check.deadline);
        let (next, then) = match free.filter(|free| *free < usual) {
            Some(free) => (free, running.look_after),
            None => (usual, (running.look_after * 2).min(MAX_RECONCILIATION_INTERVAL)),
        };
        self.store
            .reconcile_again_at(tenant, &at.entity_id, at.check, next, then)
            .await?;
        // A shard that was released meanwhile asked for a look that this one has just put off.
        if let (_, Some(free)) = self.lost(tenant, at, &check, now).await?
            && free < next
        {
            self.store
                .reconcile_no_later_than(tenant, &at.entity_id, at.check, free)
                .await?;
        }
        Ok(())
    }

    /// The events that nobody is at work on, and when the next shard comes free.
    async fn lost(
        &self,
        tenant: &Tenant,
        at: &CheckRef,
        check: &Check,
        now: Timestamp,
    ) -> Result<(Vec<CheckEvent>, Option<Timestamp>), CheckerError> {
        if check.shards_left == 0 {
            return Ok((vec![CheckEvent::CheckAnswered(at.clone())], None));
        }
        let shards = self.store.shards(tenant, &at.entity_id, at.check).await?;
        let shards: BTreeMap<u32, Shard> = shards.into_iter().map(|s| (s.shard, s)).collect();
        let (mut events, mut next) = (Vec::new(), None);
        for n in 0..check.shards {
            match shards.get(&n).map_or(Some(now), free_at) {
                Some(free) if free <= now => events.push(CheckEvent::ShardReady(at.clone(), n)),
                Some(free) => next = Some(next.map_or(free, |next: Timestamp| next.min(free))),
                None => {}
            }
        }
        Ok((events, next))
    }
}

/// When a shard can be taken up; `None`: never again.
fn free_at(shard: &Shard) -> Option<Timestamp> {
    match shard.state {
        ShardState::Open => Some(
            shard
                .not_before
                .map_or(shard.lease_until, |n| n.max(shard.lease_until)),
        ),
        ShardState::Done | ShardState::Closed => None,
    }
}
