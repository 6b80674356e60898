//! `GET /entities/prompts`

use api::prompts::PromptView;
use api::{ApiError, App, Call, Reply, subject};
use domain::id::EntityId;
use domain::time::Millis;
use serde::Serialize;

#[derive(Serialize)]
struct Listed<'a> {
    data: Vec<Row<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Row<'a> {
    #[serde(flatten)]
    prompt: PromptView,
    created_at: Millis,
    is_active: bool,
    tags: &'a [String],
}

/// The entity's prompts by creation, paused ones included.
pub(crate) async fn list(call: Call<App>) -> Result<Reply, ApiError> {
    let entity = call.required("entityId")?;
    call.query.range(call.state.clock.now().day())?;
    let id: EntityId = subject(entity, "Entity")?;
    let store = &call.state.store;
    let (entity, prompts) =
        tokio::try_join!(store.entity(&call.tenant, &id), store.prompts(&call.tenant, &id))?;
    let entity = entity.ok_or_else(|| ApiError::not_found("Entity"))?;
    let rows = prompts
        .iter()
        .filter(|prompt| !prompt.is_deleted)
        .map(|prompt| Row {
            prompt: PromptView::new(&entity, prompt),
            created_at: prompt.created_at,
            is_active: prompt.is_active,
            tags: &prompt.tags,
        });
    Reply::of(&Listed { data: rows.collect() })
}
