//! Prompts for an entity that comes without any.

use api::ApiError;
use domain::limits::GENERATION_TIMEOUT;
use domain::prompt::{NewPrompt, PromptText, deduplicated, names_brand};
use mentions::{BrandNames, Matcher};
use providers::GenerationRequest;
use store::NewEntity;

use crate::EntitiesState;

/// Prompts that are asked for beyond those wanted.
const SPARE: u32 = 5;

/// Questions that a buyer would ask, in the entity's language, without the brand's name. Nothing is made up:
/// if the provider gives none, it is 503.
pub(crate) async fn generate(
    state: &EntitiesState,
    entity: &NewEntity,
    count: u32,
) -> Result<Vec<NewPrompt>, ApiError> {
    let failed = |why: String| ApiError::unavailable("Prompts could not be generated", why);
    let model = state
        .api
        .catalogue
        .models()
        .iter()
        .find(|model| state.providers.get(&model.provider).is_some())
        .ok_or_else(|| failed("no provider is configured".to_owned()))?;
    let provider = state
        .providers
        .get(&model.provider)
        .ok_or_else(|| failed("no provider is configured".to_owned()))?;
    let request = GenerationRequest {
        model: &model.model,
        name: &entity.name,
        domain: entity.target.registrable(),
        description: &entity.description,
        language: &entity.language.to_string(),
        language_name: entity.language.english_name(),
        country: entity.geolocation.country(),
        // Some may name the brand and are dropped.
        count: count + SPARE,
    };
    let texts = tokio::time::timeout(GENERATION_TIMEOUT, provider.generate_prompts(&request))
        .await
        .map_err(|_| failed("the provider took too long".to_owned()))?
        .map_err(|error| failed(error.reason().to_owned()))?;
    let brand = Matcher::new(&[BrandNames {
        brand: 0,
        name: entity.name.clone(),
        aliases: Vec::new(),
        domain: entity.target.registrable().map(str::to_owned),
    }]);
    let prompts = texts
        .iter()
        .filter(|text| !names_brand(text, &entity.name) && brand.find(text).mentioned.is_empty())
        .filter_map(|text| PromptText::parse("prompt", text).ok())
        .map(|text| NewPrompt {
            text,
            language: None,
            geolocation: None,
            tags: Vec::new(),
        })
        .take(usize::try_from(count).unwrap_or(usize::MAX))
        .collect();
    let prompts = deduplicated(prompts).map_err(|e| failed(e.to_string()))?;
    if prompts.is_empty() {
        return Err(failed("the provider gave no usable prompt".to_owned()));
    }
    Ok(prompts)
}
