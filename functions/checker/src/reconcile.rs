//! Reconciles a running check with its shards.
//!
//! The step expects an entity with a running check. It publishes the events of shards that nobody works on, as well as a
//! `CheckAnswered` that was lost, and finishes a check whose deadline has passed. It leaves the time of the next
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

/// The events of a running check to publish, and the time of its next reconciliation.
#[derive(Default)]
struct Unfinished {
    /// The `ShardReady` events of shards that nobody works on, or a lost `CheckAnswered`.
    events: Vec<CheckEvent>,
    /// The instant at which the next leased or deferred shard becomes free.
    next_free: Option<Timestamp>,
}

impl Checker {
    /// Reconciles a running check and schedules its next reconciliation.
    pub(crate) async fn reconcile(
        &self,
        tenant: &Tenant,
        check_ref: &CheckRef,
        running: &RunningCheck,
    ) -> Result<(), CheckerError> {
        let Some(check) = self
            .store
            .check(tenant, &check_ref.entity_id, check_ref.check)
            .await?
        else {
            tracing::error!("the record of a running check has expired");
            return Ok(self
                .store
                .abandon_check(tenant, &check_ref.entity_id, check_ref.check)
                .await?);
        };
        if check.state != CheckState::Running {
            return Ok(());
        }
        let now = self.clock.now();
        if now >= check.deadline {
            return self.finish_at_deadline(tenant, check_ref, &check).await;
        }
        let unfinished = self.find_unfinished(tenant, check_ref, &check, now).await?;
        self.bus.publish(&unfinished.events).await?;
        let regular = (now + self.clock.to_service_time(running.reconcile_after)).min(check.deadline);
        // A shard that becomes free earlier is reconciled then; otherwise the interval doubles.
        let (next, interval) = match unfinished.next_free.filter(|free| *free < regular) {
            Some(free) => (free, running.reconcile_after),
            None => (
                regular,
                (running.reconcile_after * 2).min(MAX_RECONCILIATION_INTERVAL),
            ),
        };
        self.store
            .reconcile_again_at(tenant, &check_ref.entity_id, check_ref.check, next, interval)
            .await?;
        // A worker that has released a shard meanwhile has scheduled an earlier reconciliation, which the write above
        // postponed.
        let unfinished = self.find_unfinished(tenant, check_ref, &check, now).await?;
        if let Some(free) = unfinished.next_free.filter(|free| *free < next) {
            self.store
                .reconcile_no_later_than(tenant, &check_ref.entity_id, check_ref.check, free)
                .await?;
        }
        Ok(())
    }

    /// Finds what is unfinished in a running check at `now`.
    async fn find_unfinished(
        &self,
        tenant: &Tenant,
        check_ref: &CheckRef,
        check: &Check,
        now: Timestamp,
    ) -> Result<Unfinished, CheckerError> {
        let mut unfinished = Unfinished::default();
        if check.shards_left == 0 {
            unfinished
                .events
                .push(CheckEvent::CheckAnswered(check_ref.clone()));
            return Ok(unfinished);
        }
        let shards = self
            .store
            .shards(tenant, &check_ref.entity_id, check_ref.check)
            .await?;
        let shards: BTreeMap<ShardNumber, Shard> = shards.into_iter().map(|s| (s.shard, s)).collect();
        for shard in check.shard_numbers() {
            match shards.get(&shard).map_or(Some(now), free_at) {
                Some(free) if free <= now => {
                    let ready = CheckEvent::ShardReady(check_ref.clone(), shard);
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

/// Returns when a shard can be leased again, or `None` if it has ended.
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
