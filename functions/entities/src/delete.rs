//! `DELETE /entities`: ends a tracking.

use api::{ApiError, ApiRequest, ApiResponse, parse_id};
use domain::id::EntityId;
use serde::Serialize;
use store::DeleteEntityError;

use crate::EntitiesState;
use crate::publish::publish_deletion;

#[derive(Serialize)]
struct DeleteEntityResponse {
    data: DeletedEntityView,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DeletedEntityView {
    entity_id: EntityId,
}

pub(crate) async fn delete(request: ApiRequest<EntitiesState>) -> Result<ApiResponse, ApiError> {
    let entity_id: EntityId = parse_id(request.required("entityId")?, "Entity")?;
    let deleted = request
        .state
        .api
        .store
        .delete_entity(&request.tenant, &entity_id)
        .await?;
    deleted.map_err(|refused| match refused {
        DeleteEntityError::UnknownEntity => ApiError::not_found("Entity"),
        DeleteEntityError::Canceled => ApiError::canceled(),
    })?;
    publish_deletion(&request.state, &request.tenant, &entity_id).await;
    ApiResponse::of(&DeleteEntityResponse {
        data: DeletedEntityView { entity_id },
    })
}
