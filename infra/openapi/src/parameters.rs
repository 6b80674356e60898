//! Query parameters and headers.

use api::parameters::SHARED;
use api::{Input, Kind, Resource};
use domain::limits::MAX_IDEMPOTENCY_KEY_CHARS;
use serde_json::{Map, Value, json};

use crate::components::pascal_case;
use crate::examples::{ENTITY, GROUP, MODEL, PROMPT_1, RESPONSE, RIVAL, TAG, WEBHOOK};
use crate::messages;
use crate::request_schemas::{non_empty_string, value};

/// Returns the parameters that several operations share, by the names of their components.
pub(crate) fn components() -> Map<String, Value> {
    SHARED
        .iter()
        .map(|input| (pascal_case(input.name), described(input)))
        .chain([("IdempotencyKey".to_owned(), idempotency_key())])
        .chain(messages::parameters().map(|(name, parameter)| (name.to_owned(), parameter)))
        .collect()
}

/// Returns a query parameter: a reference to its component if it is the shared one, which cannot be marked
/// for a single operation.
pub(crate) fn parameter(input: &Input) -> Value {
    if SHARED.contains(input) {
        json!({"$ref": format!("#/components/parameters/{}", pascal_case(input.name))})
    } else {
        described(input)
    }
}

fn described(input: &Input) -> Value {
    let mut parameter = json!({"name": input.name, "in": "query"});
    if input.is_required {
        parameter["required"] = true.into();
    }
    parameter["description"] = input.description.into();
    parameter["schema"] = schema(input);
    if let Kind::Filter(_) | Kind::Models = input.kind {
        let more = "The values are separated by commas. A response must match one of them.";
        parameter["description"] = format!("{}. {more}", input.description).into();
    }
    if let Kind::Filter(_) | Kind::Models | Kind::Metrics(_) = input.kind {
        parameter["style"] = "form".into();
        parameter["explode"] = false.into();
    }
    match (input.kind, example(input.kind)) {
        (Kind::Filter(_) | Kind::Models, Some(example)) => parameter["example"] = json!([example]),
        (_, Some(example)) if input.is_required => parameter["example"] = example.into(),
        _ => {}
    }
    if input.is_extension {
        parameter["x-extension"] = true.into();
    }
    parameter
}

/// Returns the schema of a parameter's value, with its default. It is described where the parameter's
/// description tells what is selected, and not what the value is.
fn schema(input: &Input) -> Value {
    let of_optional = match input.kind {
        Kind::Subject(Resource::Entity) => "The id of an entity",
        Kind::Subject(_) => "The id of a group",
        Kind::Word(..) => "One status",
        _ => "",
    };
    let mut schema = value(input.kind, of_optional);
    if let Kind::Subject(of) = input.kind
        && (of == Resource::Entity || !input.is_required)
    {
        schema = non_empty_string(of_optional);
    }
    if let Some(keywords) = schema.as_object_mut()
        && (input.is_required || of_optional.is_empty())
    {
        keywords.swap_remove("description");
    }
    match input.kind {
        Kind::Flag => schema["default"] = true.into(),
        Kind::Whole(_, _, Some(default)) => schema["default"] = default.into(),
        _ => {}
    }
    schema
}

fn example(kind: Kind) -> Option<&'static str> {
    Some(match kind {
        Kind::Subject(Resource::Entity) => ENTITY,
        Kind::Subject(Resource::Group) => GROUP,
        Kind::Subject(Resource::Prompt) | Kind::Filter(Resource::Prompt) => PROMPT_1,
        Kind::Subject(Resource::Response) => RESPONSE,
        Kind::Subject(Resource::Tag) | Kind::Filter(Resource::Tag) => TAG,
        Kind::Subject(Resource::Webhook) => WEBHOOK,
        Kind::Models => MODEL,
        Kind::Cited => RIVAL,
        Kind::Domain => "velumora.example",
        _ => return None,
    })
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
