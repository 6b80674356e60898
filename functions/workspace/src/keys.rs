//! `GET /keys/self`

use std::collections::BTreeSet;

use api::{ApiError, ApiRequest, ApiResponse, ApiState};
use domain::id::EntityId;
use domain::key_scope::KeyAccess;
use serde::Serialize;

#[derive(Serialize, schemars::JsonSchema)]
pub struct KeyResponse<'a> {
    data: KeyView<'a>,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "Key")]
#[serde(rename_all = "camelCase")]
struct KeyView<'a> {
    /// Whether the key may change anything.
    scope: KeyAccess,
    /// The ids of the entities that the key reaches. Null if it reaches all entities, and the workspace
    /// itself.
    entity_ids: Option<&'a BTreeSet<EntityId>>,
}

/// Returns what the key of the request may do.
pub(crate) async fn get_self(request: ApiRequest<ApiState>) -> Result<ApiResponse, ApiError> {
    let scope = &request.key_scope;
    ApiResponse::from_fields(&KeyResponse {
        data: KeyView {
            scope: scope.access,
            entity_ids: scope.entities.as_ref(),
        },
    })
}
