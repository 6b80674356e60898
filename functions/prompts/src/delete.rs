//! `DELETE /entities/prompts`

use analysis::State;
use api::{ApiError, Call, Reply, subject};
use domain::id::PromptId;
use serde::Serialize;

use crate::update::refusal;

#[derive(Serialize)]
struct Deleted {
    data: Gone,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Gone {
    prompt_id: PromptId,
}

pub(crate) async fn delete(call: Call<State>) -> Result<Reply, ApiError> {
    let prompt_id: PromptId = subject(call.required("promptId")?, "Prompt")?;
    let store = &call.state.app.store;
    store
        .delete_prompt(&call.tenant, &prompt_id)
        .await?
        .map_err(refusal)?;
    Reply::of(&Deleted {
        data: Gone { prompt_id },
    })
}
