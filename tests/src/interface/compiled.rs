//! Schemas of a document, each compiled once.

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::Arc;

use jsonschema::{Draft, Registry, Validator};
use serde_json::Value;

/// Where schemas find the document that they refer to.
const DOCUMENT: &str = "urn:openapi";

/// A schema with the type that texts are read as.
#[derive(Clone)]
pub(super) struct Compiled {
    validator: Arc<Validator>,
    pub(super) kind: Option<String>,
}

impl Deref for Compiled {
    type Target = Validator;

    fn deref(&self) -> &Validator {
        &self.validator
    }
}

pub(super) struct Schemas<'a> {
    registry: Registry<'a>,
    compiled: HashMap<String, Arc<Validator>>,
}

impl<'a> Schemas<'a> {
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

    pub(super) fn compile(&mut self, schema: &Value) -> Compiled {
        let kind = schema["type"].as_str().map(str::to_owned);
        let text = schema.to_string();
        let validator = match self.compiled.get(&text) {
            Some(validator) => validator.clone(),
            None => {
                let validator = jsonschema::options()
                    .with_draft(Draft::Draft202012)
                    .with_registry(&self.registry)
                    .should_validate_formats(true)
                    .build(&absolute(schema))
                    .expect("a schema");
                let validator = Arc::new(validator);
                self.compiled.insert(text, validator.clone());
                validator
            }
        };
        Compiled { validator, kind }
    }
}

/// The schema with references into the document, wherever it is looked at from.
fn absolute(schema: &Value) -> Value {
    let text = schema
        .to_string()
        .replace("\"$ref\":\"#/", &format!("\"$ref\":\"{DOCUMENT}#/"));
    serde_json::from_str(&text).expect("JSON")
}
