//! Fields of entities that several requests have.

use domain::limits::MAX_TARGET_CHARS;
use serde_json::{Value, json};

use crate::request_schemas::{array, extend, single_line, uuid};

/// Returns the schema of a domain or a URL.
pub(super) fn target(description: &str) -> Value {
    single_line(MAX_TARGET_CHARS, description)
}

/// Returns the schema of the models that are asked.
pub(super) fn models() -> Value {
    let models = array(
        uuid("The `uuid` of a model from GET /models"),
        "The models that are asked",
    );
    extend(models, json!({"minItems": 1}))
}
