//! JSON Schemas of what the service reads and answers.

use schemars::JsonSchema;
use serde_json::{Map, Value, json};

use crate::response_schemas::values;

/// 2020-01-01 and the end of 2099 in Unix milliseconds: an instant in seconds or microseconds lies outside.
const INSTANTS: [i64; 2] = [1_577_836_800_000, 4_102_444_799_999];
/// What no text may hold; where lines are allowed, but for line breaks and tabs.
const CONTROLS: &str = "\\u0000-\\u001F\\u007F-\\u009F";
const CONTROLS_IN_LINES: &str = "\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F";

/// A text that is not empty.
pub(crate) fn text(description: &str) -> Value {
    json!({"type": "string", "minLength": 1, "description": description})
}

/// A text that may be empty.
pub(crate) fn any_text(description: &str) -> Value {
    json!({"type": "string", "description": description})
}

/// A text that a client sends: one line of 1 to `most` characters.
pub(crate) fn line(most: usize, description: &str) -> Value {
    let pattern = format!("^[^{CONTROLS}]*[^\\s{CONTROLS}][^{CONTROLS}]*$");
    json!({"type": "string", "minLength": 1, "maxLength": most, "pattern": pattern,
    "description": description})
}

/// Like [`line`], but may be empty.
pub(crate) fn line_or_none(most: usize, description: &str) -> Value {
    let pattern = format!("^[^{CONTROLS}]*$");
    json!({"type": "string", "maxLength": most, "pattern": pattern, "description": description})
}

/// A text that a client sends: lines of 1 to `most` characters together.
pub(crate) fn lines(most: usize, description: &str) -> Value {
    let pattern = format!("^[^{CONTROLS_IN_LINES}]*[^\\s{CONTROLS}][^{CONTROLS_IN_LINES}]*$");
    json!({"type": "string", "minLength": 1, "maxLength": most, "pattern": pattern,
    "description": description})
}

/// Like [`lines`], but may be empty.
pub(crate) fn lines_or_none(most: usize, description: &str) -> Value {
    let pattern = format!("^[^{CONTROLS_IN_LINES}]*$");
    json!({"type": "string", "maxLength": most, "pattern": pattern, "description": description})
}

/// An id that a client sends. In whatever form: one that names nothing is 404.
pub(crate) fn given_id(description: &str) -> Value {
    json!({"type": "string", "minLength": 1, "pattern": "\\S", "description": description})
}

/// An id that the service shows, with what follows the entity's own in a child's.
pub(crate) fn id(child: &str, description: &str) -> Value {
    let digits = domain::id::EntityId::DIGITS;
    json!({"type": "string", "pattern": format!("^[0-9A-Za-z]{{{digits}}}{child}$"),
    "description": description})
}

/// What marks the ids of prompts, actionables, tasks and responses.
pub(crate) const PROMPT: &str = "-p[0-9a-z]{1,7}";
pub(crate) const ACTIONABLE: &str = "-a[0-9a-z]{1,7}";
pub(crate) const TASK: &str = "-t[0-9a-z]{1,7}";
pub(crate) const RESPONSE: &str = "-r[0-9a-z]{1,7}(-[0-9a-z]{1,7}){3}";

pub(crate) fn uuid(description: &str) -> Value {
    json!({"type": "string", "format": "uuid", "description": description})
}

pub(crate) fn flag(description: &str) -> Value {
    json!({"type": "boolean", "description": description})
}

/// A whole number from 0.
pub(crate) fn count(description: &str) -> Value {
    json!({"type": "integer", "minimum": 0, "description": description})
}

/// A whole number of a range.
pub(crate) fn whole(least: u64, most: u64, description: &str) -> Value {
    json!({"type": "integer", "minimum": least, "maximum": most, "description": description})
}

/// 0 to 100 with two decimals.
pub(crate) fn percent(description: &str) -> Value {
    json!({"type": "number", "minimum": 0, "maximum": 100, "description": description})
}

