//! `PATCH /domain-groups`

use api::{ApiError, ApiRequest, ApiResponse, ApiState};
use domain::error::InvalidField;
use domain::id::GroupId;
use store::GroupUpdate;

use crate::fields::{parse_members, parse_name, parse_reference};
use crate::view::{GroupResponse, GroupView};

/// Changes the given fields of a domain group, and returns the group. Its scope cannot change.
///
/// Returns 400 if no field is given, 403 if a limit would be exceeded, 404 if the group or a member does not
/// exist, and 409 if a member is in another group.
pub(crate) async fn update(request: ApiRequest<ApiState>) -> Result<ApiResponse, ApiError> {
    let body = request.body()?;
    let group = body.required_text("groupId")?;
    let update = GroupUpdate {
        name: parse_name(&body)?,
        primary: parse_reference(&body, "primaryEntity")?,
        members: parse_members(&body)?,
    };
    if update == GroupUpdate::default() {
        return Err(InvalidField::new("body", "must have name, primaryEntity or entities").into());
    }
    let id: GroupId = request.parse_id(group)?;
    let updated = request
        .store()
        .update_group(&request.tenant, &id, &update)
        .await?;
    ApiResponse::from_fields(&GroupResponse {
        data: GroupView::from(&updated),
        message: "Domain group updated",
    })
}
