//! Ends a worker's turn on a shard: marks the shard as done or releases it.

use std::collections::BTreeMap;

use domain::check::Transition;
use domain::ordinal::PromptOrdinal;
use events::CheckEvent;
use store::{Lease, StoreError};

use super::outcome::{Deferral, ShardOutcome};
use crate::checker::check_ref;
use crate::{Checker, CheckerError};

impl Checker {
    /// Writes and publishes what a worker's outcome requires. If that fails, or the worker failed, the lease
    /// is released.
    pub(super) async fn conclude_shard(
        &self,
        lease: &Lease,
        outcome: Result<ShardOutcome, StoreError>,
    ) -> Result<(), CheckerError> {
        let concluded = match outcome {
            Ok(ShardOutcome::Done) => self.finish_shard(lease).await,
            Ok(ShardOutcome::Deferred { deferral, asks }) => self.defer_shard(lease, deferral, &asks).await,
            Ok(ShardOutcome::OutOfTime) => self.hand_over_shard(lease).await,
            Ok(ShardOutcome::Abandoned) => Ok(()),
            Err(error) => Err(error.into()),
        };
        if concluded.is_err() {
            // The next attempt then does not find the shard leased. A failure is ignored, because the lease
            // expires anyway.
            let _ = self.store.release_lease(lease).await;
        }
        concluded
    }

    /// Marks the shard as done. Publishes `CheckAnswered` if it was the check's last one.
    async fn finish_shard(&self, lease: &Lease) -> Result<(), CheckerError> {
        if !self.store.finish_shard(lease).await? {
            return Ok(());
        }
        // No later step would announce the check before its next reconciliation. If the table fails, the
        // event is published, because `CheckAnswered` is ignored while other shards are open.
        if self.store.announce_answered(lease).await.unwrap_or(true) {
            let check = check_ref(&lease.tenant, &lease.entity, lease.shard.check);
            self.bus.publish(&[CheckEvent::CheckAnswered(check)]).await?;
        }
        self.admit_after_shard().await;
        Ok(())
    }

    /// Releases the shard until the deferral ends, and schedules a reconciliation for then.
    async fn defer_shard(
        &self,
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
        let (store, tenant, entity, shard) = (&self.store, &lease.tenant, &lease.entity, lease.shard);
        if !store.defer_shard(lease, not_before, asks, &problem).await? {
            // Another worker has the shard, or it is closed.
            return Ok(());
        }
        // A check of which no shard is left is idle from the rescheduling on.
        let withdrawal = Transition::withdraw(shard.shard);
        store
            .move_shards(tenant, entity, shard.check, &withdrawal)
            .await?;
        store
            .reconcile_no_later_than(tenant, entity, shard.check, not_before)
            .await?;
        self.admit_after_shard().await;
        Ok(())
    }

    /// Releases the shard at once and publishes it again, so that another invocation continues.
    async fn hand_over_shard(&self, lease: &Lease) -> Result<(), CheckerError> {
        if !self.store.release_lease(lease).await? {
            return Ok(());
        }
        let check = check_ref(&lease.tenant, &lease.entity, lease.shard.check);
        let ready = CheckEvent::ShardReady(check, lease.shard.shard);
        Ok(self.bus.publish(&[ready]).await?)
    }
}
