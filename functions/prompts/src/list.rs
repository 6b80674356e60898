//! `GET /entities/prompts`

use api::{ApiError, App, Call, Reply, subject};
use domain::id::{EntityId, PromptId};
use domain::prompt::Prompt;
use serde::Serialize;

use crate::view::PromptRow;

#[derive(Serialize)]
struct Listed<'a> {
    data: Vec<PromptRow<'a>>,
}

/// The entity's prompts by creation, paused ones included; `promptIds` and `tags` choose among them.
pub(crate) async fn list(call: Call<App>) -> Result<Reply, ApiError> {
    let entity = call.required("entityId")?;
    call.query.range(call.state.clock.now().day())?;
    let (ids, tags) = (call.query.list("promptIds"), call.query.list("tags"));
    let id: EntityId = subject(entity, "Entity")?;
    let store = &call.state.store;
    let (entity, prompts) = tokio::try_join!(
        store.entity(&call.tenant, &id),
        store.tagged_prompts(&call.tenant, &id)
    )?;
    let entity = entity.ok_or_else(|| ApiError::not_found("Entity"))?;
    let is_wanted = |prompt: &&Prompt| {
        let id = PromptId {
            entity: id.clone(),
            ordinal: prompt.ordinal,
        }
        .to_string();
        !prompt.is_deleted
            && ids.as_ref().is_none_or(|ids| ids.contains(&id.as_str()))
            && tags
                .as_ref()
                .is_none_or(|tags| prompt.tags.iter().any(|tag| tags.contains(&tag.as_str())))
    };
    let prompts = prompts.iter().filter(is_wanted);
    Reply::of(&Listed {
        data: prompts.map(|prompt| PromptRow::new(&entity, prompt)).collect(),
    })
}
