//! Reconciles a running check with its shards.
//!
//! The step expects an entity with a running check. It makes shards that nobody works on ready again, for the
//! admission that follows, publishes a `CheckAnswered` that was lost, and finishes a check whose deadline has
//! passed. It leaves the time of the next reconciliation in the table. A reconciliation that is late by more
//! than ten minutes shows that the service was down; that time does not count towards the deadline.

use std::collections::BTreeMap;

use domain::admission::Capacity;
use domain::check::{Check, CheckState, Shard, ShardState};
use domain::entity::RunningCheck;
use domain::limits::{
    INTERIM_FOLD_AFTER, MAX_QUEUE_WAIT, MAX_RECONCILIATION_INTERVAL, OVERDUE_AFTER, SHARD_REPUBLICATION,
};
use domain::ordinal::ShardNumber;
use domain::time::Timestamp;
use events::{CheckEvent, CheckRef};
use store::{ProgressCorrection, Tenant};

use crate::{Checker, CheckerError};

/// What a reconciliation knows about the messages in the queue of shards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ShardMessages {
    /// The queue keeps them. A published shard can wait in it for a worker.
    Kept,
    /// The queue was in memory and is gone. Every shard that waited in it has to be published again.
    Lost,
}

/// What is unfinished in a running check.
#[derive(Default)]
struct Unfinished {
    /// What the check counts wrongly about its shards.
    correction: ProgressCorrection,
    /// The instant at which the next leased or deferred shard becomes free.
    next_free: Option<Timestamp>,
    /// Whether a response is recorded.
    has_responses: bool,
}

impl Checker {
    /// Reconciles a running check and schedules its next reconciliation.
    pub(crate) async fn reconcile(
        &self,
        tenant: &Tenant,
        check_ref: &CheckRef,
        running: &RunningCheck,
        queue: ShardMessages,
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
        let now = self.clock.now();
        let check = self.extend_by_downtime(tenant, check_ref, running, check).await?;
        if check.state != CheckState::Running {
            return Ok(());
        }
        if check.is_closed_at(now) && self.has_taken_up_all_shards(tenant, check_ref, &check).await? {
            return self.finish_at_deadline(tenant, check_ref, &check).await;
        }
        if check.shards_left == 0 {
            let answered = CheckEvent::CheckAnswered(check_ref.clone());
            self.bus.publish(&[answered]).await?;
        }
        let has_lost_shards = self.has_lost_shards(&check, queue, now).await?;
        let unfinished = self
            .find_unfinished(tenant, check_ref, &check, has_lost_shards)
            .await?;
        self.store
            .correct_progress(
                tenant,
                &check_ref.entity_id,
                check_ref.check,
                &unfinished.correction,
            )
            .await?;
        let regular = now + running.reconcile_after;
        let fold_at = self.interim_fold_at(&check);
        if unfinished.has_responses && fold_at.is_some_and(|fold| fold <= now) {
            self.bus
                .publish(&[CheckEvent::FoldDue(check_ref.clone())])
                .await?;
        }
        let ahead = [check.deadline, fold_at].into_iter().flatten();
        let regular = ahead.filter(|at| *at > now).fold(regular, Ord::min);
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
        // A worker that has released a shard meanwhile has scheduled an earlier reconciliation, which the
        // write above postponed.
        let unfinished = self.find_unfinished(tenant, check_ref, &check, false).await?;
        if let Some(free) = unfinished.next_free.filter(|free| *free < next) {
            self.store
                .reconcile_no_later_than(tenant, &check_ref.entity_id, check_ref.check, free)
                .await?;
        }
        Ok(())
    }

    /// Moves the deadline of a check by the time in which the service was down, which a late reconciliation
    /// shows. Returns the check after that.
    async fn extend_by_downtime(
        &self,
        tenant: &Tenant,
        check_ref: &CheckRef,
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
        let (entity, number) = (&check_ref.entity_id, check_ref.check);
        let store = &self.store;
        let moved = store.move_deadline(tenant, entity, number, deadline, moved, now);
        Ok(moved.await?.unwrap_or(check))
    }

    /// Returns when the answers so far are folded, or `None` if they have been, or if the check has not begun
    /// or is about to be finished.
    fn interim_fold_at(&self, check: &Check) -> Option<Timestamp> {
        let started = check
            .started_at
            .filter(|_| check.folded_at.is_none() && check.shards_left > 0);
        Some(started? + INTERIM_FOLD_AFTER)
    }

    /// Returns whether a worker has taken up each shard at least once.
    async fn has_taken_up_all_shards(
        &self,
        tenant: &Tenant,
        check_ref: &CheckRef,
        check: &Check,
    ) -> Result<bool, CheckerError> {
        let (entity, number) = (&check_ref.entity_id, check_ref.check);
        let taken_up = self.store.shards(tenant, entity, number).await?.len();
        Ok(u32::try_from(taken_up).is_ok_and(|taken_up| taken_up >= check.shards))
    }

    /// Returns whether shards that count as published are lost. As long as all workers are busy, they can
    /// still wait in the queue, which is short.
    async fn has_lost_shards(
        &self,
        check: &Check,
        queue: ShardMessages,
        now: Timestamp,
    ) -> Result<bool, CheckerError> {
        if queue == ShardMessages::Lost {
            return Ok(true);
        }
        let waits_since = check.published_at.unwrap_or(check.claimed_at);
        let is_old = now >= waits_since + SHARD_REPUBLICATION;
        if check.published.is_empty() || !is_old {
            return Ok(false);
        }
        if now >= waits_since + MAX_QUEUE_WAIT {
            return Ok(true);
        }
        let running = self.store.running_checks().await?;
        let working: usize = running.iter().map(|item| item.check.working.len()).sum();
        let capacity = Capacity::new(self.shard_concurrency);
        Ok(!capacity.is_exhausted_by(u32::try_from(working).unwrap_or(u32::MAX)))
    }

    /// Finds what is unfinished in a running check.
    async fn find_unfinished(
        &self,
        tenant: &Tenant,
        check_ref: &CheckRef,
        check: &Check,
        has_lost_shards: bool,
    ) -> Result<Unfinished, CheckerError> {
        let shards = self
            .store
            .shards(tenant, &check_ref.entity_id, check_ref.check)
            .await?;
        let shards: BTreeMap<ShardNumber, Shard> = shards.into_iter().map(|s| (s.shard, s)).collect();
        let now = self.clock.now();
        let mut unfinished = Unfinished::default();
        for number in check
            .shard_numbers()
            .filter(|shard| !check.is_unpublished(*shard))
        {
            let shard = shards.get(&number);
            unfinished.has_responses |= shard.is_some_and(|shard| !shard.recorded.is_empty());
            let (is_published, is_leased) = (
                check.published.contains(&number) && !has_lost_shards,
                shard.is_some_and(|shard| shard.lease_until > now),
            );
            let free = shard.map_or(Some(now), free_at);
            let correction = &mut unfinished.correction;
            if check.working.contains(&number) && !is_leased {
                correction.not_working.insert(number);
            }
            if check.published.contains(&number) && (free.is_none() || has_lost_shards) {
                correction.not_published.insert(number);
            }
            match free {
                Some(free) if free > now => {
                    unfinished.next_free = Some(unfinished.next_free.map_or(free, |next| next.min(free)));
                }
                Some(_) if !is_published && !check.ready.contains(&number) => {
                    correction.ready.insert(number);
                }
                Some(_) | None => {}
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
