//! Ends a worker's turn on a shard: marks the shard as done or releases it.

use domain::ordinal::PromptOrdinal;
use std::collections::BTreeMap;

use events::{CheckEvent, CheckRef};
use store::Lease;

use super::deferral::Deferral;
use super::outcome::ShardOutcome;
use crate::{Checker, CheckerError};

impl Checker {
    /// Writes and publishes what a worker's outcome requires. If that fails, or the worker failed, the lease
    /// is released.
    pub(super) async fn conclude_shard(
        &self,
        check_ref: &CheckRef,
        lease: &Lease,
        outcome: ShardOutcome,
    ) -> Result<(), CheckerError> {
        let concluded = match outcome {
            ShardOutcome::Done => self.finish_shard(check_ref, lease).await,
            ShardOutcome::Deferred { deferral, asks } => {
                self.defer_shard(check_ref, lease, deferral, &asks).await
            }
            ShardOutcome::OutOfTime => self.hand_over_shard(check_ref, lease).await,
            ShardOutcome::Abandoned => Ok(()),
            ShardOutcome::Failed(error) => Err(error),
        };
        if concluded.is_err() {
            // The next attempt then does not find the shard leased. A failure is ignored, because the lease
            // expires anyway.
            let _ = self.store.release_lease(lease).await;
        }
        concluded
    }

    /// Marks the shard as done. Publishes `CheckAnswered` if it was the check's last one.
    async fn finish_shard(&self, check_ref: &CheckRef, lease: &Lease) -> Result<(), CheckerError> {
        if !self.store.finish_shard(lease).await? {
            return Ok(());
        }
        // No further event of this shard will arrive. If the table fails, the event is published, because
        // `CheckAnswered` is ignored while other shards are open.
        if self.store.announce_answered(lease).await.unwrap_or(true) {
            self.bus
                .publish(&[CheckEvent::CheckAnswered(check_ref.clone())])
                .await?;
        }
        self.admit_after_shard().await;
        Ok(())
    }

    /// Releases the shard until the deferral ends, and schedules a reconciliation for then.
    async fn defer_shard(
        &self,
        check_ref: &CheckRef,
        lease: &Lease,
        deferral: Deferral,
        asks: &BTreeMap<PromptOrdinal, u32>,
    ) -> Result<(), CheckerError> {
        let Deferral { not_before, problem } = deferral.continuing(lease.progress.problem.as_ref());
        tracing::info!(
            provider.name = problem.provider,
            reason = problem.reason,
            wait.until = not_before.iso(),
            "a shard is deferred until its provider accepts questions"
        );
        let store = &self.store;
        store.defer_shard(lease, not_before, asks, &problem).await?;
        // A check of which no shard is left is idle from the rescheduling on.
        store
            .withdraw_shard(&lease.tenant, &check_ref.entity_id, lease.shard)
            .await?;
        store
            .reconcile_no_later_than(&lease.tenant, &lease.entity, lease.shard.check, not_before)
            .await?;
        self.admit_after_shard().await;
        Ok(())
    }

    /// Releases the shard at once and publishes it again, so that another invocation continues.
    async fn hand_over_shard(&self, check_ref: &CheckRef, lease: &Lease) -> Result<(), CheckerError> {
        self.store.release_lease(lease).await?;
        let ready = CheckEvent::ShardReady(check_ref.clone(), lease.shard.shard);
        Ok(self.bus.publish(&[ready]).await?)
    }
}
