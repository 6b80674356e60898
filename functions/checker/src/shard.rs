//! `ShardReady`: works on one shard, which is one model and up to 25 prompts.
//!
//! The step does nothing unless the check is running, its deadline has not passed and the shard is free. It leases the
//! shard, so that only one worker asks its questions, and records a response for each question. When every question
//! has a response, it marks the shard as done and, after the last shard, publishes `CheckAnswered`. Otherwise it
//! releases the shard, so that another invocation continues.

mod conclude;
mod deferral;
mod error_counts;
mod inputs;
mod keep_lease;
mod leased;
mod outcome;
mod pause;
mod progress;
mod provider_block;
mod question;
mod rate_limiter;
mod record;
mod response;
mod round;
mod round_result;
mod worker;

use domain::check::{Check, CheckState};
use domain::check_key::ShardKey;
use domain::limits::LEASE;
use domain::ordinal::ShardNumber;
use domain::time::Timestamp;
use events::CheckRef;
use store::LeaseError;
use uuid::Uuid;

use crate::{Checker, CheckerError, tenant};
use leased::LeasedShard;

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
        let is_running = |check: &Check| check.state == CheckState::Running && now < check.deadline;
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
        let until = now + self.clock.to_service_time(LEASE);
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
            Err(LeaseError::NotAvailable { .. } | LeaseError::Ended) => return Ok(()),
            Err(LeaseError::Store(error)) => return Err(error.into()),
        };
        let shard = LeasedShard::new(self, &lease, check.day(), &plan, questions, killed_at);
        let outcome = worker::work(&shard).await;
        self.conclude_shard(check_ref, &lease, outcome).await
    }
}
