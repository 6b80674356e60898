//! Access to the OpenAPI document's JSON.

use std::collections::BTreeSet;

use serde_json::Value;

/// Forbids properties that are not described in what the service sends. Schemas of requests stay open,
/// because unknown fields are ignored.
pub(super) fn close_sent_schemas(document: &mut Value) {
    let mut schemas = BTreeSet::new();
    for (_, methods) in members(&document["paths"]) {
        for (_, operation) in members(methods) {
            collect_schemas(document, &operation["responses"], &mut schemas);
        }
    }
    collect_schemas(document, &document["components"]["responses"], &mut schemas);
    collect_schemas(document, &document["webhooks"], &mut schemas);
    for name in schemas {
        close(&mut document["components"]["schemas"][name]);
    }
}

/// Collects the names of the schemas that `value` refers to, and those that they refer to.
fn collect_schemas(document: &Value, value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            let target = fields.get("$ref").and_then(Value::as_str).unwrap_or_default();
            if let Some(name) = target.strip_prefix("#/components/schemas/")
                && names.insert(name.to_owned())
            {
                collect_schemas(document, resolve(document, value), names);
            }
            for field in fields.values() {
                collect_schemas(document, field, names);
            }
        }
        Value::Array(values) => {
            for value in values {
                collect_schemas(document, value, names);
            }
        }
        _ => {}
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
