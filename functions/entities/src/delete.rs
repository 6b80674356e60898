//! `DELETE /entities`

use api::{ApiError, ApiRequest, ApiResponse};
use domain::id::EntityId;
use serde::Serialize;

use crate::EntitiesState;
use crate::publish::publish_deletion;

#[derive(Serialize, schemars::JsonSchema)]
pub struct DeleteEntityResponse {
    /// The deleted entity.
    data: DeletedEntityView,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "DeletedEntity")]
#[serde(rename_all = "camelCase")]
struct DeletedEntityView {
    /// The entity's id.
    entity_id: EntityId,
}

/// Deletes an entity and returns its id. The checker cleans up its data afterwards. Returns 404 if the entity
/// does not exist.
pub(crate) async fn delete(request: ApiRequest<EntitiesState>) -> Result<ApiResponse, ApiError> {
    let entity_id = request.entity_id()?;
    request.store().delete_entity(&request.tenant, &entity_id).await?;
    publish_deletion(&request.state, &request.tenant, &entity_id).await;
    ApiResponse::from_fields(&DeleteEntityResponse {
        data: DeletedEntityView { entity_id },
    })
}
