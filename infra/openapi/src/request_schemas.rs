//! JSON Schemas of request bodies and parameters.

use schemars::JsonSchema;
use serde_json::{Map, Value, json};

use crate::components::reference;

/// Control characters, which no text may contain.
const CONTROLS: &str = "\\u0000-\\u001F\\u007F-\\u009F";
/// Control characters other than line breaks and tabs, which no text of several lines may contain.
const CONTROLS_IN_LINES: &str = "\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F";

/// Returns the schema of a text.
pub(crate) fn string(description: &str) -> Value {
    json!({"type": "string", "description": description})
}

/// Returns the schema of a text that is not empty.
pub(crate) fn non_empty_string(description: &str) -> Value {
    json!({"type": "string", "minLength": 1, "description": description})
}

/// Returns the schema of one line with 1 to `max_length` characters.
pub(crate) fn single_line(max_length: usize, description: &str) -> Value {
    let pattern = format!("^[^{CONTROLS}]*[^\\s{CONTROLS}][^{CONTROLS}]*$");
    let length = json!({"minLength": 1, "maxLength": max_length, "pattern": pattern});
    extend(string(description), length)
}

/// Returns the schema of one line with at most `max_length` characters.
pub(crate) fn single_line_or_empty(max_length: usize, description: &str) -> Value {
    let pattern = format!("^[^{CONTROLS}]*$");
    extend(
        string(description),
        json!({"maxLength": max_length, "pattern": pattern}),
    )
}

/// Returns the schema of lines with 1 to `max_length` characters in total.
pub(crate) fn multi_line(max_length: usize, description: &str) -> Value {
    let pattern = format!("^[^{CONTROLS_IN_LINES}]*[^\\s{CONTROLS}][^{CONTROLS_IN_LINES}]*$");
    let length = json!({"minLength": 1, "maxLength": max_length, "pattern": pattern});
    extend(string(description), length)
}

/// Returns the schema of lines with at most `max_length` characters in total.
pub(crate) fn multi_line_or_empty(max_length: usize, description: &str) -> Value {
    let pattern = format!("^[^{CONTROLS_IN_LINES}]*$");
    extend(
        string(description),
        json!({"maxLength": max_length, "pattern": pattern}),
    )
}

/// Returns the schema of an id in any form. An id that does not exist leads to 404, whatever its form.
pub(crate) fn id(description: &str) -> Value {
    extend(non_empty_string(description), json!({"pattern": "\\S"}))
}

pub(crate) fn uuid(description: &str) -> Value {
    json!({"type": "string", "format": "uuid", "description": description})
}

pub(crate) fn boolean(description: &str) -> Value {
    json!({"type": "boolean", "description": description})
}

/// Returns the schema of a whole number from `minimum` to `maximum`.
pub(crate) fn integer(minimum: u64, maximum: u64, description: &str) -> Value {
    json!({"type": "integer", "minimum": minimum, "maximum": maximum, "description": description})
}

/// Returns the schema of an enum without data, which is a component because responses have it too.
pub(crate) fn enumeration<T: JsonSchema>(description: &str) -> Value {
    extend(reference(&T::schema_name()), json!({"description": description}))
}

/// Returns the schema of a language code in any case.
pub(crate) fn language(description: &str) -> Value {
    let description =
        format!("{description} An ISO 639-1 code, optionally with a region, such as `en` or `pt-BR`.");
    extend(
        string(&description),
        json!({"pattern": "^\\s*[A-Za-z]{2}([-_][A-Za-z]{2})?\\s*$"}),
    )
}

/// Returns the schema of a country code in any case, or `global`.
pub(crate) fn geolocation(description: &str) -> Value {
    let description = format!("{description} `global`, or an ISO 3166-1 alpha-2 code such as `us`.");
    extend(
        string(&description),
        json!({"pattern": "^\\s*([Gg][Ll][Oo][Bb][Aa][Ll]|[A-Za-z]{2})\\s*$"}),
    )
}

pub(crate) fn array(items: Value, description: &str) -> Value {
    let mut array = json!({"type": "array", "items": {}, "description": description});
    array["items"] = items;
    array
}

/// Makes a schema accept `null` as well.
fn nullable(mut schema: Value) -> Value {
    let target = schema
        .as_object_mut()
        .and_then(|keywords| keywords.remove("$ref"));
    match target {
        Some(target) => schema["anyOf"] = json!([{"$ref": target}, {"type": "null"}]),
        None => schema["type"] = json!([schema["type"], "null"]),
    }
    schema
}

/// Adds keywords to a schema.
pub(crate) fn extend(mut schema: Value, keywords: Value) -> Value {
    if let (Some(schema), Value::Object(keywords)) = (schema.as_object_mut(), keywords) {
        schema.extend(keywords);
    }
    schema
}

/// A property of an object.
#[derive(Debug, Clone)]
pub(crate) struct Property {
    name: &'static str,
    schema: Value,
    is_required: bool,
}

/// Returns a property that must be given.
pub(crate) fn required(name: &'static str, schema: Value) -> Property {
    Property {
        name,
        schema,
        is_required: true,
    }
}

/// Returns a property that can be left out. `null` counts as absent.
pub(crate) fn optional(name: &'static str, schema: Value) -> Property {
    Property {
        name,
        schema: nullable(schema),
        is_required: false,
    }
}

/// Returns a property that must be absent or `null`. Generators make no type of `null` alone, and ignore `not`.
pub(crate) fn absent(name: &'static str, description: &str) -> Property {
    Property {
        name,
        schema: json!({"type": ["string", "null"], "not": {"type": "string"}, "description": description}),
        is_required: false,
    }
}

impl Property {
    /// Marks the property as one that is not in the contract.
    pub(crate) fn extension(mut self) -> Self {
        self.schema["x-extension"] = true.into();
        self
    }
}

/// Returns the schema of an object with these properties.
pub(crate) fn object(all: impl IntoIterator<Item = Property>) -> Value {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for property in all {
        if property.is_required {
            required.push(property.name);
        }
        properties.insert(property.name.to_owned(), property.schema);
    }
    json!({"type": "object", "properties": properties, "required": required})
}

/// Returns the condition that at least one of these properties is given and not `null`.
pub(crate) fn at_least_one_of(names: &[&'static str]) -> Value {
    at_least_one(names.iter().map(|name| (*name, json!({"not": {"type": "null"}}))))
}

/// Returns the condition that an object has at least one of these properties with its schema.
///
/// It is written as what must not be: that each property is absent or has another value. Code generators make a type of each
/// alternative of `anyOf`, but ignore `not`.
pub(crate) fn at_least_one(properties: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    let others = properties
        .into_iter()
        .map(|(name, schema)| (name.to_owned(), json!({"not": schema})));
    json!({"not": {"properties": others.collect::<Map<_, _>>()}})
}
