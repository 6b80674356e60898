//! Query parameters.

use domain::limits::{DEFAULT_PAGE_LIMIT, MAX_IDEMPOTENCY_KEY_CHARS, MAX_PAGE_LIMIT, MAX_RANGE_DAYS};
use domain::period::PERIODS;
use serde_json::{Map, Value, json};

use crate::examples::{ENTITY, MODEL, PROMPT_1, TAG};
use crate::schema::with;

/// The shared filters, by the names of their components.
pub(crate) fn components() -> Map<String, Value> {
    let periods = PERIODS.map(|(name, _)| name);
    let range = format!("both ends count, at most {MAX_RANGE_DAYS} days");
    let all = [
        ("EntityId", required("entityId", text("The entity's id"), ENTITY)),
        (
            "Period",
            optional(
                "period",
                json!({"type": "string", "enum": periods, "default": "30d"}),
                "The UTC days up to today; `startDate` or `endDate` replaces it",
            ),
        ),
        (
            "StartDate",
            optional(
                "startDate",
                date(),
                &format!("The first UTC day, {range}; without it the range begins 29 days before its end"),
            ),
        ),
        (
            "EndDate",
            optional(
                "endDate",
                date(),
                &format!("The last UTC day, {range}; without it the range ends today"),
            ),
        ),
        (
            "Models",
            several("models", "Only responses of these models, by uuid", MODEL),
        ),
        (
            "Tags",
            several(
                "tags",
                "Only responses to prompts that carry one of these tags, by id",
                TAG,
            ),
        ),
        (
            "PromptIds",
            several("promptIds", "Only responses to these prompts, by id", PROMPT_1),
        ),
        (
            "Limit",
            optional(
                "limit",
                json!({"type": "integer", "minimum": 1, "maximum": MAX_PAGE_LIMIT,
                "default": DEFAULT_PAGE_LIMIT}),
                "Rows per page",
            ),
        ),
        (
            "Offset",
            optional(
                "offset",
                json!({"type": "integer", "minimum": 0, "maximum": (1_u64 << 53) - 1, "default": 0}),
                "Rows to skip",
            ),
        ),
        (
            "Union",
            optional(
                "union",
                json!({"type": "boolean", "default": true}),
                "`false`: this tracking's own responses alone, also where it is in a domain group of \
                 several trackings",
            ),
        ),
        ("IdempotencyKey", idempotency_key()),
    ];
    all.into_iter()
        .map(|(name, parameter)| (name.to_owned(), parameter))
        .collect()
}

/// A shared filter that the contract gives the endpoint.
pub(crate) fn shared(component: &str) -> Value {
    json!({"$ref": format!("#/components/parameters/{component}")})
}

/// A shared filter that the endpoint takes beyond the contract.
pub(crate) fn extra(component: &str) -> Value {
    // A reference cannot say so of one endpoint.
    let mut parameter = components().remove(component).unwrap_or_default();
    parameter["x-extension"] = true.into();
    parameter
}

fn text(description: &str) -> Value {
    json!({"type": "string", "minLength": 1, "description": description})
}

fn date() -> Value {
    json!({"anyOf": [{"type": "string", "format": "date"}, {"type": "string", "format": "date-time"}]})
}

/// A parameter that must be there, with an example.
pub(crate) fn required(name: &str, mut schema: Value, example: &str) -> Value {
    let description = schema
        .as_object_mut()
        .and_then(|schema| schema.remove("description"));
    json!({
        "name": name, "in": "query", "required": true, "description": description,
        "schema": schema, "example": example,
    })
}

pub(crate) fn optional(name: &str, schema: Value, description: &str) -> Value {
    let mut parameter = json!({"name": name, "in": "query", "description": description});
    parameter["schema"] = schema;
    parameter
}

/// A list whose values are separated by commas. What matches nothing, in whatever form, matches nothing.
fn several(name: &str, description: &str, example: &str) -> Value {
    let items = json!({"type": "array", "items": {"type": "string"}});
    let more = json!({"style": "form", "explode": false, "example": [example]});
    let description = format!("{description}, separated by commas; any of them counts");
    with(optional(name, items, &description), more)
}

fn idempotency_key() -> Value {
    json!({
        "name": "Idempotency-Key", "in": "header", "x-extension": true,
        "description": "The same key and body within 24 hours get the first answer and change nothing; \
                        the same key with another body is 409. Only successes are recorded",
        "schema": {"type": "string", "minLength": 1, "maxLength": MAX_IDEMPOTENCY_KEY_CHARS},
    })
}
