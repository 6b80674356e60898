//! `PATCH /entities/updateprompt`

use analytics_core::AnalyticsState;
use api::{ApiError, ApiRequest, ApiResponse};
use serde::Serialize;

use crate::parse_updates::parse_updates;
use crate::tags::known_tags;
use crate::view::{DatedPromptView, PromptListView};

#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "UpdatedPrompt")
)]
pub struct UpdatePromptResponse {
    /// The prompt as it is now.
    prompt: DatedPromptView,
}

#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "UpdatedPrompts")
)]
pub struct UpdatePromptsResponse<'a> {
    /// The prompts as they are now, in the order of the updates.
    prompts: Vec<PromptListView<'a>>,
    /// The number of prompts.
    count: usize,
}

/// Changes one prompt, or several (`updates`), all or none, and returns them.
///
/// Returns 400 if the body is invalid, 403 if the workspace's limit of prompts would be exceeded, and 404 if a prompt does not
/// exist.
pub(crate) async fn update(request: ApiRequest<AnalyticsState>) -> Result<ApiResponse, ApiError> {
    let body = request.body()?;
    let parsed = parse_updates(&body, &known_tags(&request, &body).await?, &request.key_scope)?;
    let updated = request
        .state
        .api
        .store
        .update_prompts(&request.tenant, &parsed.updates)
        .await?;
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
