//! `PATCH /entities/updateprompt`.

use api::Method::Patch;
use domain::limits::MAX_PROMPT_UPDATES_PER_REQUEST;
use serde_json::{Value, json};

use crate::examples::{NOW, PROMPT_1};
use crate::locale::{given_geolocation, given_language};
use crate::operation::Operation;
use crate::prompts::{created_at, example, given_text, plain, tags};
use crate::schema::{count, field, flag, given_id, list, object, optional, reference, some_of, with};

/// The fields of a change; at least one of them must be given, and `null` says something where it clears an override.
fn change() -> Value {
    let fields = object([
        field("promptId", given_id("The prompt")),
        optional("prompt", given_text()),
        optional("language", given_language("`null`: it follows the entity again")),
        optional(
            "geolocation",
            given_geolocation("`null`: it follows the entity again"),
        ),
        optional("isActive", flag("`false` pauses it")),
        optional("tags", tags()).extension(),
    ]);
    let mut some = some_of(&["prompt", "isActive", "tags"]);
    if let Some(forms) = some["anyOf"].as_array_mut() {
        forms.extend(["language", "geolocation"].map(|name| json!({"required": [name]})));
    }
    with(fields, some)
}

pub(crate) fn update() -> Operation {
    let mut single = change();
    single["properties"]["updates"] = json!({"type": "null", "description": "Not in this form"});
    let updates = list(
        change(),
        "The changes, each of another prompt: all are made, or none",
    );
    let updates = with(
        updates,
        json!({"minItems": 1, "maxItems": MAX_PROMPT_UPDATES_PER_REQUEST}),
    );
    let mut batch = object([field("updates", updates)]);
    for name in ["promptId", "prompt", "isActive", "tags"] {
        batch["properties"][name] = json!({"type": "null", "description": "Not in this form"});
    }
    batch["not"] = json!({"anyOf": [{"required": ["language"]}, {"required": ["geolocation"]}]});
    let changed = object(plain().into_iter().chain([created_at()]));
    Operation::new(
        Patch,
        "/entities/updateprompt",
        "updatePrompt",
        "Changes a prompt, or up to 100 at once",
    )
    .description("One with `promptId`, or several with `updates`. An update changes at least one field.")
    .request_body(
        json!({"oneOf": [single, batch]}),
        json!({"promptId": PROMPT_1, "isActive": false}),
    )
    .response_fields(
        [field("prompt", changed)],
        json!({"prompt": {
            "id": PROMPT_1, "prompt": "What is the best trail running shoe?", "language": "en",
            "geolocation": "us",
            "createdAt": NOW,
        }}),
    )
    .response_fields(
        [
            field(
                "prompts",
                list(
                    reference("ChangedPrompt"),
                    "The prompts, in the order of the updates",
                ),
            ),
            field("count", count("How many they are")),
        ],
        json!({"prompts": [example(PROMPT_1, "What is the best trail running shoe?")], "count": 1}),
    )
    .error(
        400,
        "body must have at least one of prompt, language, geolocation, isActive, tags",
    )
    .error(404, "Prompt not found")
    .link("deletePrompt", json!({"promptId": "$response.body#/prompt/id"}))
}
