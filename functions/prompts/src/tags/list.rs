//! `GET /tags`

use api::{ApiError, App, Call, Reply};
use serde::Serialize;

use super::TagView;

#[derive(Serialize)]
struct Listed<'a> {
    data: Vec<TagView<'a>>,
    count: usize,
}

pub(crate) async fn list(call: Call<App>) -> Result<Reply, ApiError> {
    let tags = call.state.store.tags(&call.tenant).await?;
    Reply::of(&Listed {
        data: tags.iter().map(TagView::from).collect(),
        count: tags.len(),
    })
}
