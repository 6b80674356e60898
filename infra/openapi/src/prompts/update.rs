//! Describes `PATCH /entities/updateprompt`.

use ::prompts::update::{UpdatePromptResponse, UpdatePromptsResponse};
use api::Method::Patch;
use serde_json::json;

use crate::examples::{NOW, PROMPT_1, prompt};
use crate::operation::Operation;

pub(super) fn update() -> Operation {
    Operation::new(
        Patch,
        "/entities/updateprompt",
        "updatePrompt",
        "Changes a prompt, or up to 100 at once",
    )
    .description(
        "The body has either `promptId` and the changes of one prompt, or the `updates` of several prompts. An update \
         changes at least one field.",
    )
    .request_body(json!({"promptId": PROMPT_1, "isActive": false}))
    .response::<UpdatePromptResponse>(json!({"prompt": {
        "id": PROMPT_1, "prompt": "What is the best trail running shoe?", "language": "en",
        "geolocation": "us", "createdAt": NOW,
    }}))
    .response::<UpdatePromptsResponse<'_>>(json!({"prompts": [prompt()], "count": 1}))
    .error(
        400,
        "body must have at least one of prompt, language, geolocation, isActive, tags",
    )
    .error(404, "Prompt not found")
    .error(404, "Prompt not found: updates[1].promptId")
    .link("deletePrompt", json!({"promptId": "$response.body#/prompt/id"}))
}
