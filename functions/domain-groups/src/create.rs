//! `POST /domain-groups`

use api::{ApiError, App, Call, Reply};
use domain::error::InvalidField;
use domain::group::{Reference, ShownGroup};
use store::NewGroup;

use crate::read::{entities, name, reference};
use crate::refusal::refusal;
use crate::view::{GroupView, Written};

pub(crate) async fn create(call: Call<App>) -> Result<Reply, ApiError> {
    let body = call.body()?;
    let new = NewGroup {
        name: name(&body)?,
        primary: Reference::read(body.required_text("primaryEntity")?),
        members: entities(&body)?.ok_or_else(|| InvalidField::new("entities", "is required"))?,
        scope: reference(&body, "entityId")?,
    };
    let answer = |created: &ShownGroup| {
        Reply::of(&Written {
            data: GroupView::from(created),
            message: "Domain group created",
        })
    };
    let store = &call.state.store;
    let created = store
        .create_group(&call.tenant, &new, &call.once(&answer))
        .await?
        .map_err(refusal)?;
    answer(&created)
}
