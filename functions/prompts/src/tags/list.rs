//! `GET /tags`

use analytics_core::AnalyticsState;
use api::{ApiError, ApiRequest, ApiResponse};
use serde::Serialize;

use super::TagView;

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ListTagsResponse<'a> {
    /// The tags.
    data: Vec<TagView<'a>>,
    /// The number of tags in `data`.
    count: usize,
}

/// Returns the workspace's tags.
pub(crate) async fn list(request: ApiRequest<AnalyticsState>) -> Result<ApiResponse, ApiError> {
    let tags = request.state.api.store.tags(&request.tenant).await?;
    ApiResponse::from_fields(&ListTagsResponse {
        data: tags.iter().map(TagView::from).collect(),
        count: tags.len(),
    })
}
