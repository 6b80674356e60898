//! `POST /entities/addprompt`

use analytics::AnalyticsState;
use api::prompts::{PromptDefaults, known_tags, parse_prompt_text, parse_prompts};
use api::{ApiError, ApiRequest, ApiResponse};
use domain::error::InvalidField;
use domain::id::{EntityId, PromptId};
use domain::prompt::Prompt;
use serde::Serialize;

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "AddedPrompt")]
#[serde(rename_all = "camelCase")]
pub struct AddPromptResponse<'a> {
    /// The new prompt's id.
    prompt_id: &'a PromptId,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "AddedPrompts")]
#[serde(rename_all = "camelCase")]
pub struct AddPromptsResponse<'a> {
    /// The ids of the new prompts, in the order in which they were given.
    #[schemars(extend("x-extension" = true))]
    prompt_ids: &'a [PromptId],
    /// The number of new prompts.
    #[schemars(extend("x-extension" = true))]
    count: usize,
}

/// Adds one prompt (`prompt`) or several (`prompts`), all or none, and returns their ids.
///
/// Returns 400 if the body is invalid, 403 if the workspace's limit of prompts would be exceeded, and 404 if
/// the entity does not exist.
pub(crate) async fn add(request: ApiRequest<AnalyticsState>) -> Result<ApiResponse, ApiError> {
    let body = request.body()?;
    let entity = body.required_text("entityId")?;
    let is_single = body.text("prompt")?.is_some();
    let tags = known_tags(&request, request.store(), &body).await?;
    let defaults = PromptDefaults::parse(&body, &tags)?;
    let new = match (is_single, parse_prompts(&body, &defaults)?) {
        (true, Some(_)) => {
            return Err(InvalidField::new("prompts", "must not be given together with prompt").into());
        }
        (_, None) => vec![defaults.prompt(parse_prompt_text(&body)?)],
        (false, Some(new)) if new.is_empty() => {
            return Err(InvalidField::new("prompts", "must have at least one prompt").into());
        }
        (false, Some(new)) => new,
    };
    let entity: EntityId = request.parse_id(entity)?;
    let to_response = |added: &Vec<Prompt>| response(&entity, added, is_single);
    let (store, recorder) = (request.store(), request.reply_recorder(&to_response));
    let added = store
        .add_prompts(&request.tenant, &entity, &new, &recorder)
        .await?;
    to_response(&added)
}

fn response(entity: &EntityId, added: &[Prompt], is_single: bool) -> Result<ApiResponse, ApiError> {
    let id = |prompt: &Prompt| PromptId {
        entity: *entity,
        ordinal: prompt.ordinal,
    };
    let ids: Vec<PromptId> = added.iter().map(id).collect();
    match ids.as_slice() {
        [prompt_id] if is_single => ApiResponse::from_fields(&AddPromptResponse { prompt_id }),
        prompt_ids => ApiResponse::from_fields(&AddPromptsResponse {
            prompt_ids,
            count: prompt_ids.len(),
        }),
    }
}
