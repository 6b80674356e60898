//! `DELETE /domain-groups`: its members stay what they are, each on its own.

use api::{ApiError, ApiRequest, ApiResponse, ApiState, parse_id};
use domain::id::GroupId;
use serde::Serialize;

#[derive(Serialize)]
struct DeleteGroupResponse<'a> {
    data: DeletedGroupView<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DeletedGroupView<'a> {
    group_id: &'a GroupId,
}

pub(crate) async fn delete(request: ApiRequest<ApiState>) -> Result<ApiResponse, ApiError> {
    let id: GroupId = parse_id(request.query.required_text("groupId")?, "Domain group")?;
    let store = &request.state.store;
    store.delete_group(&request.tenant, &id).await?;
    ApiResponse::of(&DeleteGroupResponse {
        data: DeletedGroupView { group_id: &id },
    })
}
