//! `DELETE /entities/prompts`

use analytics::AnalyticsState;
use api::{ApiError, ApiRequest, ApiResponse};
use domain::id::PromptId;
use serde::Serialize;

#[derive(Serialize, schemars::JsonSchema)]
pub struct DeletePromptResponse {
    /// The deleted prompt.
    data: DeletedPromptView,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "DeletedPrompt")]
#[serde(rename_all = "camelCase")]
struct DeletedPromptView {
    /// The prompt's id.
    prompt_id: PromptId,
}

/// Deletes a prompt and returns its id. Its recorded responses still count. Returns 404 if the prompt does
/// not exist.
pub(crate) async fn delete(request: ApiRequest<AnalyticsState>) -> Result<ApiResponse, ApiError> {
    let prompt_id: PromptId = request.id("promptId")?;
    let store = request.store();
    store.delete_prompt(&request.tenant, &prompt_id).await?;
    ApiResponse::from_fields(&DeletePromptResponse {
        data: DeletedPromptView { prompt_id },
    })
}
