//! Which properties of a schema there are, and which of them a value has.

use std::collections::BTreeSet;

use acceptance::ApiContract;
use serde_json::Value;

/// The places of all properties that a schema describes. A component's are named after it.
pub(super) fn described(schema: &Value, places: &mut BTreeSet<String>) {
    walk(schema, String::new(), None, places);
}

/// The places of those that are in `value` and not null.
pub(super) fn seen(schema: &Value, value: &Value, places: &mut BTreeSet<String>) {
    walk(schema, String::new(), Some(value), places);
}

fn walk(schema: &Value, mut place: String, value: Option<&Value>, places: &mut BTreeSet<String>) {
    if let Some(component) = schema["$ref"].as_str() {
        place = component.rsplit('/').next().unwrap().to_owned();
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
            let place = if is_one_of_many {
                format!("{place}<{name}>")
            } else {
                place.clone()
            };
            if value.is_none_or(|value| fits(form, value)) {
                walk(form, place, value, places);
            }
        }
    }
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let inner = value.map(|value| &value[name]);
        if inner.is_some_and(Value::is_null) {
            continue;
        }
        let place = format!("{place}/{name}");
        places.insert(place.clone());
        walk(property, place, inner, places);
    }
    if schema["items"].is_object() {
        match value {
            None => walk(&schema["items"], format!("{place}[]"), None, places),
            Some(value) => {
                for item in value.as_array().into_iter().flatten() {
                    walk(&schema["items"], format!("{place}[]"), Some(item), places);
                }
            }
        }
    }
}

/// Whether an object has what tells this form from the others.
fn fits(form: &Value, value: &Value) -> bool {
    let form = ApiContract::get().resolved(form);
    let mut required = form["required"].as_array().into_iter().flatten();
    let mut properties = form["properties"].as_object().into_iter().flatten();
    form["type"] != "null"
        && required.all(|name| value.get(name.as_str().unwrap()).is_some())
        && properties.all(|(name, property)| property.get("const").is_none_or(|only| value[name] == *only))
}
