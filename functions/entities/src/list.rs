//! `GET /entities`

use api::{ApiError, Call, Reply};
use serde::Serialize;

use crate::State;
use crate::view::EntityView;

#[derive(Serialize)]
struct Listed<'a> {
    data: Vec<EntityView<'a>>,
    count: usize,
}

/// The workspace's entities, oldest first.
pub(crate) async fn list(call: Call<State>) -> Result<Reply, ApiError> {
    let entities = call.state.app.store.entities(&call.tenant).await?;
    Reply::of(&Listed {
        data: entities.iter().map(EntityView::from).collect(),
        count: entities.len(),
    })
}
