//! Reconciles a running check with its shards.
//!
//! The step expects an entity with a running check. It publishes the events of shards that nobody works on, as well as a
//! `CheckAnswered` that was lost, and closes a check whose deadline has passed. It leaves the time of the next
//! reconciliation in the table.

use std::collections::BTreeMap;

use domain::check::{Check, CheckState, Shard, ShardState};
use domain::entity::RunningCheck;
use domain::limits::MAX_RECONCILIATION_INTERVAL;
use domain::ordinal::ShardNumber;
use domain::time::Timestamp;
use events::{CheckEvent, CheckRef};
use store::Tenant;

use crate::{Checker, CheckerError};

/// What is left to do of a running check.
#[derive(Default)]
struct Unfinished {
    /// The events to publish: of shards that nobody works on, or the end of the check.
    events: Vec<CheckEvent>,
    /// When the next leased or deferred shard becomes free.
    next_free: Option<Timestamp>,
}

impl Checker {
    /// Reconciles a running check and schedules its next reconciliation.
    pub(crate) async fn reconcile(
        &self,
        tenant: &Tenant,
        at: &CheckRef,
        running: &RunningCheck,
    ) -> Result<(), CheckerError> {
        let Some(check) = self.store.check(tenant, &at.entity_id, at.check).await? else {
            tracing::error!("the record of a running check has expired");
            return Ok(self.store.abandon_check(tenant, &at.entity_id, at.check).await?);
        };
        if check.state != CheckState::Running {
            return Ok(());
        }
        let now = self.clock.now();
        if now >= check.deadline {
            return self.close(tenant, at, &check).await;
        }
        let unfinished = self.unfinished(tenant, at, &check, now).await?;
        self.bus.publish(&unfinished.events).await?;
        let regular = (now + self.clock.to_service_time(running.reconcile_after)).min(check.deadline);
        // A shard that becomes free earlier is reconciled then; otherwise the interval doubles.
        let (next, then) = match unfinished.next_free.filter(|free| *free < regular) {
            Some(free) => (free, running.reconcile_after),
            None => (
                regular,
                (running.reconcile_after * 2).min(MAX_RECONCILIATION_INTERVAL),
            ),
        };
        self.store
            .reconcile_again_at(tenant, &at.entity_id, at.check, next, then)
            .await?;
        // A shard released meanwhile had scheduled an earlier reconciliation, which the write above postponed.
        let unfinished = self.unfinished(tenant, at, &check, now).await?;
        if let Some(free) = unfinished.next_free.filter(|free| *free < next) {
            self.store
                .reconcile_no_later_than(tenant, &at.entity_id, at.check, free)
                .await?;
        }
        Ok(())
    }

    async fn unfinished(
        &self,
        tenant: &Tenant,
        at: &CheckRef,
        check: &Check,
        now: Timestamp,
    ) -> Result<Unfinished, CheckerError> {
        let mut unfinished = Unfinished::default();
        if check.shards_left == 0 {
            unfinished.events.push(CheckEvent::CheckAnswered(at.clone()));
            return Ok(unfinished);
        }
        let shards = self.store.shards(tenant, &at.entity_id, at.check).await?;
        let shards: BTreeMap<ShardNumber, Shard> = shards.into_iter().map(|s| (s.shard, s)).collect();
        for number in check.shard_numbers() {
            match shards.get(&number).map_or(Some(now), free_at) {
                Some(free) if free <= now => {
                    let ready = CheckEvent::ShardReady(at.clone(), number);
                    unfinished.events.push(ready);
                }
                Some(free) => {
                    unfinished.next_free = Some(unfinished.next_free.map_or(free, |next| next.min(free)));
                }
                None => {}
            }
        }
        Ok(unfinished)
    }
}

/// When a shard can be leased again. `None` means never, because it has ended.
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
