//! `DELETE /tags`

use analysis::State;
use api::{ApiError, Call, Reply, subject};
use domain::id::TagId;
use serde::Serialize;

use super::refusal;

#[derive(Serialize)]
struct Deleted {
    data: Gone,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Gone {
    tag_id: TagId,
}

pub(crate) async fn delete(call: Call<State>) -> Result<Reply, ApiError> {
    let tag_id: TagId = subject(call.required("tagId")?, "Tag")?;
    let store = &call.state.app.store;
    store.delete_tag(&call.tenant, &tag_id).await?.map_err(refusal)?;
    Reply::of(&Deleted {
        data: Gone { tag_id },
    })
}
