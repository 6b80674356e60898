//! `GET /tags`

use analytics_core::AnalyticsState;
use api::{ApiError, ApiRequest, ApiResponse};
use serde::Serialize;

use super::TagView;

#[derive(Serialize)]
struct ListTagsResponse<'a> {
    data: Vec<TagView<'a>>,
    count: usize,
}

pub(crate) async fn list(request: ApiRequest<AnalyticsState>) -> Result<ApiResponse, ApiError> {
    let tags = request.state.api.store.tags(&request.tenant).await?;
    ApiResponse::of(&ListTagsResponse {
        data: tags.iter().map(TagView::from).collect(),
        count: tags.len(),
    })
}
