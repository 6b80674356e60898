//! `GET /entities`

use api::{ApiError, ApiRequest, ApiResponse, Columns};
use serde::Serialize;

use crate::EntitiesState;
use crate::view::EntityView;

#[derive(Serialize, schemars::JsonSchema)]
pub struct ListEntitiesResponse<'a> {
    /// The entities.
    data: Vec<EntityView<'a>>,
    /// The number of entities in `data`.
    count: usize,
}

/// The columns of the table.
pub(crate) const COLUMNS: Columns = &[
    "id",
    "entityUuid",
    "name",
    "target",
    "targetType",
    "trackingType",
    "description",
    "faviconUrl",
    "language",
    "geolocation",
    "models",
    "aliases",
    "isActive",
    "frequencyHours",
    "createdAt",
];

/// Returns the entities that the key reaches, oldest first.
pub(crate) async fn list(request: ApiRequest<EntitiesState>) -> Result<ApiResponse, ApiError> {
    let mut entities = request.store().entities(&request.tenant).await?;
    entities.retain(|entity| request.key_scope.reaches(&entity.id));
    ApiResponse::from_fields(&ListEntitiesResponse {
        data: entities.iter().map(EntityView::from).collect(),
        count: entities.len(),
    })
}
