//! The inputs of a worker, which it loads once when it starts.

use std::collections::BTreeMap;

use domain::catalogue::Model;
use domain::entity::Entity;
use domain::ordinal::PromptOrdinal;
use domain::pause::ProviderPause;
use domain::prompt::Prompt;
use domain::provider_rate::RateKey;
use providers::Provider;
use store::StoreError;

use super::leased::LeasedShard;
use super::rate_limiter::RateLimiter;
use crate::Checker;
use crate::reading::AnswerReader;

/// The inputs of a worker. They do not change while the worker has the lease.
pub(super) struct ShardInputs<'a> {
    pub(super) model: &'a Model,
    pub(super) provider: &'a dyn Provider,
    pub(super) entity: Entity,
    /// The prompts to ask, by ordinal.
    pub(super) prompts: BTreeMap<PromptOrdinal, Prompt>,
    pub(super) reader: AnswerReader,
    pub(super) limiter: RateLimiter<'a>,
}

impl<'a> ShardInputs<'a> {
    /// Loads the inputs, and the provider's pause if there is one. Returns `None` if the entity is deleted.
    pub(super) async fn load(
        shard: &LeasedShard<'a>,
        model: &'a Model,
        provider: &'a dyn Provider,
        open: &[PromptOrdinal],
    ) -> Result<Option<(Self, Option<ProviderPause>)>, StoreError> {
        let (checker, lease) = (shard.checker, shard.lease);
        let store = &checker.store;
        let (entity, prompts, pause, limiter) = tokio::try_join!(
            store.entity(&lease.tenant, &lease.entity),
            store.prompts_by_ordinal(&lease.tenant, &lease.entity, open),
            store.provider_pause(&model.provider),
            load_limiter(checker, provider, &model.model),
        )?;
        let Some(entity) = entity else {
            return Ok(None);
        };
        // A prompt that was paused or deleted after the claim is not asked.
        let prompts = prompts.into_iter().filter(Prompt::is_asked);
        let prompts: BTreeMap<PromptOrdinal, Prompt> = prompts.map(|p| (p.ordinal, p)).collect();
        let inputs = Self {
            model,
            provider,
            entity,
            prompts,
            reader: AnswerReader::new(&shard.plan.brands),
            limiter,
        };
        Ok(Some((inputs, pause)))
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
