//! The names of schemas.
//!
//! Every object and every enum in the document is a component, so that code generators take its name and
//! invent none. Names come from three places:
//!
//! - A type that a function serializes has the type's name, or the name in its `schemars(rename)`. Names say
//!   what a client sees: `EntityView` is `Entity`.
//! - The body and the successful response of an operation are named by the operation's id: `createEntity`
//!   takes a `CreateEntityRequest` and returns a `CreateEntityReply`. Generators use `Result`, `Response`,
//!   `Data` and `Error` themselves.
//! - A schema that is written by hand inside another one has a title, which becomes its name.

use serde_json::{Map, Value, json};

/// Keywords whose values are data and no schemas.
const DATA: [&str; 6] = ["const", "default", "enum", "example", "examples", "links"];

/// Returns a reference to the component of a schema.
pub(crate) fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

/// Returns a schema that becomes the component `name`.
pub(crate) fn titled(name: &str, mut schema: Value) -> Value {
    schema["title"] = name.into();
    schema
}

/// Moves each schema with a title to the component of that name.
pub(crate) fn move_titled_schemas(document: &mut Value) {
    let mut schemas = Map::new();
    for part in ["paths", "webhooks", "components"] {
        take_titled(&mut document[part], &mut schemas);
    }
    if let Some(components) = document["components"]["schemas"].as_object_mut() {
        for (name, schema) in schemas {
            insert(components, name, schema);
        }
        components.sort_keys();
    }
}

/// Replaces each schema with a title by a reference, from the inside to the outside.
fn take_titled(value: &mut Value, schemas: &mut Map<String, Value>) {
    match value {
        Value::Object(members) => {
            for (keyword, member) in &mut *members {
                if !DATA.contains(&keyword.as_str()) {
                    take_titled(member, schemas);
                }
            }
            // A property can have this name as well. It is an object.
            if let Some(Value::String(name)) = members.get("title") {
                let name = name.clone();
                members.shift_remove("title");
                let name = insert(schemas, name, value.take());
                *value = reference(&name);
            }
        }
        Value::Array(values) => {
            for value in values {
                take_titled(value, schemas);
            }
        }
        _ => {}
    }
}

/// Inserts a schema. If the name belongs to another schema, the schema gets a name of a form that a test
/// refuses.
fn insert(schemas: &mut Map<String, Value>, mut name: String, schema: Value) -> String {
    while schemas.get(&name).is_some_and(|known| *known != schema) {
        name.push('_');
    }
    schemas.insert(name.clone(), schema);
    name
}

/// Returns a name in the form of a type's name: `create_entity` and `createEntity` become `CreateEntity`.
pub(crate) fn pascal_case(name: &str) -> String {
    let capitalized = |word: &str| {
        let mut characters = word.chars();
        let first = characters.next().map(|first| first.to_ascii_uppercase());
        first.into_iter().chain(characters).collect::<String>()
    };
    name.split(['_', '-']).map(capitalized).collect()
}
