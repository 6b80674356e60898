//! Works on a leased shard: rounds of questions until each one has a response or the shard has to wait.

use std::time::Duration;

use domain::check::Response;
use domain::limits::MAX_ASKS_PER_QUESTION;
use domain::ordinal::PromptOrdinal;
use domain::pause::ProviderPause;
use store::ProbeClaim;

use super::deferral::Deferral;
use super::inputs::ShardInputs;
use super::leased::LeasedShard;
use super::outcome::ShardOutcome;
use super::probe::ProbeResult;
use super::progress::ShardProgress;
use super::provider_block::ProviderBlock;
use super::rate_limiter::RATE_LIMIT_REACHED;
use super::round::ask_round;
use super::round_result::RoundResult;

/// Asks the prompts of a shard that have no response yet, and renews the lease meanwhile.
pub(super) async fn work(shard: &LeasedShard<'_>) -> ShardOutcome {
    let outcome = tokio::select! {
        outcome = ask(shard) => outcome,
        never = shard.keep_lease() => match never {},
    };
    if let Some(model) = shard.checker.catalogue.get(shard.model.uuid) {
        shard.errors.log(&model.provider);
    }
    outcome
}

async fn ask(shard: &LeasedShard<'_>) -> ShardOutcome {
    let (inputs, progress) = match ShardInputs::load(shard).await {
        Ok(loaded) => loaded,
        Err(outcome) => return outcome,
    };
    let mut worker = ShardWorker {
        shard,
        inputs,
        progress,
    };
    loop {
        if let Err(outcome) = worker.round().await {
            return outcome;
        }
    }
}

/// A worker on a leased shard. `shard` and `inputs` stay fixed; `progress` changes from round to round.
struct ShardWorker<'a> {
    shard: &'a LeasedShard<'a>,
    inputs: ShardInputs<'a>,
    progress: ShardProgress,
}

/// The result of a step of a round. The error is the outcome that ends the worker's turn. That need not be a
/// failure: `Err` also carries the successful end, `Done`.
type Step<T> = Result<T, ShardOutcome>;

