//! `ShardReady`: works on one shard, which is one model and up to 25 prompts.
//!
//! The step does nothing unless the check is running, its deadline has not passed and the shard is free. It
//! leases the shard, so that only one worker asks its questions, and records a response for each question.
//! When every question has a response, it marks the shard as done and, after the last shard, publishes
//! `CheckAnswered`. Otherwise it releases the shard, so that another invocation continues.

mod conclude;
mod error_counts;
mod inputs;
mod leased;
mod outcome;
mod pause;
mod progress;
mod question;
mod rate_limiter;
mod response;
mod round;
mod worker;

use domain::check::{Check, Transition};
use domain::check_key::ShardKey;
use domain::limits::{INTERIM_FOLD_AFTER, LEASE};
use domain::ordinal::ShardNumber;
use domain::time::Timestamp;
use events::CheckRef;
use store::{Lease, LeaseError, StoreError};
use uuid::Uuid;

use crate::{Checker, CheckerError};
use leased::LeasedShard;

impl Checker {
    /// Handles `ShardReady`. `killed_at` is the real time at which Lambda kills the invocation.
    pub(crate) async fn work_on_shard(
        &self,
        check_ref: &CheckRef,
        shard: ShardNumber,
        killed_at: Timestamp,
    ) -> Result<(), CheckerError> {
        let now = self.clock.now();
        let item = self.running_check(check_ref).await?;
        let Some(item) = item.filter(|item| !item.check.is_closed_at(now)) else {
            return Ok(());
        };
        let (tenant, entity, check) = (&item.tenant, &item.entity, &item.check);
        let Some(plan) = self.store.plan(tenant, entity, check.check).await? else {
            return Ok(());
        };
        let Some(questions) = plan.shard(shard) else {
            return Ok(());
        };
        let key = ShardKey {
            check: check.check,
            shard,
        };
        let (worker, until) = (Uuid::new_v4(), now + LEASE);
        let leased = self.store.lease_shard(tenant, entity, key, worker, now, until);
        let of_duplicate = match leased.await {
            Ok(lease) => {
                let outcome = match self.take_up_shard(check, &lease).await {
                    Ok(()) => {
                        let shard = LeasedShard::new(self, &lease, check.day(), &plan, questions, killed_at);
                        worker::work(&shard).await
                    }
                    Err(error) => Err(error),
                };
                return self.conclude_shard(&lease, outcome).await;
            }
            // If another worker has the shard, or the shard has ended, this event is a duplicate.
            Err(LeaseError::NotAvailable { .. }) => Transition::drop_event(shard),
            Err(LeaseError::Ended) => Transition::withdraw(shard),
            Err(LeaseError::Store(error)) => return Err(error.into()),
        };
        self.store
            .move_shards(tenant, entity, check.check, &of_duplicate)
            .await?;
        Ok(())
    }

    /// Marks a leased shard as taken up. The first shard of a check starts it, which also schedules the
    /// reconciliation at which the answers so far are folded. Each shard that is leased for the first time
    /// moves the check's deadline.
    async fn take_up_shard(&self, check: &Check, lease: &Lease) -> Result<(), StoreError> {
        let now = self.clock.now();
        let deadline = lease
            .progress
            .deadline()
            .filter(|deadline| check.deadline < Some(*deadline));
        let check = self.store.take_up_shard(lease, now, deadline).await?;
        if check.is_some_and(|check| check.started_at == Some(now)) {
            let fold_at = now + INTERIM_FOLD_AFTER;
            self.store
                .reconcile_no_later_than(&lease.tenant, &lease.entity, lease.shard.check, fold_at)
                .await?;
        }
        Ok(())
    }
}
