//! Describes `PATCH /entities/updateprompt`.

use ::prompts::update::{UpdatePromptResponse, UpdatePromptsResponse};
use api::Method::Patch;
use domain::limits::MAX_PROMPT_UPDATES_PER_REQUEST;
use serde_json::{Value, json};

use super::fields::{question, tags};
use crate::components::titled;
use crate::examples::{NOW, PROMPT_1, prompt};
use crate::operation::Operation;
use crate::request_schemas::{
    absent, array, at_least_one, boolean, extend, geolocation, id, language, object, optional, required,
};

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
    .request_body(
        json!({"oneOf": [one_update(), several_updates()]}),
        json!({"promptId": PROMPT_1, "isActive": false}),
    )
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

/// Returns the schema of an update, which is the component `name` and changes at least one field. For `language` and `geolocation`, `null` is a value.
fn change(name: &str, more: Option<crate::request_schemas::Property>) -> Value {
    let fields = [
        required("promptId", id("The prompt")),
        optional("prompt", question()),
        optional(
            "language",
            language("The prompt's own language. With `null` it follows the entity's again."),
        ),
        optional(
            "geolocation",
            geolocation("The prompt's own geolocation. With `null` it follows the entity's again."),
        ),
        optional("isActive", boolean("`false` pauses the prompt")),
        optional("tags", tags()).extension(),
    ];
    let not_null = ["prompt", "isActive", "tags"].map(|name| (name, json!({"not": {"type": "null"}})));
    let any = ["language", "geolocation"].map(|name| (name, json!({})));
    let condition = at_least_one(not_null.into_iter().chain(any));
    titled(name, extend(object(fields.into_iter().chain(more)), condition))
}

fn one_update() -> Value {
    change(
        "UpdateOnePromptRequest",
        Some(absent("updates", "Not together with `promptId`")),
    )
}

fn several_updates() -> Value {
    let updates = array(
        change("PromptUpdate", None),
        "The updates, each of a different prompt. Either all of them take effect, or none.",
    );
    let size = json!({"minItems": 1, "maxItems": MAX_PROMPT_UPDATES_PER_REQUEST});
    let others =
        ["promptId", "prompt", "isActive", "tags"].map(|name| absent(name, "Not together with `updates`"));
    let updates = required("updates", extend(updates, size));
    let fields = extend(
        object([updates].into_iter().chain(others)),
        json!({"not": {"anyOf": [{"required": ["language"]}, {"required": ["geolocation"]}]}}),
    );
    titled("UpdateSeveralPromptsRequest", fields)
}
