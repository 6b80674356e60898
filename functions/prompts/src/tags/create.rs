//! `POST /tags`

use analysis::State;
use api::{ApiError, Call, Reply};
use domain::tag::{Tag, TagName};
use serde::Serialize;

use super::{TagView, refusal};

#[derive(Serialize)]
struct Created<'a> {
    data: TagView<'a>,
}

pub(crate) async fn create(call: Call<State>) -> Result<Reply, ApiError> {
    let name = TagName::parse("name", call.body()?.required_text("name")?)?;
    let answer = |tag: &Tag| Reply::of(&Created { data: tag.into() });
    let store = &call.state.app.store;
    let tag = store
        .create_tag(&call.tenant, &name, &call.once(&answer))
        .await?
        .map_err(refusal)?;
    answer(&tag)
}
