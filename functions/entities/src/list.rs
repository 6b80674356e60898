//! `GET /entities`

use api::{ApiError, ApiRequest, ApiResponse};
use serde::Serialize;

use crate::EntitiesState;
use crate::view::EntityView;

#[derive(Serialize)]
struct ListEntitiesResponse<'a> {
    data: Vec<EntityView<'a>>,
    count: usize,
}

/// The workspace's entities, oldest first.
pub(crate) async fn list(request: ApiRequest<EntitiesState>) -> Result<ApiResponse, ApiError> {
    let entities = request.state.api.store.entities(&request.tenant).await?;
    ApiResponse::of(&ListEntitiesResponse {
        data: entities.iter().map(EntityView::from).collect(),
        count: entities.len(),
    })
}
