//! `GET /entities/check-domain`: whether a domain is tracked in the workspace already.

use api::{ApiError, Call, Reply};
use domain::id::EntityId;
use domain::target::Target;
use serde::Serialize;

use crate::State;

#[derive(Serialize)]
struct Checked<'a> {
    data: Availability<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Availability<'a> {
    /// The target that an entity would get.
    domain: &'a str,
    available: bool,
    reason: &'static str,
    entity_id: Option<EntityId>,
}

pub(crate) async fn check_domain(call: Call<State>) -> Result<Reply, ApiError> {
    let target = Target::parse_domain("domain", call.required("domain")?)?;
    let entity_id = call.state.app.store.tracking_of(&call.tenant, &target).await?;
    Reply::of(&Checked {
        data: Availability {
            domain: target.as_str(),
            available: entity_id.is_none(),
            reason: match entity_id {
                Some(_) => "already_in_workspace",
                None => "not_tracked",
            },
            entity_id,
        },
    })
}
