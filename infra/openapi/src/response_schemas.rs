//! Schemas of responses, derived from the types that the functions serialize.
//!
//! The types describe their own fields. The following rules apply to all of them and are added here:
//!
//! - A text is not empty unless its minimum length is 0. Texts with a format, a pattern or fixed values stay
//!   as they are.
//! - The lines of a comment's paragraph are one line of the description.
//! - Numbers have no format that only Rust knows, such as `uint64`.
//! - An enum without data is one list of values, with or without comments on its variants.
//! - An untagged enum has exactly one of its forms.
//! - Each form of an enum with data is a component. Its name is the form's tag or title before the enum's
//!   name.
//! - Each form of a tagged enum contains the properties beside the flattened enum, so that code generators
//!   create one type per form.

use schemars::generate::SchemaSettings;
use schemars::transform::transform_subschemas;
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use crate::components::pascal_case;

/// Returns the schema of one type.
pub(crate) type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

/// Generates schemas of responses and collects the components that they refer to.
pub(crate) struct ResponseSchemas(SchemaGenerator);

impl ResponseSchemas {
    pub(crate) fn new() -> Self {
        let settings = SchemaSettings::draft2020_12()
            .for_serialize()
            .with(|settings| settings.definitions_path = "/components/schemas".into());
        Self(settings.into_generator())
    }

    /// Returns the schema of a successful response: `success` and the properties of the type.
    pub(crate) fn success(&mut self, schema_of: SchemaOf) -> Value {
        let mut schema = self.schema(schema_of);
        let mut properties = Map::new();
        properties.insert(
            "success".into(),
            json!({"const": true, "description": "Always true"}),
        );
        let mut required = vec![json!("success")];
        if let Some(Value::Object(own)) = schema.remove("properties") {
            properties.extend(own);
        }
        if let Some(Value::Array(own)) = schema.remove("required") {
            required.extend(own);
        }
        json!({"type": "object", "properties": properties, "required": required})
    }

    /// Returns the components that the schemas refer to, by name.
    pub(crate) fn into_components(mut self) -> Map<String, Value> {
        let mut components = self.0.take_definitions(false);
        for (name, component) in &mut components {
            if let Ok(schema) = <&mut Schema>::try_from(component) {
                adapt(schema);
                name_forms(name, schema);
            }
        }
        components
    }

    /// Returns a schema to which the rules are applied.
    pub(crate) fn schema(&mut self, schema_of: SchemaOf) -> Schema {
        let mut schema = schema_of(&mut self.0);
        adapt(&mut schema);
        schema
    }
}

fn name_forms(component: &str, schema: &mut Schema) {
    let forms = schema.get_mut("oneOf").and_then(Value::as_array_mut);
    for form in forms.into_iter().flatten() {
        if let Some(title) = form["title"].as_str() {
            form["title"] = format!("{}{component}", pascal_case(title)).into();
        }
    }
}

/// Applies the rules for all schemas of responses to this schema and its subschemas.
fn adapt(schema: &mut Schema) {
    transform_subschemas(&mut adapt, schema);
    schema.remove("$schema");
    join_lines(schema);
    remove_rust_format(schema);
    join_values(schema);
    complete_forms(schema);
    require_one_form(schema);
    require_text(schema);
}

/// Joins the lines of each paragraph of the description, which end where the comment in the code is wrapped.
fn join_lines(schema: &mut Schema) {
    if let Some(text) = schema.get("description").and_then(Value::as_str) {
        let paragraphs: Vec<String> = text.split("\n\n").map(|lines| lines.replace('\n', " ")).collect();
        schema.insert("description".into(), paragraphs.join("\n\n").into());
    }
}

fn remove_rust_format(schema: &mut Schema) {
    let format = schema.get("format").and_then(Value::as_str).unwrap_or("");
    if format == "double" || format.starts_with("uint") {
        schema.remove("format");
    }
}

