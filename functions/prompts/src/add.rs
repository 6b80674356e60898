//! `POST /entities/addprompt`: one prompt, or up to 90 at once.

use analysis::State;
use api::prompts::{Defaults, prompts, text};
use api::{ApiError, Call, Reply, subject};
use domain::error::InvalidField;
use domain::id::{EntityId, PromptId};
use domain::prompt::Prompt;
use serde::Serialize;
use store::AddPromptsError;

use crate::tags::known_tags;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AddedOne<'a> {
    prompt_id: &'a PromptId,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AddedSome<'a> {
    prompt_ids: &'a [PromptId],
    count: usize,
}

pub(crate) async fn add(call: Call<State>) -> Result<Reply, ApiError> {
    let body = call.body()?;
    let entity = body.required_text("entityId")?;
    let single = body.text("prompt")?.is_some();
    let tags = known_tags(&call, &body).await?;
    // What the request says for all counts where a prompt says nothing of its own.
    let defaults = Defaults::of(&body, &tags)?;
    let new = match (single, prompts(&body, &defaults)?) {
        (true, Some(_)) => {
            return Err(InvalidField::new("prompts", "must not be given together with prompt").into());
        }
        (_, None) => vec![defaults.prompt(text(&body)?)],
        (false, Some(new)) if new.is_empty() => {
            return Err(InvalidField::new("prompts", "must have at least one prompt").into());
        }
        (false, Some(new)) => new,
    };
    let entity: EntityId = subject(entity, "Entity")?;
    let answer = |added: &Vec<Prompt>| reply(&entity, added, single);
    let added = call
        .state
        .app
        .store
        .add_prompts(&call.tenant, &entity, &new, &call.once(&answer))
        .await?
        .map_err(|refused| refusal(&refused))?;
    answer(&added)
}

fn reply(entity: &EntityId, added: &[Prompt], single: bool) -> Result<Reply, ApiError> {
    let id = |prompt: &Prompt| PromptId {
        entity: entity.clone(),
        ordinal: prompt.ordinal,
    };
    let ids: Vec<PromptId> = added.iter().map(id).collect();
    match ids.as_slice() {
        [prompt_id] if single => Reply::of(&AddedOne { prompt_id }),
        prompt_ids => Reply::of(&AddedSome {
            prompt_ids,
            count: prompt_ids.len(),
        }),
    }
}

fn refusal(refused: &AddPromptsError) -> ApiError {
    match refused {
        AddPromptsError::UnknownEntity => ApiError::not_found("Entity"),
        AddPromptsError::Canceled => ApiError::canceled(),
        AddPromptsError::PromptLimit { limit, free } => ApiError::forbidden(format!(
            "The workspace's limit of {limit} prompts would be exceeded: {free} are free"
        )),
    }
}