/// A score's interval.
pub(crate) fn interval() -> Value {
    let bound = json!({"type": "number", "minimum": 0, "maximum": 100});
    json!({
        "type": "array", "items": bound, "minItems": 2, "maxItems": 2,
        "description": "Low and high end of the score's Wilson interval at 95 %, two decimals",
    })
}

/// Unix time in milliseconds.
pub(crate) fn millis(description: &str) -> Value {
    let [least, most] = INSTANTS;
    json!({
        "type": "integer", "format": "int64", "minimum": least, "maximum": most,
        "description": format!("{description}, in Unix milliseconds"),
    })
}

/// An ISO timestamp in UTC with milliseconds.
pub(crate) fn timestamp(description: &str) -> Value {
    let pattern = "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$";
    json!({"type": "string", "format": "date-time", "pattern": pattern, "description": description})
}

/// `YYYY-MM-DD`.
pub(crate) fn day(description: &str) -> Value {
    json!({"type": "string", "format": "date", "description": description})
}

/// One of these texts.
pub(crate) fn one_of(values: &[&str], description: &str) -> Value {
    json!({"type": "string", "enum": values, "description": description})
}

/// One of the values of an enum without data.
pub(crate) fn variant<T: JsonSchema>(description: &str) -> Value {
    json!({"type": "string", "enum": values::<T>(), "description": description})
}

pub(crate) fn list(items: Value, description: &str) -> Value {
    let mut list = json!({"type": "array", "items": {}, "description": description});
    list["items"] = items;
    list
}

/// A component's schema.
pub(crate) fn reference(component: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{component}")})
}

/// The schema, or `null`.
pub(crate) fn nullable(mut schema: Value) -> Value {
    if schema.get("type").is_none() {
        return json!({"anyOf": [schema, {"type": "null"}]});
    }
    schema["type"] = json!([schema["type"], "null"]);
    if let Some(values) = schema.get_mut("enum").and_then(Value::as_array_mut) {
        values.push(Value::Null);
    }
    schema
}

/// The schema with more keywords.
pub(crate) fn with(mut schema: Value, more: Value) -> Value {
    if let (Some(schema), Value::Object(more)) = (schema.as_object_mut(), more) {
        schema.extend(more);
    }
    schema
}

/// A property of an object.
#[derive(Debug, Clone)]
pub(crate) struct Field {
    name: &'static str,
    schema: Value,
    is_required: bool,
}

/// A property that is always there.
pub(crate) fn field(name: &'static str, schema: Value) -> Field {
    Field {
        name,
        schema,
        is_required: true,
    }
}

/// A property of an answer that is left out where there is nothing to say.
pub(crate) fn at_times(name: &'static str, schema: Value) -> Field {
    Field {
        is_required: false,
        ..field(name, schema)
    }
}

/// A field of a request that need not be there; `null` counts as absent.
pub(crate) fn optional(name: &'static str, schema: Value) -> Field {
    at_times(name, nullable(schema))
}

impl Field {
    /// It is not in the contract.
    pub(crate) fn extension(mut self) -> Self {
        self.schema["x-extension"] = true.into();
        self
    }
}

/// An object with these properties.
pub(crate) fn object(fields: impl IntoIterator<Item = Field>) -> Value {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for field in fields {
        if field.is_required {
            required.push(field.name);
        }
        properties.insert(field.name.to_owned(), field.schema);
    }
    json!({"type": "object", "properties": properties, "required": required})
}

/// What a request must have besides: at least one of these fields, other than as `null`.
pub(crate) fn some_of(fields: &[&str]) -> Value {
    let given = |name: &&str| given(name, json!({"not": {"type": "null"}}));
    json!({"anyOf": fields.iter().map(given).collect::<Vec<_>>()})
}

/// An object that has the property, in this form.
pub(crate) fn given(name: &str, schema: Value) -> Value {
    let mut properties = Map::new();
    properties.insert(name.to_owned(), schema);
    json!({"required": [name], "properties": properties})
}
