//! JSON Schemas of request bodies and of the values of parameters.

use api::{Body, Endpoint, Input, Kind, List, Method, Resource};
use domain::limits::MAX_TARGET_CHARS;
use serde_json::{Map, Value, json};

use crate::components::{reference, titled};

/// Control characters, which no text may contain.
const CONTROLS: &str = "\\u0000-\\u001F\\u007F-\\u009F";
/// Control characters other than line breaks and tabs, which no text of several lines may contain.
const CONTROLS_IN_LINES: &str = "\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F";

/// Returns the schema of an endpoint's body, or `None` if it takes none. `condition` has further keywords of
/// an object.
pub(crate) fn body(endpoint: &Endpoint, condition: &Value) -> Option<Value> {
    let is_change = endpoint.method == Method::Patch;
    match endpoint.body {
        Body::None => None,
        Body::Fields(fields) => Some(extend(fields_object(fields, is_change), condition.clone())),
        Body::OneOf(forms) => {
            let form = |(name, fields): &(&str, &[Input])| titled(name, fields_object(fields, is_change));
            Some(json!({"oneOf": forms.iter().map(form).collect::<Vec<_>>()}))
        }
    }
}

/// Returns the schema of an object with these fields. A change has at least one of those that can be left
/// out.
///
/// Conditions are written as what must not be. Code generators make a type of each alternative of `anyOf`,
/// but ignore `not`.
fn fields_object(fields: &[Input], is_change: bool) -> Value {
    // Where `null` is a value, it is not to be given either.
    let (absent, taken): (Vec<&Input>, Vec<&Input>) = fields
        .iter()
        .partition(|input| input.kind == Kind::Never && input.takes_null);
    let mut schema = object(
        taken
            .iter()
            .map(|input| (input.name, field(input), input.is_required)),
    );
    if !absent.is_empty() {
        let given = absent.iter().map(|input| json!({"required": [input.name]}));
        schema["not"] = json!({"anyOf": given.collect::<Vec<_>>()});
    }
    let changes = taken
        .into_iter()
        .filter(|input| !input.is_required && input.kind != Kind::Never);
    let (nullable, others): (Vec<&Input>, Vec<&Input>) = changes.partition(|input| input.takes_null);
    let others = others
        .iter()
        .map(|input| (input.name, json!({"not": {"type": "null"}})));
    let changes: Vec<_> = others
        .chain(nullable.iter().map(|input| (input.name, json!({}))))
        .collect();
    if is_change && !changes.is_empty() {
        schema = extend(schema, at_least_one(changes));
    }
    schema
}

/// Returns the schema of a field. A field that can be left out can be `null`.
fn field(input: &Input) -> Value {
    let mut schema = value(input.kind, input.description);
    if !input.is_required && input.kind != Kind::Never {
        schema = nullable(schema);
    }
    if input.is_extension {
        schema["x-extension"] = true.into();
    }
    schema
}

