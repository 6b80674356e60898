//! Access to the OpenAPI document's JSON.

use serde_json::Value;

/// Forbids properties in response schemas that are not described.
pub(super) fn close_responses(document: &mut Value) {
    for (_, methods) in document["paths"].as_object_mut().into_iter().flatten() {
        for (_, operation) in methods.as_object_mut().into_iter().flatten() {
            close(&mut operation["responses"]);
        }
    }
    for kind in ["schemas", "responses"] {
        close(&mut document["components"][kind]);
    }
}

fn close(value: &mut Value) {
    match value {
        Value::Object(members) => {
            if members.contains_key("properties") && !members.contains_key("additionalProperties") {
                members.insert("additionalProperties".to_owned(), false.into());
            }
            members.values_mut().for_each(close);
        }
        Value::Array(values) => values.iter_mut().for_each(close),
        _ => {}
    }
}

/// Returns the members of an object. Any other value has none.
pub(super) fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

/// Follows a `$ref` into the document. Returns any other value as it is.
pub(super) fn resolve<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    match value["$ref"].as_str() {
        Some(reference) => document
            .pointer(reference.trim_start_matches('#'))
            .expect("the target of a reference"),
        None => value,
    }
}
