//! The pause of a shard's provider: how a worker starts it, probes it and ends it.

use domain::limits::MAX_QUESTION_DURATION;
use domain::pause::{Probe, ProviderPause};
use store::{ProbeClaim, StoreError};

use super::leased::LeasedShard;

impl LeasedShard<'_> {
    /// Claims the right to probe the paused provider.
    pub(super) async fn claim_probe(&self, pause: &ProviderPause) -> Result<ProbeClaim, StoreError> {
        let clock = &self.checker.clock;
        let now = clock.now();
        let probe = Probe {
            owner: self.lease.owner,
            until: now + MAX_QUESTION_DURATION,
        };
        let store = &self.checker.store;
        let claimed = store.claim_probe(&pause.provider, &probe, now).await?;
        if let ProbeClaim::Claimed(pause) = &claimed {
            tracing::info!(
                provider.name = pause.provider,
                reason = pause.reason,
                "a paused provider is probed"
            );
        }
        Ok(claimed)
    }

    /// Ends the pause after the provider has accepted this worker's probe.
    pub(super) async fn end_pause(&self, pause: &ProviderPause) -> Result<(), StoreError> {
        let store = &self.checker.store;
        store.end_pause(&pause.provider, self.lease.owner).await?;
        let duration = self.checker.clock.now().duration_since(pause.since);
        tracing::info!(
            provider.name = pause.provider,
            pause.ms = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX),
            "a paused provider answers again"
        );
        Ok(())
    }

    /// Pauses a provider that rejects the account, or prolongs the pause that this worker has probed. Returns
    /// the pause that is in force, which can be another worker's.
    pub(super) async fn pause_provider(&self, pause: &ProviderPause) -> Result<ProviderPause, StoreError> {
        let store = &self.checker.store;
        let in_force = store.pause_provider(pause, self.lease.owner).await?;
        if in_force == *pause {
            tracing::warn!(
                provider.name = pause.provider,
                reason = pause.reason,
                pause.since = pause.since.iso(),
                pause.until = pause.until.iso(),
                "a provider is paused"
            );
        }
        Ok(in_force)
    }

    /// Tells the webhooks of the workspace that a pause holds up the check, once. A failure is logged,
    /// because the next worker that is held up tells them.
    pub(super) async fn tell_of_pause(&self, pause: &ProviderPause) {
        let (checker, lease) = (self.checker, self.lease);
        match checker
            .store
            .record_pause(&lease.tenant, &lease.entity, pause)
            .await
        {
            Ok(true) => {
                checker
                    .publish_notifications(std::slice::from_ref(&lease.tenant))
                    .await;
            }
            Ok(false) => {}
            Err(error) => tracing::warn!(%error, "webhooks could not be told of a pause"),
        }
    }
}
