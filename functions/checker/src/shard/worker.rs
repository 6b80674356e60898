//! Works on a leased shard: rounds of questions until each one has a response or the shard has to wait.

use std::time::Duration;

use domain::check::Response;
use domain::limits::{MAX_ASKS_PER_QUESTION, PROVIDER_PAUSE};
use domain::pause::ProviderPause;
use store::{ProbeClaim, StoreError};

use super::inputs::ShardInputs;
use super::leased::LeasedShard;
use super::outcome::{Deferral, ShardOutcome};
use super::pause::ProbeResult;
use super::progress::{RoundResult, ShardProgress};
use super::question::ProviderBlock;
use super::rate_limiter::RATE_LIMIT_REACHED;
use super::round::ask_round;

/// Asks the prompts of a shard that have no response yet, and renews the lease meanwhile.
pub(super) async fn work(shard: &LeasedShard<'_>) -> Result<ShardOutcome, StoreError> {
    let outcome = tokio::select! {
        outcome = ask(shard) => outcome,
        never = shard.keep_lease() => match never {},
    };
    if let Some(model) = shard.checker.catalogue.get(shard.model.uuid) {
        shard.errors.log(&model.provider);
    }
    outcome
}

async fn ask(shard: &LeasedShard<'_>) -> Result<ShardOutcome, StoreError> {
    let (checker, progress) = (shard.checker, &shard.lease.progress);
    let model = checker.catalogue.get(shard.model.uuid);
    let provider = model.and_then(|model| Some((model, checker.providers.get(&model.provider)?)));
    let Some((model, provider)) = provider else {
        // The operator can configure it before the check's deadline.
        let (reason, now) = (
            "The model's provider is not configured".to_owned(),
            checker.clock.now(),
        );
        return Ok(ShardOutcome::Deferred {
            deferral: Deferral::of_model(shard.model.uuid, None, PROVIDER_PAUSE, reason, now),
            asks: progress.asks.clone(),
        });
    };
    let unanswered = shard.prompts.iter().filter(|p| !progress.recorded.contains(p));
    let mut open: Vec<_> = unanswered.copied().collect();
    if open.is_empty() {
        return Ok(ShardOutcome::Done);
    }
    let Some((inputs, pause)) = ShardInputs::load(shard, model, provider, &open).await? else {
        return Ok(ShardOutcome::Abandoned);
    };
    open.retain(|prompt| inputs.prompts.contains_key(prompt));
    let mut worker = ShardWorker {
        shard,
        inputs,
        progress: ShardProgress::new(open, progress.asks.clone(), pause),
    };
    loop {
        if let Some(outcome) = worker.round().await? {
            return Ok(outcome);
        }
    }
}

/// A worker on a leased shard. `shard` and `inputs` stay fixed; `progress` changes from round to round.
struct ShardWorker<'a> {
    shard: &'a LeasedShard<'a>,
    inputs: ShardInputs<'a>,
    progress: ShardProgress,
}