/// Joins the variants of an enum into one list of values. Schemars makes a form of each variant with a
/// comment.
fn join_values(schema: &mut Schema) {
    let Some(forms) = schema.get("oneOf").and_then(Value::as_array) else {
        return;
    };
    let values = |form: &Value| match (form.get("enum"), form.get("const")) {
        (Some(Value::Array(values)), _) => Some(values.clone()),
        (_, Some(value)) => Some(vec![value.clone()]),
        _ => None,
    };
    if let Some(values) = forms.iter().map(values).collect::<Option<Vec<_>>>() {
        schema.remove("oneOf");
        schema.insert("type".into(), "string".into());
        schema.insert("enum".into(), values.concat().into());
    }
}

/// Copies the properties beside `oneOf` to each of its forms, and gives each form its tag as title, from
/// which its name is made.
fn complete_forms(schema: &mut Schema) {
    if schema.get("oneOf").is_none() {
        return;
    }
    let Some(Value::Object(shared)) = schema.remove("properties") else {
        return;
    };
    schema.remove("type");
    let required = schema.remove("required");
    let forms = schema.get_mut("oneOf").and_then(Value::as_array_mut);
    for form in forms.into_iter().flatten() {
        if let Some(own) = form["properties"].as_object_mut() {
            own.extend(shared.clone());
        }
        if let (Some(own), Some(Value::Array(required))) = (form["required"].as_array_mut(), &required) {
            own.extend(required.clone());
        }
        name_form(form);
    }
}

fn name_form(form: &mut Value) {
    let properties = form["properties"].as_object_mut();
    let tag = properties.and_then(|properties| {
        properties
            .values_mut()
            .find(|property| property.get("const").is_some())
    });
    if let Some(tag) = tag {
        // The constant has the type.
        tag.as_object_mut().map(|keywords| keywords.remove("type"));
        tag["description"] = "Names the form of this object.".into();
        form["title"] = tag["const"].clone();
    }
}

fn require_one_form(schema: &mut Schema) {
    let is_nullable = |forms: &Vec<Value>| forms.contains(&json!({"type": "null"}));
    let forms = schema.get("anyOf").and_then(Value::as_array);
    if forms.is_some_and(|forms| !is_nullable(forms))
        && let Some(forms) = schema.remove("anyOf")
    {
        schema.insert("oneOf".into(), forms);
    }
}

fn require_text(schema: &mut Schema) {
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for property in properties.into_iter().flat_map(Map::values_mut) {
        require_characters(property);
    }
    if let Some(items) = schema.get_mut("items") {
        require_characters(items);
    }
}

fn require_characters(text: &mut Value) {
    let is_text = text["type"] == "string" || text["type"] == json!(["string", "null"]);
    let is_fixed = ["format", "pattern", "enum", "const"]
        .iter()
        .any(|keyword| text.get(keyword).is_some());
    match (text.as_object_mut(), is_text && !is_fixed) {
        (Some(text), true) if text.get("minLength") == Some(&json!(0)) => {
            text.remove("minLength");
        }
        (Some(text), true) => {
            text.entry("minLength").or_insert_with(|| json!(1));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use domain::board::{Evidence, SourceType, TaskType};
    use schemars::JsonSchema;
    use strum::VariantArray;

    use super::*;

    #[test]
    fn the_values_of_an_enum_are_those_that_are_serialized() {
        let values = |schema_of: SchemaOf| ResponseSchemas::new().schema(schema_of).remove("enum").unwrap();
        let rules: Vec<&str> = SourceType::VARIANTS.iter().map(SourceType::into_str).collect();
        assert_eq!(values(SourceType::json_schema), json!(rules));
        assert_eq!(
            values(TaskType::json_schema),
            json!(["off-page", "on-page", "technical"])
        );
    }

    #[test]
    fn each_form_of_a_flattened_enum_has_the_properties_beside_it() {
        let evidence = ResponseSchemas::new().schema(Evidence::json_schema);
        for form in evidence.get("oneOf").and_then(Value::as_array).unwrap() {
            assert_eq!(form["properties"]["rule"]["const"], form["title"]);
            for shared in ["window", "promptIds", "modelIds", "query"] {
                assert!(form["properties"].get(shared).is_some(), "{shared}");
                assert!(
                    form["required"].as_array().unwrap().contains(&shared.into()),
                    "{shared}"
                );
            }
        }
        assert!(evidence.get("properties").is_none() && evidence.get("required").is_none());
    }
}
