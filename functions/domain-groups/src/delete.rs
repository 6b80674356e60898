//! `DELETE /domain-groups`: its members stay what they are, each on its own.

use api::{ApiError, App, Call, Reply, subject};
use domain::id::GroupId;
use serde::Serialize;

use crate::refusal::refusal;

#[derive(Serialize)]
struct Deleted<'a> {
    data: Group<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Group<'a> {
    group_id: &'a GroupId,
}

pub(crate) async fn delete(call: Call<App>) -> Result<Reply, ApiError> {
    let id: GroupId = subject(call.required("groupId")?, "Domain group")?;
    let store = &call.state.store;
    store.delete_group(&call.tenant, &id).await?.map_err(refusal)?;
    Reply::of(&Deleted {
        data: Group { group_id: &id },
    })
}
