//! What requests take.

use api::prompts::{PROMPT_TEXT, PROMPTS, TAGS};
use api::{Body, Input, Kind, List, Resource};
use domain::limits::{MAX_PROMPT_CHARS, MAX_PROMPT_UPDATES_PER_REQUEST};

/// The body of `POST /entities/addprompt`.
pub(crate) const ADD: Body = Body::OneOf(&[
    ("AddOnePromptRequest", &[
        ENTITY_ID,
        Input::required("prompt", Kind::Text(MAX_PROMPT_CHARS), PROMPT_TEXT),
        Input::optional("prompts", Kind::Never, "Not together with `prompt`"),
        NEW_LANGUAGE, NEW_GEOLOCATION, TAGS,
    ]),
    ("AddSeveralPromptsRequest", &[
        ENTITY_ID,
        Input::optional("prompt", Kind::Never, "Not together with `prompts`"),
        Input::required("prompts", Kind::List(&List { least: 1, ..PROMPTS }),
            "The prompts. The request's own fields apply to prompts that do not have them.").extension(),
        NEW_LANGUAGE, NEW_GEOLOCATION, TAGS,
    ]),
]);
const ENTITY_ID: Input = Input::id("entityId", Resource::Entity, "The entity");
const NEW_LANGUAGE: Input = Input::optional("language", Kind::Language, "The prompt's language. Without one it follows the entity's.");
const NEW_GEOLOCATION: Input =
    Input::optional("geolocation", Kind::Geolocation, "The prompt's geolocation. Without one it follows the entity's.");

/// The body of `PATCH /entities/updateprompt`.
pub(crate) const UPDATE: Body = Body::OneOf(&[
    ("UpdateOnePromptRequest", &[
        PROMPT_ID, PROMPT, LANGUAGE, GEOLOCATION, IS_ACTIVE, TAGS, UPDATES.never("Not together with `promptId`"),
    ]),
    ("UpdateSeveralPromptsRequest", &[
        Input { is_required: true, ..UPDATES },
        PROMPT_ID.never(BESIDE_UPDATES), PROMPT.never(BESIDE_UPDATES), LANGUAGE.never(BESIDE_UPDATES),
        GEOLOCATION.never(BESIDE_UPDATES), IS_ACTIVE.never(BESIDE_UPDATES), TAGS.never(BESIDE_UPDATES),
    ]),
]);
const BESIDE_UPDATES: &str = "Not together with `updates`";
const PROMPT_ID: Input = Input::id("promptId", Resource::Prompt, "The prompt");
const PROMPT: Input = Input::optional("prompt", Kind::Text(MAX_PROMPT_CHARS), PROMPT_TEXT);
const LANGUAGE: Input = Input::optional("language", Kind::Language,
    "The prompt's own language. With `null` it follows the entity's again.").or_null();
const GEOLOCATION: Input = Input::optional("geolocation", Kind::Geolocation,
    "The prompt's own geolocation. With `null` it follows the entity's again.").or_null();
const IS_ACTIVE: Input = Input::optional("isActive", Kind::Flag, "`false` pauses the prompt");
const UPDATES: Input = Input::optional("updates",
    Kind::List(&List {
        least: 1, most: MAX_PROMPT_UPDATES_PER_REQUEST,
        ..List::of(Kind::Object("PromptUpdate", &[PROMPT_ID, PROMPT, LANGUAGE, GEOLOCATION, IS_ACTIVE, TAGS]), "")
    }),
    "The updates, each of a different prompt. Either all of them take effect, or none.");
