//! Fields of prompts that several requests have.

use domain::limits::{MAX_PROMPT_CHARS, MAX_TAGS_PER_PROMPT};
use serde_json::{Value, json};

use crate::components::titled;
use crate::request_schemas::{array, geolocation, id, language, multi_line, object, optional, required};

/// Returns the schema of a prompt's text.
pub(crate) fn question() -> Value {
    multi_line(
        MAX_PROMPT_CHARS,
        "The question, which is sent to the models unchanged",
    )
}

/// Returns the schema of a prompt: its text, or an object with the text, and a language, a geolocation and tags of its own.
pub(crate) fn question_or_object() -> Value {
    let own = [
        required("prompt", question()),
        optional("language", language("The prompt's own language.")),
        optional("geolocation", geolocation("The prompt's own geolocation.")),
        optional("tags", tags()).extension(),
    ];
    json!({"oneOf": [question(), titled("NewPrompt", object(own))]})
}

/// Returns the schema of a prompt's tags. The limit applies to distinct tags, so the schema has no `maxItems`.
pub(crate) fn tags() -> Value {
    array(
        id("The id of a tag from GET /tags"),
        &format!("All tags of the prompt, at most {MAX_TAGS_PER_PROMPT} different ones"),
    )
}
