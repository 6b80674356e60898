//! What a shard waits for: its model, or the end of its provider's pause.

use std::collections::BTreeMap;

use domain::entity::Problem;
use domain::limits::{MAX_QUESTION_DURATION, PAUSE_JITTER};
use domain::pause::{Pause, Probe};
use domain::time::Timestamp;
use store::Probing;

use super::work::{Ended, Work};
use crate::CheckerError;

/// Why a provider does not take questions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ProviderBlock {
    /// It is busy: the model is to be left alone for so many real milliseconds.
    Busy { wait: i64, reason: String },
    /// It refuses the account: the quota is used up or the key is no good. All its models are to be left alone.
    Refused { reason: String },
}

impl ProviderBlock {
    /// Whether it is the one to heed of two.
    pub(super) fn outweighs(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Busy { wait: a, .. }, Self::Busy { wait: b, .. }) => a > b,
            (Self::Refused { .. }, Self::Busy { .. }) => true,
            (_, Self::Refused { .. }) => false,
        }
    }
}

/// Until when a shard waits, and why.
pub(super) struct Wait {
    not_before: Timestamp,
    problem: Problem,
}

impl Work<'_> {
    /// Whether this worker may ask its paused provider a question.
    pub(super) async fn probe(&self, pause: &Pause) -> Result<Probing, CheckerError> {
        let clock = &self.checker.clock;
        let now = clock.now();
        let probe = Probe {
            owner: self.lease.owner,
            until: now.plus(clock.to_service_millis(MAX_QUESTION_DURATION)),
        };
        let store = &self.checker.store;
        let probing = store.begin_probe(&pause.provider, &probe, now).await?;
        if let Probing::Mine(Pause {
            provider,
            reason,
            count,
            ..
        }) = &probing
        {
            tracing::info!(
                provider.name = provider,
                reason,
                pause.count = count,
                "a paused provider is asked one question"
            );
        }
        Ok(probing)
    }

    /// The provider answers this worker, which probed it.
    pub(super) async fn end_pause(&self, pause: &Pause) -> Result<(), CheckerError> {
        let store = &self.checker.store;
        store.end_pause(&pause.provider, self.lease.owner).await?;
        let lasted = self
            .checker
            .clock
            .now()
            .as_millis()
            .saturating_sub(pause.since.as_millis());
        tracing::info!(
            provider.name = pause.provider,
            pause.count,
            pause.ms = lasted,
            "a paused provider answers again"
        );
        Ok(())
    }

    /// How long the shard waits. A refusal pauses the provider: once more, if this worker probed a `pause`.
    pub(super) async fn wait_for(
        &self,
        hindrance: ProviderBlock,
        provider: &str,
        probed: Option<&Pause>,
    ) -> Result<Wait, CheckerError> {
        let clock = self.checker.clock.as_ref();
        let reason = match hindrance {
            ProviderBlock::Busy { wait, reason } => {
                return Ok(self.wait_a_while(Some(provider), wait, reason));
            }
            ProviderBlock::Refused { reason } => reason,
        };
        let pause = match probed {
            Some(probed) => probed.next(&reason, clock),
            None => Pause::first(provider, &reason, clock),
        };
        let store = &self.checker.store;
        let stands = store.pause_provider(&pause, self.lease.owner).await?;
        if stands == pause {
            tracing::warn!(
                provider.name = provider,
                reason,
                pause.count,
                pause.until = pause.until.iso(),
                "a provider is paused"
            );
        }
        Ok(self.wait_out(&stands))
    }

    /// A wait of so many real milliseconds, for the shard's own model.
    pub(super) fn wait_a_while(&self, provider: Option<&str>, wait: i64, reason: String) -> Wait {
        let (clock, now) = (&self.checker.clock, self.checker.clock.now());
        Wait {
            not_before: now.plus(clock.to_service_millis(wait)),
            problem: Problem {
                provider: provider.map(str::to_owned),
                model_id: Some(self.model.uuid),
                reason,
                since: now,
            },
        }
    }

    /// A wait until the pause is over or probed: a little longer, so that not all shards of a provider look at once.
    pub(super) fn wait_out(&self, pause: &Pause) -> Wait {
        let clock = self.checker.clock.as_ref();
        let jitter = clock.to_service_millis(rand::random_range(0..=PAUSE_JITTER));
        Wait {
            not_before: pause.look_at(clock).plus(jitter),
            problem: pause.problem(),
        }
    }

    /// Gives the shard back until it need wait no longer. What hindered it before, too, does so since then.
    pub(super) async fn release(&self, asks: &BTreeMap<u32, u32>, wait: Wait) -> Result<Ended, CheckerError> {
        let (store, lease) = (&self.checker.store, self.lease);
        let (not_before, mut problem) = (wait.not_before, wait.problem);
        let former = lease.progress.problem.as_ref();
        if let Some(former) = former.filter(|former| former.cause() == problem.cause()) {
            problem.since = problem.since.min(former.since);
        }
        tracing::info!(
            provider.name = problem.provider,
            reason = problem.reason,
            wait.until = not_before.iso(),
            "a shard waits for its provider"
        );
        store.release_shard(lease, not_before, asks, &problem).await?;
        store
            .reconcile_no_later_than(&lease.tenant, &lease.entity, lease.check, not_before)
            .await?;
        Ok(Ended::Released)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_account_outweighs_every_wait_and_a_longer_wait_a_shorter_one() {
        let busy = |wait| ProviderBlock::Busy {
            wait,
            reason: String::new(),
        };
        let refused = ProviderBlock::Refused {
            reason: String::new(),
        };
        assert!(busy(2).outweighs(&busy(1)) && !busy(1).outweighs(&busy(2)));
        assert!(refused.outweighs(&busy(i64::MAX)) && !busy(i64::MAX).outweighs(&refused));
        assert!(!refused.outweighs(&refused));
    }
}
