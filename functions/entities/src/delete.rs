//! `DELETE /entities`: ends a tracking.

use api::{ApiError, Call, Reply, subject};
use domain::id::EntityId;
use events::{CheckEvent, EntityRef};
use serde::Serialize;
use store::DeleteRefused;

use crate::State;

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
        DeleteRefused::UnknownEntity => ApiError::not_found("Entity"),
        DeleteRefused::Canceled => ApiError::canceled(),
    })?;
    let gone = CheckEvent::EntityDeleted(EntityRef {
        workspace_id: call.tenant.workspace().clone(),
        entity_id: entity_id.clone(),
    });
    if let Err(error) = call.state.bus.publish(&[gone]).await {
        tracing::warn!(entity.id = %entity_id, %error, "a deleted entity waits for the next tick");
    }
    Reply::of(&Deleted {
        data: Gone { entity_id },
    })
}
