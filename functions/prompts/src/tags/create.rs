//! `POST /tags`

use analytics::AnalyticsState;
use api::{ApiError, ApiRequest, ApiResponse};
use domain::tag::{Tag, TagName};
use serde::Serialize;

use super::TagView;

#[derive(Serialize, schemars::JsonSchema)]
pub struct CreateTagResponse<'a> {
    /// The new tag.
    data: TagView<'a>,
}

/// Creates a tag, and returns it. Returns 403 if the workspace's limit of tags is reached, and 409 if it has
/// a tag of this name.
pub(crate) async fn create(request: ApiRequest<AnalyticsState>) -> Result<ApiResponse, ApiError> {
    let name = TagName::parse("name", request.body()?.required_text("name")?)?;
    let to_response = |tag: &Tag| ApiResponse::from_fields(&CreateTagResponse { data: tag.into() });
    let (store, recorder) = (request.store(), request.reply_recorder(&to_response));
    let tag = store.create_tag(&request.tenant, &name, &recorder).await?;
    to_response(&tag)
}
