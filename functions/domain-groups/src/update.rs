//! `PATCH /domain-groups`: only what is given changes. The scope is fixed.

use api::{ApiError, ApiRequest, ApiResponse, ApiState, parse_id};
use domain::error::InvalidField;
use domain::id::GroupId;
use store::GroupUpdate;

use crate::read::{entities, name, reference};
use crate::view::{GroupResponse, GroupView};

pub(crate) async fn update(request: ApiRequest<ApiState>) -> Result<ApiResponse, ApiError> {
    let body = request.body()?;
    let group = body.required_text("groupId")?;
    let change = GroupUpdate {
        name: name(&body)?,
        primary: reference(&body, "primaryEntity")?,
        members: entities(&body)?,
    };
    if change == GroupUpdate::default() {
        return Err(InvalidField::new("body", "must have name, primaryEntity or entities").into());
    }
    let id: GroupId = parse_id(group, "Domain group")?;
    let changed = request
        .state
        .store
        .update_group(&request.tenant, &id, &change)
        .await?;
    ApiResponse::of(&GroupResponse {
        data: GroupView::from(&changed),
        message: "Domain group updated",
    })
}
