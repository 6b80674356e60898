//! `DELETE /entities`: ends a tracking.

use api::{ApiError, Call, Reply, subject};
use domain::id::EntityId;
use serde::Serialize;
use store::DeleteEntityError;

use crate::State;
use crate::publish::publish_deletion;

#[derive(Serialize)]
struct Deleted {
    data: Gone,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Gone {
    entity_id: EntityId,
}

pub(crate) async fn delete(call: Call<State>) -> Result<Reply, ApiError> {
    let entity_id: EntityId = subject(call.required("entityId")?, "Entity")?;
    let deleted = call
        .state
        .app
        .store
        .delete_entity(&call.tenant, &entity_id)
        .await?;
    deleted.map_err(|refused| match refused {
        DeleteEntityError::UnknownEntity => ApiError::not_found("Entity"),
        DeleteEntityError::Canceled => ApiError::canceled(),
    })?;
    publish_deletion(&call.state, &call.tenant, &entity_id).await;
    Reply::of(&Deleted {
        data: Gone { entity_id },
    })
}
