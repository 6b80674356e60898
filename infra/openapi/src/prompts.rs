//! Describes the operations of `/entities/prompts`, `/entities/addprompt` and `/entities/updateprompt`.

use ::prompts::add::{AddPromptResponse, AddPromptsResponse};
use ::prompts::delete::DeletePromptResponse;
use ::prompts::list::ListPromptsResponse;
use ::prompts::update::{UpdatePromptResponse, UpdatePromptsResponse};
use domain::limits::{MAX_PROMPT_BYTES_PER_REQUEST, MAX_PROMPTS_PER_REQUEST, PLAN_PROMPTS};
use serde_json::json;
use store::Refusal;

use crate::examples::{ENTITY, NOW, PROMPT_1, PROMPT_2, prompt};
use crate::operation::{Operation, Tag};

pub(crate) fn tag() -> Tag {
    Tag {
        name: "Prompts",
        description: "The questions that an entity asks the models regularly",
        operations: vec![list(), add(), update(), delete()],
    }
}

fn list() -> Operation {
    let mut listed = prompt();
    listed["stats"] = json!({
        "responses": 60, "mentions": 12, "visibilityScore": 20.0, "interval": [11.83, 31.78],
        "averagePosition": 2.25, "citations": 7,
    });
    Operation::new("listPrompts", "The prompts of an entity with their performance")
    .description(
        "The prompts are listed oldest first, including paused ones. `tags` and `promptIds` select prompts, and \
         `models` selects the responses that count. The stats are of this entity's own responses even if it is in a domain \
         group: `union` changes nothing.",
    )
    .response::<ListPromptsResponse<'_>>(json!({"data": [listed], "countedSince": "2026-10-23"}))
    .error(400, "period must be 7d, 14d or 30d")
    .link("updatePrompt", "promptId", "$response.body#/data/0/id")
    .with("isActive", true)
    .link("deletePrompt", "promptId", "$response.body#/data/0/id")
}

fn add() -> Operation {
    let kib = MAX_PROMPT_BYTES_PER_REQUEST / 1024;
    Operation::new("addPrompt", "Adds a prompt, or several at once")
    .description(format!(
        "The body has either `prompt`, or up to {MAX_PROMPTS_PER_REQUEST} `prompts` with at most {kib} KiB of text. \
         Duplicates, whose text is the same and whose language and geolocation are as well, own or the entity's, are one \
         prompt."
    ))
    .request_body(json!({"entityId": ENTITY, "prompt": "Which running shoes last longest?",
        "language": "en", "geolocation": "us"}))
    .response::<AddPromptResponse<'_>>(json!({"promptId": PROMPT_1}))
    .response::<AddPromptsResponse<'_>>(json!({"promptIds": [PROMPT_1, PROMPT_2], "count": 2}))
    .error(400, "prompt must be 1 to 1000 characters")
    .refusal(Refusal::PromptLimit { limit: PLAN_PROMPTS, free: 7 })
    .link("updatePrompt", "promptId", "$response.body#/promptId")
    .with("isActive", false)
    .link("deletePrompt", "promptId", "$response.body#/promptId")
}

fn update() -> Operation {
    Operation::new("updatePrompt", "Changes a prompt, or up to 100 at once")
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
    .error(404, "Prompt not found: updates[1].promptId")
    .link("deletePrompt", "promptId", "$response.body#/prompt/id")
}

fn delete() -> Operation {
    Operation::new(
        "deletePrompt",
        "Deletes a prompt, but its answers still count in all figures",
    )
    .extension()
    .response::<DeletePromptResponse>(json!({"data": {"promptId": PROMPT_1}}))
}
