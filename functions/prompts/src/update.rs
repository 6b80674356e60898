//! `PATCH /entities/updateprompt`

use analytics::AnalyticsState;
use api::prompts::known_tags;
use api::{ApiError, ApiRequest, ApiResponse};
use serde::Serialize;
use store::{Refusal, WriteError};

use crate::parse_updates::parse_updates;
use crate::view::{DatedPromptView, PromptListView};

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "UpdatedPrompt")]
pub struct UpdatePromptResponse {
    /// The prompt as it is now.
    prompt: DatedPromptView,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "UpdatedPrompts")]
pub struct UpdatePromptsResponse<'a> {
    /// The prompts as they are now, in the order of the updates.
    prompts: Vec<PromptListView<'a>>,
    /// The number of prompts.
    count: usize,
}

/// Changes one prompt, or several (`updates`), all or none, and returns them.
///
/// Returns 400 if the body is invalid, 403 if the workspace's limit of prompts would be exceeded, and 404 if
/// a prompt does not exist.
pub(crate) async fn update(request: ApiRequest<AnalyticsState>) -> Result<ApiResponse, ApiError> {
    let body = request.body()?;
    let tags = known_tags(&request, request.store(), &body).await?;
    let parsed = parse_updates(&body, &tags, &request.key_scope)?;
    let updated = request
        .store()
        .update_prompts(&request.tenant, &parsed.updates)
        .await
        .map_err(|error| match error {
            // The body itself is the only update.
            WriteError::Refused(Refusal::NotFoundAt(resource, _)) if parsed.is_single => {
                ApiError::not_found(resource.name())
            }
            error => error.into(),
        })?;
    match updated.as_slice() {
        [one] if parsed.is_single => ApiResponse::from_fields(&UpdatePromptResponse {
            prompt: DatedPromptView::new(&one.entity, &one.prompt),
        }),
        some => ApiResponse::from_fields(&UpdatePromptsResponse {
            prompts: some
                .iter()
                .map(|p| PromptListView::new(&p.entity, &p.prompt))
                .collect(),
            count: some.len(),
        }),
    }
}
