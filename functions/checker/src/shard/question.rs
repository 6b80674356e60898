//! Asks a provider one question.

use std::time::Duration;

use domain::backoff::Backoff;
use domain::check::Response;
use domain::clock::Clock;
use domain::entity::Entity;
use domain::limits::{MAX_ASKS_OF_EMPTY_ANSWER, MAX_SLEEP};
use domain::ordinal::ModelOrdinal;
use domain::prompt::Prompt;
use domain::time::SECOND;
use providers::{AskError, Provider};

use super::error_counts::ErrorCounts;
use super::provider_block::ProviderBlock;
use super::rate_limiter::{NotStarted, RATE_LIMIT_REACHED, RateLimiter};
use super::response;
use crate::reading::AnswerReader;

/// The retries of one question before a busy provider defers the shard.
const MAX_BUSY_RETRIES: u32 = 3;
/// The delays before those retries if the provider does not say how long to wait.
const BUSY_BACKOFF: Backoff = Backoff::new(SECOND, Duration::from_secs(8));
/// The shortest time for which a busy provider defers a shard.
const MIN_DEFERRAL: Duration = Duration::from_secs(60);

/// One prompt put to one model.
pub(super) struct Question<'a> {
    /// The provider's name for the model.
    pub(super) model_name: &'a str,
    pub(super) model: ModelOrdinal,
    pub(super) entity: &'a Entity,
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

/// What the questions of a worker are asked with.
#[derive(Clone, Copy)]
pub(super) struct Asker<'a> {
    pub(super) provider: &'a dyn Provider,
    pub(super) limiter: &'a RateLimiter<'a>,
    pub(super) reader: &'a AnswerReader,
    pub(super) clock: &'a dyn Clock,
    pub(super) errors: &'a ErrorCounts,
}

impl Question<'_> {
    /// Asks until the question is settled, its answer is lost, or the provider does not accept it. If a busy
    /// provider requests a short delay, the question is asked again after it. Returns `None` if the round is
    /// stopped before that.
    pub(super) async fn ask(
        &self,
        asker: Asker<'_>,
        is_stopped: &(dyn Fn() -> bool + Sync),
    ) -> Option<QuestionOutcome> {
        let (entity, prompt) = (self.entity, self.prompt);
        let language = prompt.language.as_ref().unwrap_or(&entity.language).to_string();
        let geolocation = prompt.geolocation.as_ref().unwrap_or(&entity.geolocation);
        let question = providers::Question {
            model: self.model_name,
            prompt: prompt.text.as_str(),
            language: &language,
            country: geolocation.country(),
        };
        let mut retries = 0;
        loop {
            let start = match asker.limiter.acquire(is_stopped).await {
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
            let error = match asker.provider.ask(&question).await {
                Ok(answer) => {
                    let now = asker.clock.now();
                    let response =
                        response::to_response(answer, prompt.ordinal, self.model, asker.reader, now);
                    return Some(QuestionOutcome::Settled(Box::new(response)));
                }
                Err(error) => error,
            };
            asker.errors.add(&error);
            let throttle = error.throttle();
            if let Some(throttle) = throttle {
                asker.limiter.report(&start, throttle).await;
            }
            drop(start);
            let (retry_after, reason) = match self.settle(error, asker.clock) {
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
        clock: &dyn Clock,
    ) -> Result<QuestionOutcome, (Option<Duration>, String)> {
        let failed = |reason: &str| {
            let (prompt, now) = (self.prompt.ordinal, clock.now());
            Box::new(Response::failed(prompt, self.model, reason, now))
        };
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
