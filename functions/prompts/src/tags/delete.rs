//! `DELETE /tags`

use analytics::AnalyticsState;
use api::{ApiError, ApiRequest, ApiResponse};
use domain::id::TagId;
use serde::Serialize;

#[derive(Serialize, schemars::JsonSchema)]
pub struct DeleteTagResponse {
    /// The deleted tag.
    data: DeletedTagView,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "DeletedTag")]
#[serde(rename_all = "camelCase")]
struct DeletedTagView {
    /// The tag's id.
    tag_id: TagId,
}

/// Deletes a tag and returns its id. Returns 404 if the tag does not exist.
pub(crate) async fn delete(request: ApiRequest<AnalyticsState>) -> Result<ApiResponse, ApiError> {
    let tag_id: TagId = request.id("tagId")?;
    let store = request.store();
    store.delete_tag(&request.tenant, &tag_id).await?;
    ApiResponse::from_fields(&DeleteTagResponse {
        data: DeletedTagView { tag_id },
    })
}
