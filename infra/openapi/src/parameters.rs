//! Query parameters and headers.

use domain::limits::{
    DEFAULT_PAGE_LIMIT, MAX_IDEMPOTENCY_KEY_CHARS, MAX_PAGE_LIMIT, MAX_RANGE_DAYS, MAX_TABLE_ROWS,
};
use domain::period::PERIODS;
use serde_json::{Map, Value, json};

use crate::components::titled;
use crate::examples::{ENTITY, MODEL, PROMPT_1, TAG};
use crate::messages;
use crate::request_schemas::{extend, non_empty_string};

/// The component names of the parameters that select the responses that a figure counts.
pub(crate) const FILTERS: [&str; 8] = [
    "EntityId",
    "Period",
    "StartDate",
    "EndDate",
    "Models",
    "Tags",
    "PromptIds",
    "Union",
];

/// Returns the parameters that several operations share, by the names of their components.
pub(crate) fn components() -> Map<String, Value> {
    [
        (
            "EntityId",
            required("entityId", non_empty_string("The entity's id"), ENTITY),
        ),
        ("Period", period()),
        ("StartDate", start_date()),
        ("EndDate", end_date()),
        (
            "Models",
            array(
                "models",
                "Only responses of these models, by `uuid` from `GET /models`. A model that is no longer listed is taken where its \
                 answers are recorded, and any other value is refused",
                MODEL,
            ),
        ),
        (
            "Tags",
            array(
                "tags",
                "Only responses to prompts that have one of these tags, by id",
                TAG,
            ),
        ),
        (
            "PromptIds",
            array("promptIds", "Only responses to these prompts, by id", PROMPT_1),
        ),
        ("Limit", limit()),
        ("Offset", offset()),
        ("Format", format()),
        ("Union", union()),
        ("IdempotencyKey", idempotency_key()),
    ]
    .into_iter()
    .chain(messages::parameters())
    .map(|(name, parameter)| (name.to_owned(), parameter))
    .collect()
}

/// Returns a reference to the component of a parameter.
pub(crate) fn reference(component: &str) -> Value {
    json!({"$ref": format!("#/components/parameters/{component}")})
}

/// Returns a copy of a component's parameter that is marked as not in the contract. A reference cannot be marked for a
/// single operation.
pub(crate) fn extension(component: &str) -> Value {
    let mut parameter = components().remove(component).unwrap_or_default();
    parameter["x-extension"] = true.into();
    parameter
}

/// Returns the filters of an operation in the contract. `union` and the given `extensions` are not in the contract.
pub(crate) fn filters(extensions: &[&str]) -> [Value; 8] {
    FILTERS.map(|name| match name {
        "Union" => extension(name),
        name if extensions.contains(&name) => extension(name),
        name => reference(name),
    })
}

/// Returns the parameters `limit` and `offset`.
pub(crate) fn page() -> [Value; 2] {
    ["Limit", "Offset"].map(reference)
}

/// Returns the parameters `limit` and `offset` of a listing that has no pages without them.
pub(crate) fn page_if_limited() -> [Value; 2] {
    let (mut limit, mut offset) = (extension("Limit"), extension("Offset"));
    if let Some(schema) = limit["schema"].as_object_mut() {
        schema.remove("default");
    }
    limit["description"] = "The number of rows per page. Without it, all rows are listed.".into();
    offset["description"] = "The number of rows to skip. Only together with `limit`.".into();
    [limit, offset]
}

/// Returns a parameter that must be given.
pub(crate) fn required(name: &str, mut schema: Value, example: &str) -> Value {
    let description = schema
        .as_object_mut()
        .and_then(|schema| schema.remove("description"));
    json!({
        "name": name, "in": "query", "required": true, "description": description,
        "schema": schema, "example": example,
    })
}

/// Returns a parameter that can be left out.
pub(crate) fn optional(name: &str, schema: Value, description: &str) -> Value {
    let mut parameter = json!({"name": name, "in": "query", "description": description});
    parameter["schema"] = schema;
    parameter
}

/// Returns a parameter with a comma-separated list. A value of any form is accepted. An unknown value matches nothing.
fn array(name: &str, description: &str, example: &str) -> Value {
    let schema = json!({"type": "array", "items": {"type": "string"}});
    let description =
        format!("{description}. The values are separated by commas. A response must match one of them.");
    extend(
        optional(name, schema, &description),
        json!({"style": "form", "explode": false, "example": [example]}),
    )
}

/// Returns the schema of a day or a timestamp.
pub(crate) fn date() -> Value {
    json!({"anyOf": [{"type": "string", "format": "date"}, {"type": "string", "format": "date-time"}]})
}

fn period() -> Value {
    let periods = PERIODS.map(|(name, _)| name);
    optional(
        "period",
        titled(
            "Period",
            json!({"type": "string", "enum": periods, "default": "30d"}),
        ),
        "The last UTC days up to today. `startDate` or `endDate` replaces it.",
    )
}

fn start_date() -> Value {
    let description = format!(
        "The first UTC day. A range includes both ends and has at most {MAX_RANGE_DAYS} days. Without `startDate` \
         it begins 29 days before its end."
    );
    optional("startDate", date(), &description)
}

fn end_date() -> Value {
    let description = format!(
        "The last UTC day. A range includes both ends and has at most {MAX_RANGE_DAYS} days. Without `endDate` it \
         ends today."
    );
    optional("endDate", date(), &description)
}

fn limit() -> Value {
    let schema =
        json!({"type": "integer", "minimum": 1, "maximum": MAX_PAGE_LIMIT, "default": DEFAULT_PAGE_LIMIT});
    let description = format!(
        "The number of rows per page. A CSV table can have {MAX_TABLE_ROWS}, and has all without `limit`."
    );
    optional("limit", schema, &description)
}

fn offset() -> Value {
    let schema = json!({"type": "integer", "minimum": 0, "maximum": (1_u64 << 53) - 1, "default": 0});
    optional("offset", schema, "The number of rows to skip")
}

fn format() -> Value {
    let schema = titled("Format", json!({"type": "string", "enum": ["json", "csv"]}));
    let mut parameter = optional(
        "format",
        schema,
        "The format of the response. Without it, `Accept` decides between JSON and a CSV table, and JSON is the default.",
    );
    parameter["x-extension"] = true.into();
    parameter
}

fn union() -> Value {
    optional(
        "union",
        json!({"type": "boolean", "default": true}),
        "If `false`, only this tracking's own responses count, even if it is in a domain group of several trackings.",
    )
}

fn idempotency_key() -> Value {
    json!({
        "name": "Idempotency-Key", "in": "header", "x-extension": true,
        "description": "Makes retries safe for 24 hours. A request with the same key and body gets the first response \
                        and changes nothing, without the secret of a webhook. The same key with another body is 409. Only successes \
                        are recorded.",
        "schema": {"type": "string", "minLength": 1, "maxLength": MAX_IDEMPOTENCY_KEY_CHARS},
    })
}
