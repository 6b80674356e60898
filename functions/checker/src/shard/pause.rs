//! The pause of a shard's provider: how a worker starts it, probes it and ends it.
//!
//! A probe is the service's own question, which shows whether the provider accepts the account.

use domain::catalogue::Model;
use domain::limits::MAX_QUESTION_DURATION;
use domain::pause::{Probe, ProviderPause};
use providers::AskError;
use store::{ProbeClaim, StoreError};

use super::inputs::ShardInputs;
use super::leased::LeasedShard;

/// A question to which nobody objects, so that only the account can be the reason of a refusal.
const PROBE_PROMPT: &str = "What is the capital of France?";

/// What a probe shows.
pub(super) enum ProbeResult {
    /// The provider accepts the account.
    Accepted,
    /// The provider rejects the account.
    Rejected { reason: String },
    /// The provider was busy, or its reply has nothing to do with the account.
    Inconclusive,
}

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
        let now = self.checker.clock.now();
        tracing::info!(
            provider.name = pause.provider,
            pause.ms = now.as_millis() - pause.since.as_millis(),
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

    /// Probes the provider after a refusal that it has not explained, unless that was done a short time ago.
    /// Returns the reason if the provider rejects the account. A failure of the table is logged, because the
    /// next such refusal leads to another probe.
    pub(super) async fn probe_after_refusal(&self, inputs: &ShardInputs<'_>) -> Option<String> {
        let (store, provider) = (&self.checker.store, &inputs.model.provider);
        let now = self.checker.clock.now();
        let rejection = async {
            if self.is_out_of_time() {
                return Ok(None);
            }
            if !store.claim_probe_after_refusal(provider, now).await? {
                // Whoever has probed may have paused the provider.
                let pause = store.provider_pause(provider).await?;
                return Ok(pause.map(|pause| pause.reason));
            }
            Ok(match self.probe(inputs).await {
                ProbeResult::Rejected { reason } => Some(reason),
                ProbeResult::Accepted | ProbeResult::Inconclusive => None,
            })
        };
        rejection.await.unwrap_or_else(|error: StoreError| {
            tracing::warn!(%error, "a provider that refused a question could not be probed");
            None
        })
    }

    /// Asks the provider's cheapest model and, unless its reply decides it, another one. A refusal that the
    /// provider does not explain may concern one model, so that it counts only if both refuse.
    pub(super) async fn probe(&self, inputs: &ShardInputs<'_>) -> ProbeResult {
        let (mut refusals, mut has_judged_request) = (Vec::new(), false);
        let models = self.models_to_probe(inputs.model);
        for model in &models {
            let question = providers::Question {
                model: &model.model,
                prompt: PROBE_PROMPT,
                language: "en",
                country: None,
            };
            let Err(error) = inputs.provider.ask(&question).await else {
                return ProbeResult::Accepted;
            };
            self.errors.add(&error);
            match error {
                AskError::InvalidKey { reason } | AskError::QuotaExhausted { reason } => {
                    return ProbeResult::Rejected { reason };
                }
                AskError::Forbidden { reason } => refusals.push(reason),
                AskError::Permanent { .. } | AskError::Empty { .. } => has_judged_request = true,
                AskError::Unavailable { .. } | AskError::AnswerLost { .. } => {}
            }
            if self.is_out_of_time() {
                break;
            }
        }
        match refusals.pop() {
            Some(reason) if refusals.len() + 1 == models.len() => {
                let error = AskError::InvalidKey { reason };
                self.errors.add(&error);
                ProbeResult::Rejected {
                    reason: error.reason().to_owned(),
                }
            }
            None if has_judged_request => ProbeResult::Accepted,
            _ => ProbeResult::Inconclusive,
        }
    }

    /// Returns the provider's cheapest model, and the shard's model or the next cheapest.
    fn models_to_probe<'a>(&'a self, of_shard: &'a Model) -> Vec<&'a Model> {
        let all = self.checker.catalogue.models().iter();
        let mut models: Vec<&Model> = all.filter(|model| model.provider == of_shard.provider).collect();
        let uuid = of_shard.uuid();
        models.sort_by_key(|model| model.credits);
        if let Some((_, others)) = models.split_first_mut() {
            others.sort_by_key(|model| model.uuid() != uuid);
        }
        models.truncate(2);
        models
    }
}