/// Returns the schema of a value, with a description.
pub(crate) fn value(kind: Kind, description: &str) -> Value {
    match kind {
        // An id that does not exist leads to 404, whatever its form.
        Kind::Subject(_) | Kind::Choice(Resource::Tag) => {
            extend(non_empty_string(description), json!({"pattern": "\\S"}))
        }
        Kind::Choice(_) | Kind::Cited => {
            json!({"type": "string", "format": "uuid", "description": description})
        }
        Kind::Name(most) => line(1, most, description),
        Kind::Domain => line(1, MAX_TARGET_CHARS, description),
        Kind::DomainOrEmpty => line(0, MAX_TARGET_CHARS, description),
        Kind::Text(most) => {
            let pattern = format!("^[^{CONTROLS_IN_LINES}]*[^\\s{CONTROLS}][^{CONTROLS_IN_LINES}]*$");
            let length = json!({"minLength": 1, "maxLength": most, "pattern": pattern});
            extend(string(description), length)
        }
        Kind::Note(most) => {
            let pattern = format!("^[^{CONTROLS_IN_LINES}]*$");
            extend(
                string(description),
                json!({"maxLength": most, "pattern": pattern}),
            )
        }
        Kind::Webhook => {
            let url = json!({"pattern": "^\\s*[Hh][Tt][Tt][Pp][Ss]?://", "maxLength": MAX_TARGET_CHARS});
            extend(string(description), url)
        }
        // An enum without data is a component because responses have it too.
        Kind::Word(schema, _) => extend(reference(schema), json!({"description": description})),
        Kind::Flag => json!({"type": "boolean", "description": description}),
        Kind::Whole(least, most, _) => integer(least, most, description),
        Kind::Language => {
            let description = format!(
                "{description} An ISO 639-1 code, optionally with a region, such as `en` or `pt-BR`."
            );
            let pattern = json!({"pattern": "^\\s*[A-Za-z]{2}([-_][A-Za-z]{2})?\\s*$"});
            extend(string(&description), pattern)
        }
        Kind::Geolocation => {
            let description = format!("{description} `global`, or an ISO 3166-1 alpha-2 code such as `us`.");
            let pattern = json!({"pattern": "^\\s*([Gg][Ll][Oo][Bb][Aa][Ll]|[A-Za-z]{2})\\s*$"});
            extend(string(&description), pattern)
        }
        Kind::List(list) => array(list, description),
        Kind::Object(name, fields) => titled(name, fields_object(fields, true)),
        Kind::TextOrObject(name, fields) => {
            let text = value(fields[0].kind, description);
            json!({"oneOf": [text, titled(name, fields_object(fields, false))]})
        }
        // Generators make no type of `null` alone, and ignore `not`.
        Kind::Never => {
            json!({"type": ["string", "null"], "not": {"type": "string"}, "description": description})
        }
        Kind::Filter(_) | Kind::Models => json!({"type": "array", "items": {"type": "string"}}),
        Kind::OwnWord(name, words, default) => {
            let mut word = json!({"type": "string", "enum": words});
            if let Some(default) = default {
                word["default"] = default.into();
            }
            titled(name, word)
        }
        Kind::Metrics(words) => {
            let metric = titled("Metric", json!({"type": "string", "enum": words}));
            json!({"type": "array", "items": metric})
        }
        Kind::Day | Kind::BaseDay => {
            json!({"anyOf": [{"type": "string", "format": "date"}, {"type": "string", "format": "date-time"}]})
        }
        Kind::Search => json!({"type": "string"}),
    }
}

fn array(list: &List, description: &str) -> Value {
    let items = value(list.item, list.description);
    let mut array = json!({"type": "array", "items": items, "description": description});
    if list.least > 0 {
        array["minItems"] = list.least.into();
    }
    if list.most < usize::MAX && !list.counts_distinct {
        array["maxItems"] = list.most.into();
    }
    array
}

/// Returns the schema of one line with `min_length`, 0 or 1, to `max_length` characters.
fn line(min_length: usize, max_length: usize, description: &str) -> Value {
    let length = if min_length == 0 {
        json!({"maxLength": max_length, "pattern": format!("^[^{CONTROLS}]*$")})
    } else {
        let pattern = format!("^[^{CONTROLS}]*[^\\s{CONTROLS}][^{CONTROLS}]*$");
        json!({"minLength": min_length, "maxLength": max_length, "pattern": pattern})
    };
    extend(string(description), length)
}

fn string(description: &str) -> Value {
    json!({"type": "string", "description": description})
}

/// Returns the schema of a text that is not empty.
pub(crate) fn non_empty_string(description: &str) -> Value {
    json!({"type": "string", "minLength": 1, "description": description})
}

/// Returns the schema of a whole number from `minimum` to `maximum`.
pub(crate) fn integer(minimum: u64, maximum: u64, description: &str) -> Value {
    json!({"type": "integer", "minimum": minimum, "maximum": maximum, "description": description})
}

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

/// Returns a property that must be given.
pub(crate) fn required(name: &'static str, schema: Value) -> (&'static str, Value, bool) {
    (name, schema, true)
}

/// Returns the schema of an object with these properties: the name, the schema, and whether the property must
/// be given.
pub(crate) fn object(all: impl IntoIterator<Item = (&'static str, Value, bool)>) -> Value {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for (name, schema, is_required) in all {
        if is_required {
            required.push(name);
        }
        properties.insert(name.to_owned(), schema);
    }
    json!({"type": "object", "properties": properties, "required": required})
}

/// Returns the condition that an object has at least one of these properties with its schema: that not each
/// of them is absent or has another value.
pub(crate) fn at_least_one(properties: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    let others = properties
        .into_iter()
        .map(|(name, schema)| (name.to_owned(), json!({"not": schema})));
    json!({"not": {"properties": others.collect::<Map<_, _>>()}})
}
