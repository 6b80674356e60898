//! `DELETE /domain-groups`

use api::{ApiError, ApiRequest, ApiResponse, ApiState};
use domain::id::GroupId;
use serde::Serialize;

#[derive(Serialize, schemars::JsonSchema)]
pub struct DeleteGroupResponse<'a> {
    /// The deleted group.
    data: DeletedGroupView<'a>,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "DeletedDomainGroup")]
#[serde(rename_all = "camelCase")]
struct DeletedGroupView<'a> {
    /// The group's id.
    group_id: &'a GroupId,
}

/// Deletes a domain group, and returns its id. Its members remain. Returns 404 if the group does not exist.
pub(crate) async fn delete(request: ApiRequest<ApiState>) -> Result<ApiResponse, ApiError> {
    let id: GroupId = request.id("groupId")?;
    let store = request.store();
    store.delete_group(&request.tenant, &id).await?;
    ApiResponse::from_fields(&DeleteGroupResponse {
        data: DeletedGroupView { group_id: &id },
    })
}
