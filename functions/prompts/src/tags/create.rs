//! `POST /tags`

use analytics_core::AnalyticsState;
use api::{ApiError, ApiRequest, ApiResponse};
use domain::tag::{Tag, TagName};
use serde::Serialize;

use super::TagView;

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CreateTagResponse<'a> {
    /// The new tag.
    data: TagView<'a>,
}

pub(crate) async fn create(request: ApiRequest<AnalyticsState>) -> Result<ApiResponse, ApiError> {
    let name = TagName::parse("name", request.body()?.required_text("name")?)?;
    let answer = |tag: &Tag| ApiResponse::of(&CreateTagResponse { data: tag.into() });
    let store = &request.state.api.store;
    let tag = store
        .create_tag(&request.tenant, &name, &request.idempotent(&answer))
        .await?;
    answer(&tag)
}
