//! `GET /tags`

use std::collections::BTreeSet;

use analytics_core::AnalyticsState;
use api::{ApiError, ApiRequest, ApiResponse, Columns};
use domain::id::TagId;
use futures::future::try_join_all;
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

/// The columns of the table.
pub(crate) const COLUMNS: Columns = &["id", "name", "createdAt"];

/// Returns the workspace's tags. With a key that is bound to entities, it returns the tags of their prompts.
pub(crate) async fn list(request: ApiRequest<AnalyticsState>) -> Result<ApiResponse, ApiError> {
    let store = &request.state.api.store;
    let mut tags = store.tags(&request.tenant).await?;
    if let Some(entities) = &request.key_scope.entities {
        let prompts = entities.iter().map(|id| store.prompts(&request.tenant, id));
        let prompts = try_join_all(prompts).await?;
        let prompts = prompts.iter().flatten().filter(|prompt| !prompt.is_deleted);
        let used: BTreeSet<&TagId> = prompts.flat_map(|prompt| &prompt.tags).collect();
        tags.retain(|tag| used.contains(&tag.id));
    }
    ApiResponse::from_fields(&ListTagsResponse {
        data: tags.iter().map(TagView::from).collect(),
        count: tags.len(),
    })
}
