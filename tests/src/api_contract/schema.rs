//! The document's schemas, each compiled once.

use std::collections::HashMap;
use std::sync::Arc;

use jsonschema::{Draft, Registry, Validator};
use serde_json::{Value, json};

use super::schema_error::describe;

/// The URI by which schemas refer to their document.
const DOCUMENT: &str = "urn:openapi";

/// A compiled schema with its `type`.
#[derive(Clone)]
pub(super) struct CompiledSchema {
    validator: Arc<Validator>,
    kind: Option<String>,
}

impl CompiledSchema {
    /// Returns the schema's `type`, such as `integer`.
    pub(super) fn kind(&self) -> Option<&str> {
        self.kind.as_deref()
    }

    /// Converts a parameter's or header's text to the schema's type. A text of another form stays a string.
    pub(super) fn parse(&self, text: &str) -> Value {
        let is_digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        match (self.kind(), text) {
            (Some("integer"), _) if is_digits => serde_json::from_str(text).unwrap_or_else(|_| json!(text)),
            (Some("boolean"), "true" | "false") => json!(text == "true"),
            _ => json!(text),
        }
    }

    /// Returns the first violation of the schema by a value.
    pub(super) fn violation(&self, value: &Value) -> Option<String> {
        self.violations(value).next()
    }

    /// Returns all violations of the schema by a value.
    pub(super) fn violations<'a>(&'a self, value: &'a Value) -> impl Iterator<Item = String> {
        self.validator.iter_errors(value).map(|error| describe(&error))
    }
}

/// Compiles schemas of one document.
pub(super) struct SchemaCompiler<'a> {
    registry: Registry<'a>,
    /// The compiled schemas by their JSON.
    compiled: HashMap<String, Arc<Validator>>,
}

impl<'a> SchemaCompiler<'a> {
    pub(super) fn new(document: &'a Value) -> Self {
        let registry = Registry::new()
            .draft(Draft::Draft202012)
            .add(DOCUMENT, document)
            .and_then(jsonschema::RegistryBuilder::prepare)
            .expect("a document without references to others");
        Self {
            registry,
            compiled: HashMap::new(),
        }
    }

    pub(super) fn compile(&mut self, schema: &Value) -> CompiledSchema {
        let kind = schema["type"].as_str().map(str::to_owned);
        let text = schema.to_string();
        let validator = match self.compiled.get(&text) {
            Some(validator) => validator.clone(),
            None => {
                let validator = jsonschema::options()
                    .with_draft(Draft::Draft202012)
                    .with_registry(&self.registry)
                    .should_validate_formats(true)
                    .build(&with_absolute_references(schema))
                    .expect("a schema");
                let validator = Arc::new(validator);
                self.compiled.insert(text, validator.clone());
                validator
            }
        };
        CompiledSchema { validator, kind }
    }
}

fn with_absolute_references(schema: &Value) -> Value {
    let text = schema
        .to_string()
        .replace("\"$ref\":\"#/", &format!("\"$ref\":\"{DOCUMENT}#/"));
    serde_json::from_str(&text).expect("JSON")
}