impl ShardWorker<'_> {
    /// Runs one round, step by step. The turn ends with the first `Err`, which is `Done` if every prompt is
    /// settled.
    async fn round(&mut self) -> Step<()> {
        self.fail_exhausted_prompts().await?;
        self.end_if_all_prompts_are_settled()?;
        self.end_if_out_of_time()?;
        self.back_off().await;
        self.defer_while_paused().await?;
        self.defer_if_no_start_is_free().await?;
        let prompts = self.progress.ask_open_prompts();
        let prompts = self.record_asks(prompts).await?;
        let mut round = ask_round(self.shard, &self.inputs, &prompts, self.progress.asks()).await?;
        let deferral = self.deferral_after(&mut round).await?;
        self.end_round(&round, deferral).await
    }

    /// Records prompts as failed that have been asked as often as allowed.
    async fn fail_exhausted_prompts(&mut self) -> Step<()> {
        let exhausted = self.progress.take_exhausted().into_iter();
        let (model, now) = (self.shard.model.ordinal, self.shard.checker.clock.now());
        let failed = exhausted.map(|(prompt, lost)| {
            let mut reason = format!("No answer after {MAX_ASKS_PER_QUESTION} requests");
            if let Some(lost) = lost {
                reason.push_str(&format!(": {lost}"));
            }
            Response::failed(prompt, model, &reason, now)
        });
        if !self.shard.record(failed.collect()).await? {
            return Err(ShardOutcome::Abandoned);
        }
        Ok(())
    }

    /// Ends the turn as done if no prompt is open.
    fn end_if_all_prompts_are_settled(&self) -> Step<()> {
        if self.progress.has_open_prompts() {
            Ok(())
        } else {
            Err(ShardOutcome::Done)
        }
    }

    /// Ends the turn if the invocation has no time for another question, not even for a probe.
    fn end_if_out_of_time(&self) -> Step<()> {
        if self.shard.is_out_of_time() {
            Err(ShardOutcome::OutOfTime)
        } else {
            Ok(())
        }
    }

    /// Waits if an answer was lost in the latest round.
    async fn back_off(&mut self) {
        if let Some(delay) = self.progress.back_off() {
            tokio::time::sleep(delay).await;
        }
    }

    /// Ends the pause of the provider if it is over and a probe is accepted. Otherwise ends the turn, and
    /// defers the shard.
    async fn defer_while_paused(&mut self) -> Step<()> {
        let Some(pause) = self.progress.pause.take() else {
            return Ok(());
        };
        let pause = match self.shard.claim_probe(&pause).await? {
            ProbeClaim::Ended => return Ok(()),
            ProbeClaim::Paused(pause) => pause,
            ProbeClaim::Claimed(pause) => match self.shard.probe(&self.inputs).await {
                ProbeResult::Accepted => return Ok(self.shard.end_pause(&pause).await?),
                ProbeResult::Rejected { reason } => {
                    let next = pause.next(&reason, self.shard.checker.clock.now());
                    self.shard.pause_provider(&next).await?
                }
                ProbeResult::Inconclusive => pause,
            },
        };
        self.shard.tell_of_pause(&pause).await;
        Err(self.defer(self.until_pause_ends(&pause)))
    }

    /// Ends the turn, and defers the shard, if the requests of other workers have taken all starts of the
    /// near future.
    async fn defer_if_no_start_is_free(&mut self) -> Step<()> {
        match self.inputs.limiter.delay().await {
            None => Ok(()),
            Some(delay) => Err(self.defer(self.while_busy(delay, RATE_LIMIT_REACHED.to_owned()))),
        }
    }

    /// Records that `prompts` are about to be asked, so that after a crash, the next worker knows which
    /// questions the provider may have charged for. Returns those that have no response yet.
    async fn record_asks(&mut self, mut prompts: Vec<PromptOrdinal>) -> Step<Vec<PromptOrdinal>> {
        let (store, lease) = (&self.shard.checker.store, self.shard.lease);
        let recorded = store.record_asks(lease, self.progress.asks()).await?;
        // A former worker may have recorded responses since this one got the lease.
        let recorded = recorded.ok_or(ShardOutcome::Abandoned)?;
        self.progress.remove_recorded(&recorded);
        prompts.retain(|prompt| !recorded.contains(prompt));
        Ok(prompts)
    }

    /// Returns the deferral of the shard if the provider blocks it, and pauses a provider that rejects the
    /// account.
    async fn deferral_after(&self, round: &mut RoundResult) -> Step<Option<Deferral>> {
        Ok(match round.block.take() {
            None => None,
            Some(ProviderBlock::Busy { delay, reason }) => Some(self.while_busy(delay, reason)),
            Some(ProviderBlock::AccountRejected { reason }) => {
                let now = self.shard.checker.clock.now();
                let pause = ProviderPause::first(&self.inputs.model.provider, &reason, now);
                let pause = self.shard.pause_provider(&pause).await?;
                self.shard.tell_of_pause(&pause).await;
                Some(self.until_pause_ends(&pause))
            }
        })
    }

    /// Applies the round's result. Ends the turn if the lease is lost, or if the shard was closed, has to
    /// wait or is out of time.
    async fn end_round(&mut self, round: &RoundResult, deferral: Option<Deferral>) -> Step<()> {
        let shard = self.shard;
        if round.is_closed || shard.lease_is_lost() {
            return Err(ShardOutcome::Abandoned);
        }
        self.progress.end_round(round);
        if let Some(deferral) = deferral
            && self.progress.has_open_prompts()
        {
            return Err(self.defer(deferral));
        }
        if self.progress.has_open_prompts() && shard.is_out_of_time() {
            let store = &shard.checker.store;
            store.record_asks(shard.lease, self.progress.asks()).await?;
            return Err(ShardOutcome::OutOfTime);
        }
        Ok(())
    }

    fn while_busy(&self, delay: Duration, reason: String) -> Deferral {
        let (model, now) = (self.shard.model.uuid, self.shard.checker.clock.now());
        Deferral::of_model(model, Some(&self.inputs.model.provider), delay, reason, now)
    }

    fn until_pause_ends(&self, pause: &ProviderPause) -> Deferral {
        Deferral::until_pause_ends(pause, self.shard.checker.clock.now())
    }

    fn defer(&self, deferral: Deferral) -> ShardOutcome {
        ShardOutcome::Deferred {
            deferral,
            asks: self.progress.asks().clone(),
        }
    }
}
