//! Generates the prompts of an entity that is created without any.

use api::ApiError;
use domain::limits::GENERATION_TIMEOUT;
use domain::number::to_usize;
use domain::prompt::{NewPrompt, PromptText, deduplicate_prompts, names_brand};
use mentions::{BrandNames, Matcher};
use providers::{AskError, GenerationRequest};
use store::NewEntity;

use crate::EntitiesState;

/// The error if the provider refuses the service's key.
pub const REFUSED_KEY: &str = "Prompts could not be generated: the provider refuses the service's API key, which the operator \
                           must replace; until then, give prompts, or set generatePrompts to false";
const NO_QUOTA: &str = "Prompts could not be generated: the service's account at the provider has no quota left, which the \
                        operator must raise; until then, give prompts, or set generatePrompts to false";
const BLOCKED: &str = "Prompts could not be generated: the request was blocked on its way to the provider, which the operator must \
                       look into; until then, give prompts, or set generatePrompts to false";
/// The error if there are no prompts for any other reason.
pub const NOT_GENERATED: &str = "Prompts could not be generated";
/// The number of prompts that the provider is asked for in addition, because some are dropped.
const SPARE_PROMPTS: u32 = 5;

/// Generates up to `count` prompts: questions that a buyer would ask, in the entity's language and without
/// the brand's name.
///
/// A configured provider writes them. Returns 502 if it refuses the service's key or account, or the request
/// is blocked, and 503 if it gives no usable prompt in time.
pub(crate) async fn generate_prompts(
    state: &EntitiesState,
    entity: &NewEntity,
    count: u32,
) -> Result<Vec<NewPrompt>, ApiError> {
    let texts = ask_provider(state, entity, count + SPARE_PROMPTS).await?;
    let mut prompts = usable_prompts(&texts, entity);
    prompts.truncate(to_usize(count));
    let prompts = deduplicate_prompts(prompts).map_err(|e| not_generated(e.to_string()))?;
    if prompts.is_empty() {
        return Err(not_generated("the provider gave no usable prompt".to_owned()));
    }
    Ok(prompts)
}

/// Asks the provider of the first model in the catalogue whose provider is configured.
async fn ask_provider(
    state: &EntitiesState,
    entity: &NewEntity,
    count: u32,
) -> Result<Vec<String>, ApiError> {
    let (model, provider) = state
        .api
        .catalogue
        .models()
        .iter()
        .find_map(|model| Some((model, state.providers.get(&model.provider)?)))
        .ok_or_else(|| not_generated("no provider is configured".to_owned()))?;
    let request = GenerationRequest {
        model: &model.model,
        name: &entity.name,
        domain: entity.target.registrable(),
        description: &entity.description,
        language: &entity.language.to_string(),
        language_name: entity.language.english_name(),
        country: entity.geolocation.country(),
        count,
    };
    tokio::time::timeout(GENERATION_TIMEOUT, provider.generate_prompts(&request))
        .await
        .map_err(|_| not_generated("the provider took too long".to_owned()))?
        .map_err(|error| match error {
            AskError::InvalidKey { reason } => ApiError::provider_refuses(REFUSED_KEY, reason),
            AskError::QuotaExhausted { reason } => ApiError::provider_refuses(NO_QUOTA, reason),
            AskError::Forbidden { reason } => ApiError::provider_refuses(BLOCKED, reason),
            error => not_generated(error.reason().to_owned()),
        })
}

/// Returns the texts that are valid prompts and do not name the brand.
fn usable_prompts(texts: &[String], entity: &NewEntity) -> Vec<NewPrompt> {
    let brand = Matcher::new(&[BrandNames {
        brand: 0,
        name: entity.name.clone(),
        aliases: Vec::new(),
        domain: entity.target.registrable().map(str::to_owned),
    }]);
    texts
        .iter()
        .filter(|text| !names_brand(text, &entity.name) && brand.named_brands(text).is_empty())
        .filter_map(|text| PromptText::parse("prompt", text).ok())
        .map(|text| NewPrompt {
            text,
            language: None,
            geolocation: None,
            tags: Vec::new(),
        })
        .collect()
}

fn not_generated(reason: String) -> ApiError {
    ApiError::unavailable(NOT_GENERATED, reason)
}
