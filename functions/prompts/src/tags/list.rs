//! `GET /tags`

use analytics::AnalyticsState;
use api::prompts::visible_tags;
use api::{ApiError, ApiRequest, ApiResponse, Columns};
use serde::Serialize;

use super::TagView;

#[derive(Serialize, schemars::JsonSchema)]
pub struct ListTagsResponse<'a> {
    /// The tags.
    data: Vec<TagView<'a>>,
    /// The number of tags in `data`.
    count: usize,
}

/// The columns of the table.
pub(crate) const COLUMNS: Columns = &["id", "name", "createdAt"];

/// Returns the workspace's tags. With a key that is bound to entities, it returns the tags of their prompts.
pub(crate) async fn list(request: ApiRequest<AnalyticsState>) -> Result<ApiResponse, ApiError> {
    let store = request.store();
    let tags = visible_tags(store, &request.tenant, &request.key_scope).await?;
    ApiResponse::from_fields(&ListTagsResponse {
        data: tags.iter().map(TagView::from).collect(),
        count: tags.len(),
    })
}
