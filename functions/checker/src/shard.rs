//! `ShardReady`: works on one shard, which is one model and up to 25 prompts.
//!
//! The step does nothing unless the check is running, its deadline has not passed and the shard is free. It
//! leases the shard, so that only one worker asks its questions, and records a response for each question.
//! When every question has a response, it marks the shard as done and, after the last shard, publishes
//! `CheckAnswered`. Otherwise it releases the shard, so that another invocation continues.

mod conclude;
mod deferral;
mod error_counts;
mod inputs;
mod keep_lease;
mod leased;
mod outcome;
mod pause;
mod probe;
mod progress;
mod provider_block;
mod question;
mod rate_limiter;
mod record;
mod response;
mod round;
mod round_result;
mod worker;

use std::collections::BTreeSet;

use domain::check::{Check, CheckState};
use domain::check_key::ShardKey;
use domain::limits::{CHECK_DEADLINE, INTERIM_FOLD_AFTER, LEASE};
use domain::ordinal::ShardNumber;
use domain::time::Timestamp;
use events::CheckRef;
use store::{Lease, LeaseError, ProgressCorrection};
use uuid::Uuid;

use crate::{Checker, CheckerError, tenant};
use leased::LeasedShard;
use outcome::ShardOutcome;

impl Checker {
    /// Handles `ShardReady`. `killed_at` is the real time at which Lambda kills the invocation.
    pub(crate) async fn work_on_shard(
        &self,
        check_ref: &CheckRef,
        shard: ShardNumber,
        killed_at: Timestamp,
    ) -> Result<(), CheckerError> {
        let tenant = tenant::of_event(&check_ref.workspace_id);
        let now = self.clock.now();
        let check = self
            .store
            .check(&tenant, &check_ref.entity_id, check_ref.check)
            .await?;
        let is_running = |check: &Check| check.state == CheckState::Running && !check.is_closed_at(now);
        let Some(check) = check.filter(is_running) else {
            return Ok(());
        };
        let Some(plan) = self
            .store
            .plan(&tenant, &check_ref.entity_id, check_ref.check)
            .await?
        else {
            return Ok(());
        };
        let Some(questions) = plan.shard(shard) else {
            return Ok(());
        };
        let until = now + LEASE;
        let key = ShardKey {
            check: check_ref.check,
            shard,
        };
        let leased = self
            .store
            .lease_shard(&tenant, &check_ref.entity_id, key, Uuid::new_v4(), now, until)
            .await;
        let lease = match leased {
            Ok(lease) => lease,
            // If another worker has the shard, or the shard has ended, this event is a duplicate.
            Err(LeaseError::NotAvailable { .. }) => {
                let taken_up = ProgressCorrection {
                    not_published: BTreeSet::from([key.shard]),
                    ..ProgressCorrection::default()
                };
                let (entity, check) = (&check_ref.entity_id, check_ref.check);
                return Ok(self
                    .store
                    .correct_progress(&tenant, entity, check, &taken_up)
                    .await?);
            }
            Err(LeaseError::Ended) => {
                let entity = &check_ref.entity_id;
                return Ok(self.store.withdraw_shard(&tenant, entity, key).await?);
            }
            Err(LeaseError::Store(error)) => return Err(error.into()),
        };
        let outcome = match self.take_up_shard(&check, &lease).await {
            Ok(()) => {
                let shard = LeasedShard::new(self, &lease, check.day(), &plan, questions, killed_at);
                worker::work(&shard).await
            }
            Err(error) => ShardOutcome::Failed(error),
        };
        self.conclude_shard(check_ref, &lease, outcome).await
    }

    /// Marks a leased shard as taken up. The first shard of a check starts it, which also schedules the
    /// reconciliation at which the answers so far are folded. Each shard that is leased for the first time
    /// moves the check's deadline.
    async fn take_up_shard(&self, check: &Check, lease: &Lease) -> Result<(), CheckerError> {
        let now = self.clock.now();
        let deadline = lease.progress.first_leased_at.unwrap_or(now) + CHECK_DEADLINE;
        let deadline = Some(deadline).filter(|deadline| check.deadline.is_none_or(|d| d < *deadline));
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
