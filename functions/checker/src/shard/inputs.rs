//! The inputs of a worker, which it loads once when it starts.

use std::collections::BTreeMap;

use domain::catalogue::Model;
use domain::entity::Entity;
use domain::limits::PROVIDER_PAUSE;
use domain::ordinal::PromptOrdinal;
use domain::prompt::Prompt;
use domain::provider_rate::RateKey;
use providers::Provider;
use store::StoreError;

use super::deferral::Deferral;
use super::leased::LeasedShard;
use super::outcome::ShardOutcome;
use super::progress::ShardProgress;
use super::question::{Asker, Question};
use super::rate_limiter::RateLimiter;
use crate::Checker;
use crate::reading::AnswerReader;

/// The inputs of a worker. They do not change while the worker has the lease.
pub(super) struct ShardInputs<'a> {
    pub(super) model: &'a Model,
    pub(super) provider: &'a dyn Provider,
    entity: Entity,
    /// The prompts to ask, by ordinal.
    prompts: BTreeMap<PromptOrdinal, Prompt>,
    reader: AnswerReader,
    pub(super) limiter: RateLimiter<'a>,
}

impl<'a> ShardInputs<'a> {
    /// Loads the inputs and the state to start from. Returns the outcome of the shard as the error if it has
    /// nothing to ask.
    pub(super) async fn load(shard: &LeasedShard<'a>) -> Result<(Self, ShardProgress), ShardOutcome> {
        let (checker, lease) = (shard.checker, shard.lease);
        let model = checker.catalogue.get(shard.model.uuid);
        let provider = model.and_then(|model| Some((model, checker.providers.get(&model.provider)?)));
        let Some((model, provider)) = provider else {
            return Err(defer_without_provider(shard));
        };
        let (recorded, asks) = (&lease.progress.recorded, lease.progress.asks.clone());
        let unanswered = shard.prompts.iter().filter(|p| !recorded.contains(p));
        let mut open: Vec<PromptOrdinal> = unanswered.copied().collect();
        if open.is_empty() {
            return Err(ShardOutcome::Done);
        }
        let store = &checker.store;
        let (entity, prompts, pause, limiter) = tokio::try_join!(
            store.entity(&lease.tenant, &lease.entity),
            store.prompts_by_ordinal(&lease.tenant, &lease.entity, &open),
            store.provider_pause(&model.provider),
            load_limiter(checker, provider, &model.model),
        )?;
        let Some(entity) = entity else {
            return Err(ShardOutcome::Abandoned);
        };
        // A prompt that was paused or deleted after the claim is not asked.
        let prompts = prompts.into_iter().filter(Prompt::is_asked);
        let prompts: BTreeMap<PromptOrdinal, Prompt> = prompts.map(|p| (p.ordinal, p)).collect();
        open.retain(|prompt| prompts.contains_key(prompt));
        let inputs = Self {
            model,
            provider,
            entity,
            prompts,
            reader: AnswerReader::new(&shard.plan.brands),
            limiter,
        };
        Ok((inputs, ShardProgress::new(open, asks, pause)))
    }

    /// Returns what the questions of this worker are asked with.
    pub(super) fn asker<'b>(&'b self, shard: &'b LeasedShard<'_>) -> Asker<'b> {
        Asker {
            provider: self.provider,
            limiter: &self.limiter,
            reader: &self.reader,
            clock: shard.checker.clock.as_ref(),
            errors: &shard.errors,
        }
    }

    /// Returns the question that puts a prompt to the shard's model for the `asks`th time, or `None` if the
    /// prompt is no longer asked.
    pub(super) fn question(
        &self,
        shard: &LeasedShard<'_>,
        prompt: PromptOrdinal,
        asks: u32,
    ) -> Option<Question<'_>> {
        Some(Question {
            model_name: &self.model.model,
            model: shard.model.ordinal,
            entity: &self.entity,
            prompt: self.prompts.get(&prompt)?,
            asks,
        })
    }
}

/// Reads what was learnt about the provider's limit for a model.
async fn load_limiter<'a>(
    checker: &'a Checker,
    provider: &dyn Provider,
    model: &str,
) -> Result<RateLimiter<'a>, StoreError> {
    let key = RateKey {
        provider: provider.name().to_owned(),
        key_fingerprint: provider.key_fingerprint().await,
        model: model.to_owned(),
    };
    let known = checker.store.provider_rate(&key).await?;
    Ok(RateLimiter::new(
        &checker.store,
        checker.clock.as_ref(),
        key,
        known,
    ))
}

/// Defers a shard whose provider is not configured, because the operator can configure it before the check's
/// deadline.
fn defer_without_provider(shard: &LeasedShard<'_>) -> ShardOutcome {
    let reason = "The model's provider is not configured".to_owned();
    let now = shard.checker.clock.now();
    ShardOutcome::Deferred {
        deferral: Deferral::of_model(shard.model.uuid, None, PROVIDER_PAUSE, reason, now),
        asks: shard.lease.progress.asks.clone(),
    }
}
