//! Asks a provider one question.

use std::time::Duration;

use domain::backoff::Backoff;
use domain::check::Response;
use domain::limits::{MAX_ASKS_OF_EMPTY_ANSWER, MAX_SLEEP};
use domain::ordinal::ModelOrdinal;
use domain::prompt::Prompt;
use domain::time::{SECOND, Timestamp};
use providers::AskError;

use super::inputs::ShardInputs;
use super::leased::LeasedShard;
use super::rate_limiter::{NotStarted, RATE_LIMIT_REACHED};
use super::response::to_response;

/// The retries of one question before a busy provider defers the shard.
const MAX_BUSY_RETRIES: u32 = 3;
/// The delays before those retries if the provider does not say how long to wait.
const BUSY_BACKOFF: Backoff = Backoff::new(SECOND, Duration::from_secs(8));
/// The shortest time for which a busy provider defers a shard.
const MIN_DEFERRAL: Duration = Duration::from_secs(60);

/// One prompt put to the shard's model.
pub(super) struct Question<'a> {
    pub(super) prompt: &'a Prompt,
    /// How often it has been asked, this time included.
    pub(super) asks: u32,
}

/// The outcome of a question.
pub(super) enum QuestionOutcome {
    /// There is a response to record: answered, refused or failed for good.
    Settled(Box<Response>),
    /// The provider accepted the question and returned no usable answer, for a reason. It may have charged
    /// for it.
    AnswerLost(String),
    /// There is a failed response to record, because the provider refused the question without a word about
    /// the account. This question alone may be the reason, or the account.
    Forbidden(Box<Response>),
    /// The provider did not accept the question.
    NotAccepted(ProviderBlock),
}

/// A reason for which a provider does not accept questions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ProviderBlock {
    /// The provider is busy. The model gets no questions for `delay`.
    Busy { delay: Duration, reason: String },
    /// The provider rejects the account: the quota is used up or the key is invalid. None of its models gets
    /// questions.
    AccountRejected { reason: String },
}

impl ProviderBlock {
    /// Returns whether this block takes precedence over another one of the same round.
    pub(super) fn outweighs(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Busy { delay: a, .. }, Self::Busy { delay: b, .. }) => a > b,
            (Self::AccountRejected { .. }, Self::Busy { .. }) => true,
            (_, Self::AccountRejected { .. }) => false,
        }
    }
}

impl Question<'_> {
    /// Asks until the question is settled, its answer is lost, or the provider does not accept it. If a busy
    /// provider requests a short delay, the question is asked again after it. Returns `None` if the round is
    /// stopped before that.
    pub(super) async fn ask(
        &self,
        shard: &LeasedShard<'_>,
        inputs: &ShardInputs<'_>,
        is_stopped: &(dyn Fn() -> bool + Sync),
    ) -> Option<QuestionOutcome> {
        let (entity, prompt, clock) = (&inputs.entity, self.prompt, shard.checker.clock.as_ref());
        let language = prompt.language.as_ref().unwrap_or(&entity.language).to_string();
        let geolocation = prompt.geolocation.as_ref().unwrap_or(&entity.geolocation);
        let question = providers::Question {
            model: &inputs.model.model,
            prompt: prompt.text.as_str(),
            language: &language,
            country: geolocation.country(),
        };
        let mut retries = 0;
        loop {
            let start = match inputs.limiter.acquire(is_stopped).await {
                Ok(start) => start,
                Err(NotStarted::Stopped) => return None,
                Err(NotStarted::Full(delay)) => {
                    let reason = RATE_LIMIT_REACHED.to_owned();
                    return Some(QuestionOutcome::NotAccepted(ProviderBlock::Busy {
                        delay,
                        reason,
                    }));
                }
            };
            let error = match inputs.provider.ask(&question).await {
                Ok(answer) => {
                    let (model, now) = (shard.model.ordinal, clock.now());
                    let response = to_response(answer, prompt.ordinal, model, &inputs.reader, now);
                    return Some(QuestionOutcome::Settled(Box::new(response)));
                }
                Err(error) => error,
            };
            shard.errors.add(&error);
            let throttle = error.throttle();
            if let Some(throttle) = throttle {
                inputs.limiter.report(&start, throttle).await;
            }
            drop(start);
            let (retry_after, reason) = match self.settle(error, shard.model.ordinal, clock.now()) {
                Ok(outcome) => return Some(outcome),
                Err(unavailable) => unavailable,
            };
            let delay = retry_after.unwrap_or_else(|| BUSY_BACKOFF.delay(retries, rand::random()));
            if delay > MAX_SLEEP || retries == MAX_BUSY_RETRIES {
                let delay = delay.max(MIN_DEFERRAL);
                return Some(QuestionOutcome::NotAccepted(ProviderBlock::Busy {
                    delay,
                    reason,
                }));
            }
            retries += 1;
            // A throttled question waits for its next start.
            if throttle.is_none() {
                tokio::time::sleep(delay).await;
            }
        }
    }

    /// Returns the outcome of an error. If the provider was only unavailable, returns its hint and the reason
    /// as the error.
    fn settle(
        &self,
        error: AskError,
        model: ModelOrdinal,
        now: Timestamp,
    ) -> Result<QuestionOutcome, (Option<Duration>, String)> {
        let failed = |reason: &str| Box::new(Response::failed(self.prompt.ordinal, model, reason, now));
        Ok(match error {
            AskError::Empty { reason } if self.asks >= MAX_ASKS_OF_EMPTY_ANSWER => {
                QuestionOutcome::Settled(failed(&reason))
            }
            AskError::Unavailable {
                retry_after, reason, ..
            } => return Err((retry_after, reason)),
            AskError::AnswerLost { reason } | AskError::Empty { reason } => {
                tracing::warn!(
                    prompt.ordinal = self.prompt.ordinal.get(),
                    reason,
                    "a provider accepted a question and returned no usable answer"
                );
                QuestionOutcome::AnswerLost(reason)
            }
            AskError::QuotaExhausted { reason } | AskError::InvalidKey { reason } => {
                QuestionOutcome::NotAccepted(ProviderBlock::AccountRejected { reason })
            }
            AskError::Forbidden { reason } => QuestionOutcome::Forbidden(failed(&reason)),
            AskError::Permanent { reason } => QuestionOutcome::Settled(failed(&reason)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rejected_account_outweighs_every_delay_and_a_longer_delay_a_shorter_one() {
        let busy = |delay| ProviderBlock::Busy {
            delay,
            reason: String::new(),
        };
        let rejected = ProviderBlock::AccountRejected {
            reason: String::new(),
        };
        assert!(
            busy(Duration::from_secs(2)).outweighs(&busy(Duration::from_secs(1)))
                && !busy(Duration::from_secs(1)).outweighs(&busy(Duration::from_secs(2)))
        );
        assert!(rejected.outweighs(&busy(Duration::MAX)) && !busy(Duration::MAX).outweighs(&rejected));
        assert!(!rejected.outweighs(&rejected));
    }
}
