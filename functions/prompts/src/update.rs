//! `PATCH /entities/updateprompt`: one prompt, or up to 100 at once, all or none.

use analytics_core::AnalyticsState;
use api::{ApiError, ApiRequest, ApiResponse};
use serde::Serialize;

use crate::parse_updates::parse_updates;
use crate::tags::known_tags;
use crate::view::{DatedPromptView, PromptListView};

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UpdatePromptResponse {
    /// The prompt as it is now.
    prompt: DatedPromptView,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UpdatePromptsResponse<'a> {
    /// The prompts as they are now, in the order of the updates.
    prompts: Vec<PromptListView<'a>>,
    /// The number of prompts.
    count: usize,
}

pub(crate) async fn update(request: ApiRequest<AnalyticsState>) -> Result<ApiResponse, ApiError> {
    let body = request.body()?;
    let wanted = parse_updates(&body, &known_tags(&request, &body).await?)?;
    let changed = request
        .state
        .api
        .store
        .update_prompts(&request.tenant, &wanted.updates)
        .await?;
    match changed.as_slice() {
        [one] if wanted.is_single => ApiResponse::of(&UpdatePromptResponse {
            prompt: DatedPromptView::new(&one.entity, &one.prompt),
        }),
        some => ApiResponse::of(&UpdatePromptsResponse {
            prompts: some
                .iter()
                .map(|p| PromptListView::new(&p.entity, &p.prompt))
                .collect(),
            count: some.len(),
        }),
    }
}
