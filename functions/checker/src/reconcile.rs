//! Reconciles a running check with its shards.
//!
//! The step expects an entity with a running check. It makes shards that nobody works on ready again, for the
//! admission that follows, publishes a `CheckAnswered` that was lost, and finishes a check whose deadline has
//! passed. It leaves the time of the next reconciliation in the table. A reconciliation that is late by more
//! than ten minutes shows that the service was down; that time does not count towards the deadline.

use domain::admission::Capacity;
use domain::check::{Check, CheckState, Shard, ShardList, ShardState, Transition};
use domain::entity::RunningCheck;
use domain::id::EntityId;
use domain::limits::{
    INTERIM_FOLD_AFTER, MAX_QUEUE_WAIT, MAX_RECONCILIATION_INTERVAL, OVERDUE_AFTER, SHARD_REPUBLICATION,
};
use domain::number::to_u64;
use domain::time::Timestamp;
use events::{CheckEvent, CheckRef};
use store::{RunningCheckItem, Tenant};

use crate::checker::check_ref;
use crate::{Checker, CheckerError};

/// What a reconciliation knows about the messages in the queue of shards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ShardMessages {
    /// The queue keeps them. A published shard can wait in it for a worker.
    Kept,
    /// The queue was in memory and is gone. Every shard that waited in it has to be published again.
    Lost,
}

impl Checker {
    /// Reconciles a running check and schedules its next reconciliation.
    pub(crate) async fn reconcile(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        running: &RunningCheck,
        queue: ShardMessages,
    ) -> Result<(), CheckerError> {
        let (store, number) = (&self.store, running.check);
        let Some(check) = store.check(tenant, entity, number).await? else {
            tracing::error!("the record of a running check has expired");
            return Ok(store.abandon_check(tenant, entity, number).await?);
        };
        let now = self.clock.now();
        let mut check = self.extend_by_downtime(tenant, entity, running, check).await?;
        if check.state != CheckState::Running {
            return Ok(());
        }
        let are_events_lost = self.are_events_lost(&check, queue, now).await?;
        let records = store.shards(tenant, entity, number).await?;
        // A worker that has leased a shard for the first time has perhaps not moved the deadline yet.
        check.deadline = check
            .deadline
            .max(records.iter().filter_map(Shard::deadline).max());
        // A shard has a record from its first worker on.
        if check.is_closed_at(now) && to_u64(records.len()) >= u64::from(check.shards.total()) {
            return self
                .finish_at_deadline(&RunningCheckItem {
                    tenant: tenant.clone(),
                    entity: *entity,
                    check,
                })
                .await;
        }
        let event_of = |event: fn(CheckRef) -> CheckEvent| [event(check_ref(tenant, entity, number))];
        if check.shards.left() == 0 {
            self.bus.publish(&event_of(CheckEvent::CheckAnswered)).await?;
        }
        let correction = check
            .shards
            .correction(&records, are_events_lost, self.clock.now());
        if correction != Transition::default() {
            store.move_shards(tenant, entity, number, &correction).await?;
        }
        let fold_at = interim_fold_at(&check);
        let has_responses = records.iter().any(|shard| !shard.recorded.is_empty());
        if has_responses && fold_at.is_some_and(|fold| fold <= now) {
            self.bus.publish(&event_of(CheckEvent::FoldDue)).await?;
        }
        let ahead = [check.deadline, fold_at].into_iter().flatten();
        let regular = ahead
            .filter(|at| *at > now)
            .fold(now + running.reconcile_after, Ord::min);
        // A shard that becomes free earlier is reconciled then; otherwise the interval doubles.
        let (next, interval) = match self.next_free(&records).filter(|free| *free < regular) {
            Some(free) => (free, running.reconcile_after),
            None => (
                regular,
                (running.reconcile_after * 2).min(MAX_RECONCILIATION_INTERVAL),
            ),
        };
        let reschedule = |running: &mut RunningCheck| {
            (running.next_reconciliation_at, running.reconcile_after) = (next, interval);
        };
        store
            .reschedule_reconciliation(tenant, entity, number, reschedule)
            .await?;
        // A worker that has released a shard meanwhile, or a finish that has failed, has scheduled an earlier
        // reconciliation, which the write above postponed.
        let records = store.shards(tenant, entity, number).await?;
        let done = records.iter().filter(|shard| shard.state == ShardState::Done);
        let is_answered = to_u64(done.count()) == u64::from(check.shards.total());
        let earlier = if is_answered && check.shards.left() > 0 {
            Some(now)
        } else {
            self.next_free(&records)
        };
        if let Some(at) = earlier.filter(|at| *at < next) {
            store.reconcile_no_later_than(tenant, entity, number, at).await?;
        }
        Ok(())
    }

    /// Returns when the next leased or deferred shard becomes free.
    fn next_free(&self, records: &[Shard]) -> Option<Timestamp> {
        let now = self.clock.now();
        records
            .iter()
            .filter_map(Shard::free_at)
            .filter(|free| *free > now)
            .min()
    }

    /// Moves the deadline of a check by the time in which the service was down, which a late reconciliation
    /// shows. Returns the check after that.
    async fn extend_by_downtime(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        running: &RunningCheck,
        check: Check,
    ) -> Result<Check, CheckerError> {
        let now = self.clock.now();
        let scheduled = running.next_reconciliation_at;
        let late = now.duration_since(check.down_until.map_or(scheduled, |until| until.max(scheduled)));
        let is_late = late > OVERDUE_AFTER;
        let Some(deadline) = check.deadline.filter(|_| is_late) else {
            return Ok(check);
        };
        let moved = deadline + late;
        tracing::warn!(
            downtime.seconds = late.as_secs(),
            check.deadline = moved.iso(),
            "the service was down, so the deadline of a check moves"
        );
        let moved = self
            .store
            .move_deadline(tenant, entity, running.check, deadline, moved, now);
        Ok(moved.await?.unwrap_or(check))
    }

    /// Returns whether the events of published shards are lost. As long as all workers are busy, they can
    /// still wait in the queue, which is short.
    async fn are_events_lost(
        &self,
        check: &Check,
        queue: ShardMessages,
        now: Timestamp,
    ) -> Result<bool, CheckerError> {
        if queue == ShardMessages::Lost {
            return Ok(true);
        }
        let waits_since = check.shards.published_at().unwrap_or(check.claimed_at);
        let is_old = now >= waits_since + SHARD_REPUBLICATION;
        if check.shards.list(ShardList::Published).is_empty() || !is_old {
            return Ok(false);
        }
        if now >= waits_since + MAX_QUEUE_WAIT {
            return Ok(true);
        }
        let running = self.store.running_checks().await?.into_iter();
        let working = running
            .map(|item| item.check.shards.list(ShardList::Working).len())
            .sum();
        Ok(!Capacity::new(self.shard_concurrency).is_exhausted_by(working))
    }
}

/// Returns when the answers so far are folded, or `None` if they have been, or if the check has not begun or
/// is about to be finished.
fn interim_fold_at(check: &Check) -> Option<Timestamp> {
    let is_due = check.folded_at.is_none() && check.shards.left() > 0;
    Some(check.started_at.filter(|_| is_due)? + INTERIM_FOLD_AFTER)
}
