//! Collects the properties of a schema, and those that a value has.

use std::collections::BTreeSet;

use acceptance::ApiContract;
use serde_json::Value;

/// Collects the paths of all properties of a schema. The path of a component begins with its name.
pub(super) fn described_properties(schema: &Value, paths: &mut BTreeSet<String>) {
    walk(schema, String::new(), None, paths);
}

/// Collects the paths of the properties that `value` has and that are not null.
pub(super) fn present_properties(schema: &Value, value: &Value, paths: &mut BTreeSet<String>) {
    walk(schema, String::new(), Some(value), paths);
}

fn walk(schema: &Value, mut path: String, value: Option<&Value>, paths: &mut BTreeSet<String>) {
    if let Some(component) = schema["$ref"].as_str() {
        path = component.rsplit('/').next().unwrap().to_owned();
    }
    let schema = ApiContract::get().resolved(schema);
    for forms in ["oneOf", "anyOf"]
        .iter()
        .filter_map(|kind| schema[*kind].as_array())
    {
        for (n, form) in forms.iter().enumerate() {
            let name = form["title"]
                .as_str()
                .map_or_else(|| n.to_string(), str::to_owned);
            let is_one_of_many = forms.iter().filter(|form| form["type"] != "null").count() > 1;
            let path = if is_one_of_many {
                format!("{path}<{name}>")
            } else {
                path.clone()
            };
            if value.is_none_or(|value| has_required(form, value)) {
                walk(form, path, value, paths);
            }
        }
    }
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let inner = value.map(|value| &value[name]);
        if inner.is_some_and(Value::is_null) {
            continue;
        }
        let path = format!("{path}/{name}");
        paths.insert(path.clone());
        walk(property, path, inner, paths);
    }
    if schema["items"].is_object() {
        match value {
            None => walk(&schema["items"], format!("{path}[]"), None, paths),
            Some(value) => {
                for item in value.as_array().into_iter().flatten() {
                    walk(&schema["items"], format!("{path}[]"), Some(item), paths);
                }
            }
        }
    }
}

/// Returns whether an object has the required properties and constants of this form.
fn has_required(form: &Value, value: &Value) -> bool {
    let form = ApiContract::get().resolved(form);
    let mut required = form["required"].as_array().into_iter().flatten();
    let mut properties = form["properties"].as_object().into_iter().flatten();
    form["type"] != "null"
        && required.all(|name| value.get(name.as_str().unwrap()).is_some())
        && properties.all(|(name, property)| property.get("const").is_none_or(|only| value[name] == *only))
}
