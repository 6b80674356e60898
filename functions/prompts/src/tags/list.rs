//! `GET /tags`

use analysis::State;
use api::{ApiError, Call, Reply};
use serde::Serialize;

use super::TagView;

#[derive(Serialize)]
struct Listed<'a> {
    data: Vec<TagView<'a>>,
    count: usize,
}

pub(crate) async fn list(call: Call<State>) -> Result<Reply, ApiError> {
    let tags = call.state.app.store.tags(&call.tenant).await?;
    Reply::of(&Listed {
        data: tags.iter().map(TagView::from).collect(),
        count: tags.len(),
    })
}
