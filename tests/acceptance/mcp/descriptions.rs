//! The descriptions of the tools and of their arguments.

use mcp::TOOLS;
use serde_json::Value;

/// Collects the names of the properties of a schema, and of each form of it.
fn property_names(document: &Value, schema: &Value, names: &mut Vec<String>) {
    let schema = resolved(document, schema);
    let properties = schema["properties"].as_object();
    names.extend(properties.into_iter().flatten().map(|(name, _)| name.clone()));
    for form in schema["oneOf"].as_array().into_iter().flatten() {
        property_names(document, form, names);
    }
}

fn resolved<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    let target = value["$ref"].as_str();
    target.map_or(value, |target| document.pointer(&target[1..]).unwrap())
}

#[test]
fn every_tool_is_described_and_its_arguments_are_those_of_its_endpoint() {
    let document = openapi::document();
    for tool in TOOLS {
        assert!(
            tool.description.len() > 30 && tool.name.len() < 20,
            "{}",
            tool.name
        );
        let operation = &document["paths"][tool.path][tool.method.name().to_lowercase()];
        assert!(operation.is_object(), "{}", tool.path);
        let mut names = Vec::new();
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            names.push(
                resolved(&document, parameter)["name"]
                    .as_str()
                    .unwrap()
                    .to_owned(),
            );
        }
        let body = &operation["requestBody"]["content"]["application/json"]["schema"];
        property_names(&document, body, &mut names);
        for argument in tool.arguments {
            assert!(
                names.iter().any(|name| name == argument.name),
                "{} {}",
                tool.name,
                argument.name
            );
        }
    }
}
