//! `PATCH /entities/updateprompt`: one prompt, or up to 100 at once, all or none.

use analysis::State;
use api::{ApiError, Call, Reply};
use serde::Serialize;
use store::PromptError;

use crate::change::read;
use crate::tags::known_tags;
use crate::view::{DatedPrompt, PromptRow};

#[derive(Serialize)]
struct UpdatedOne {
    prompt: DatedPrompt,
}

#[derive(Serialize)]
struct UpdatedSome<'a> {
    prompts: Vec<PromptRow<'a>>,
    count: usize,
}

pub(crate) async fn update(call: Call<State>) -> Result<Reply, ApiError> {
    let body = call.body()?;
    let wanted = read(&body, &known_tags(&call, &body).await?)?;
    let changed = call
        .state
        .app
        .store
        .update_prompts(&call.tenant, &wanted.updates)
        .await?
        .map_err(refusal)?;
    match changed.as_slice() {
        [one] if wanted.is_single => Reply::of(&UpdatedOne {
            prompt: DatedPrompt::new(&one.entity, &one.prompt),
        }),
        some => Reply::of(&UpdatedSome {
            prompts: some
                .iter()
                .map(|p| PromptRow::new(&p.entity, &p.prompt))
                .collect(),
            count: some.len(),
        }),
    }
}

pub(crate) fn refusal(refused: PromptError) -> ApiError {
    match refused {
        PromptError::UnknownPrompt => ApiError::not_found("Prompt"),
        PromptError::Canceled => ApiError::canceled(),
    }
}