impl ShardWorker<'_> {
    /// Runs one round, step by step. Returns how the turn ends, or `None` if another round follows.
    async fn round(&mut self) -> Result<Option<ShardOutcome>, StoreError> {
        if !self.fail_exhausted_prompts().await? {
            return Ok(Some(ShardOutcome::Abandoned));
        }
        if !self.progress.has_open_prompts() {
            return Ok(Some(ShardOutcome::Done));
        }
        // There is no time for another question, not even for a probe.
        if self.shard.is_out_of_time() {
            return Ok(Some(ShardOutcome::OutOfTime));
        }
        if let Some(delay) = self.progress.back_off() {
            tokio::time::sleep(delay).await;
        }
        if let Some(deferral) = self.deferral_before_round().await? {
            return Ok(Some(self.defer(deferral)));
        }
        if !self.record_asks().await? {
            return Ok(Some(ShardOutcome::Abandoned));
        }
        let round = ask_round(self.shard, &self.inputs, &self.progress).await?;
        self.end_round(round).await
    }

    /// Records prompts as failed that have been asked as often as allowed. Returns `false` if the shard was
    /// closed.
    async fn fail_exhausted_prompts(&mut self) -> Result<bool, StoreError> {
        let exhausted = self.progress.take_exhausted().into_iter();
        let (model, now) = (self.shard.model.ordinal, self.shard.checker.clock.now());
        let failed = exhausted.map(|(prompt, lost)| {
            let mut reason = format!("No answer after {MAX_ASKS_PER_QUESTION} requests");
            if let Some(lost) = lost {
                reason.push_str(&format!(": {lost}"));
            }
            Response::failed(prompt, model, &reason, now)
        });
        self.shard.record(failed.collect()).await
    }

    /// Returns the deferral if the provider is paused, or if the requests of other workers have taken all
    /// starts of the near future. A pause that is over ends if a probe is accepted.
    async fn deferral_before_round(&mut self) -> Result<Option<Deferral>, StoreError> {
        if let Some(pause) = self.progress.pause.take()
            && let Some(pause) = self.pause_in_force(&pause).await?
        {
            return Ok(Some(self.held_up_by(&pause).await));
        }
        let delay = self.inputs.limiter.delay().await;
        Ok(delay.map(|delay| self.while_busy(delay, RATE_LIMIT_REACHED.to_owned())))
    }

    /// Returns the provider's pause, unless it has ended or ends now.
    async fn pause_in_force(&self, pause: &ProviderPause) -> Result<Option<ProviderPause>, StoreError> {
        let pause = match self.shard.claim_probe(pause).await? {
            ProbeClaim::Ended => return Ok(None),
            ProbeClaim::Paused(pause) => return Ok(Some(pause)),
            ProbeClaim::Claimed(pause) => pause,
        };
        Ok(match self.shard.probe(&self.inputs).await {
            ProbeResult::Accepted => {
                self.shard.end_pause(&pause).await?;
                None
            }
            ProbeResult::Rejected { reason } => {
                let next = pause.next(&reason, self.shard.checker.clock.now());
                Some(self.shard.pause_provider(&next).await?)
            }
            ProbeResult::Inconclusive => Some(pause),
        })
    }

    /// Records that the open prompts are about to be asked, so that after a crash, the next worker knows
    /// which questions the provider may have charged for. Returns `false` if the lease is lost.
    async fn record_asks(&mut self) -> Result<bool, StoreError> {
        self.progress.ask_open_prompts();
        let (store, lease) = (&self.shard.checker.store, self.shard.lease);
        let recorded = store.record_asks(lease, self.progress.asks()).await?;
        // A former worker may have recorded responses since this one got the lease.
        if let Some(recorded) = &recorded {
            self.progress.remove_recorded(recorded);
        }
        Ok(recorded.is_some())
    }

    /// Applies the round's result, and pauses a provider that rejects the account. The turn ends if the lease
    /// is lost, or if the shard was closed, has to wait or is out of time.
    async fn end_round(&mut self, mut round: RoundResult) -> Result<Option<ShardOutcome>, StoreError> {
        let shard = self.shard;
        let deferral = match round.block.take() {
            None => None,
            Some(ProviderBlock::Busy { delay, reason }) => Some(self.while_busy(delay, reason)),
            Some(ProviderBlock::AccountRejected { reason }) => {
                let now = shard.checker.clock.now();
                let pause = ProviderPause::first(&self.inputs.model.provider, &reason, now);
                Some(self.held_up_by(&shard.pause_provider(&pause).await?).await)
            }
        };
        if round.is_closed || shard.lease_is_lost() {
            return Ok(Some(ShardOutcome::Abandoned));
        }
        self.progress.end_round(&round);
        if !self.progress.has_open_prompts() {
            return Ok(None);
        }
        if let Some(deferral) = deferral {
            return Ok(Some(self.defer(deferral)));
        }
        if shard.is_out_of_time() {
            let store = &shard.checker.store;
            store.record_asks(shard.lease, self.progress.asks()).await?;
            return Ok(Some(ShardOutcome::OutOfTime));
        }
        Ok(None)
    }

    fn while_busy(&self, delay: Duration, reason: String) -> Deferral {
        let (model, now) = (self.shard.model.uuid, self.shard.checker.clock.now());
        Deferral::of_model(model, Some(&self.inputs.model.provider), delay, reason, now)
    }

    /// Tells the webhooks of a pause, and returns the deferral until it ends.
    async fn held_up_by(&self, pause: &ProviderPause) -> Deferral {
        self.shard.tell_of_pause(pause).await;
        Deferral::until_pause_ends(pause, self.shard.checker.clock.now())
    }

    fn defer(&self, deferral: Deferral) -> ShardOutcome {
        ShardOutcome::Deferred {
            deferral,
            asks: self.progress.asks().clone(),
        }
    }
}
