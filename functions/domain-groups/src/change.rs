//! `PATCH /domain-groups`: only what is given changes. The scope is fixed.

use api::{ApiError, App, Call, Reply, subject};
use domain::error::InvalidField;
use domain::id::GroupId;
use store::GroupUpdate;

use crate::read::{entities, name, reference};
use crate::refusal::refusal;
use crate::view::{GroupView, Written};

pub(crate) async fn change(call: Call<App>) -> Result<Reply, ApiError> {
    let body = call.body()?;
    let group = body.required_text("groupId")?;
    let change = GroupUpdate {
        name: name(&body)?,
        primary: reference(&body, "primaryEntity")?,
        members: entities(&body)?,
    };
    if change == GroupUpdate::default() {
        return Err(InvalidField::new("body", "must have name, primaryEntity or entities").into());
    }
    let id: GroupId = subject(group, "Domain group")?;
    let changed = call
        .state
        .store
        .update_group(&call.tenant, &id, &change)
        .await?
        .map_err(refusal)?;
    Reply::of(&Written {
        data: GroupView::from(&changed),
        message: "Domain group updated",
    })
}
