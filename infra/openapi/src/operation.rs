//! An operation, and how it is written into the document.

use std::collections::BTreeMap;

use api::Method;
use domain::limits::{MAX_BODY_BYTES, READS_PER_MINUTE, WRITES_PER_MINUTE};
use schemars::JsonSchema;
use serde_json::{Map, Value, json};

use crate::errors::{error, numbered};
use crate::response_schemas::{ResponseSchemas, SchemaOf};
use crate::schema::{Field, field, object};

/// One method of one path.
pub(crate) struct Operation {
    pub(crate) method: Method,
    /// Without the version prefix.
    pub(crate) path: &'static str,
    pub(crate) id: &'static str,
    summary: &'static str,
    description: String,
    is_extension: bool,
    parameters: Vec<Value>,
    body: Option<(Value, Value)>,
    /// The bodies of a success, without `success` in their fields.
    replies: Vec<Vec<Field>>,
    /// The types of the bodies of a success, without `success`.
    responses: Vec<SchemaOf>,
    examples: Vec<Value>,
    /// The texts of its own errors by status.
    errors: Vec<(u16, String)>,
    links: Vec<(&'static str, Value)>,
}

/// The operations of a tag.
pub(crate) struct Group {
    pub(crate) tag: &'static str,
    pub(crate) description: &'static str,
    pub(crate) operations: Vec<Operation>,
}

impl Operation {
    pub(crate) fn new(method: Method, path: &'static str, id: &'static str, summary: &'static str) -> Self {
        Self {
            method,
            path,
            id,
            summary,
            description: String::new(),
            is_extension: false,
            parameters: Vec::new(),
            body: None,
            replies: Vec::new(),
            responses: Vec::new(),
            examples: Vec::new(),
            errors: Vec::new(),
            links: Vec::new(),
        }
    }

    pub(crate) fn description(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// It is not in the contract.
    pub(crate) fn extension(mut self) -> Self {
        self.is_extension = true;
        self
    }

    pub(crate) fn parameters(mut self, parameters: impl IntoIterator<Item = Value>) -> Self {
        self.parameters.extend(parameters);
        self
    }

    /// A JSON body, with an example.
    pub(crate) fn request_body(mut self, schema: Value, example: Value) -> Self {
        self.body = Some((schema, example));
        self
    }

    /// A success with `success` and these fields; more than one: one of them.
    pub(crate) fn response_fields(mut self, fields: impl IntoIterator<Item = Field>, example: Value) -> Self {
        self.replies.push(fields.into_iter().collect());
        self.examples.push(example);
        self
    }

    /// A success that is described by a type. `success` is added. Several: one of them.
    pub(crate) fn response<T: JsonSchema>(mut self, example: Value) -> Self {
        self.responses.push(T::json_schema);
        self.examples.push(example);
        self
    }

    /// An error of its own, by an example of its text.
    pub(crate) fn error(mut self, status: u16, text: impl Into<String>) -> Self {
        self.errors.push((status, text.into()));
        self
    }

    /// A value of the answer that another operation takes: its parameters, or its body, as runtime expressions.
    pub(crate) fn link(mut self, operation: &'static str, values: Value) -> Self {
        self.links.push((operation, values));
        self
    }

    pub(crate) fn has_request_body(&self) -> bool {
        self.body.is_some()
    }

    /// The document's entry. `has_body` tells whether a linked operation takes its values in its body.
    pub(crate) fn entry(
        &self,
        tag: &str,
        schemas: &mut ResponseSchemas,
        has_body: impl Fn(&str) -> bool,
    ) -> Value {
        let mut entry = Map::new();
        entry.insert("operationId".into(), self.id.into());
        entry.insert("tags".into(), json!([tag]));
        entry.insert("summary".into(), self.summary.into());
        if !self.description.is_empty() {
            entry.insert("description".into(), self.description.clone().into());
        }
        if self.is_extension {
            entry.insert("x-extension".into(), true.into());
        }
        let most = if self.method == Method::Get {
            READS_PER_MINUTE
        } else {
            WRITES_PER_MINUTE
        };
        entry.insert(
            "x-rate-limit".into(),
            json!({"requests": most, "per": "minute", "of": "key"}),
        );
        let mut parameters = self.parameters.clone();
        if self.method == Method::Post {
            parameters.push(json!({"$ref": "#/components/parameters/IdempotencyKey"}));
        }
        if !parameters.is_empty() {
            entry.insert("parameters".into(), parameters.into());
        }
        if let Some((schema, example)) = &self.body {
            let content = json!({"application/json": {"schema": schema, "example": example}});
            let description = format!(
                "A JSON object of at most {MAX_BODY_BYTES} bytes; its `Content-Type` is not looked at"
            );
            let body = json!({"description": description, "required": true, "content": content});
            entry.insert("requestBody".into(), body);
        }
        entry.insert("responses".into(), self.responses(schemas, has_body));
        entry.into()
    }

    fn responses(&self, schemas: &mut ResponseSchemas, has_body: impl Fn(&str) -> bool) -> Value {
        let mut responses = Map::new();
        responses.insert("200".into(), self.success(schemas, has_body));
        for (status, texts) in self.own_errors() {
            responses.insert(status.to_string(), error(status, &texts));
        }
        for (status, name) in [
            (401, "Unauthorized"),
            (413, "TooLarge"),
            (429, "TooMany"),
            (500, "Internal"),
            (503, "Unavailable"),
        ] {
            let of_all = json!({"$ref": format!("#/components/responses/{name}")});
            responses.entry(status.to_string()).or_insert(of_all);
        }
        responses.sort_keys();
        responses.into()
    }

    fn success(&self, schemas: &mut ResponseSchemas, has_body: impl Fn(&str) -> bool) -> Value {
        let success = || field("success", json!({"const": true, "description": "Always true"}));
        let reply = |fields: &Vec<Field>| object(std::iter::once(success()).chain(fields.iter().cloned()));
        let mut replies: Vec<Value> = self.replies.iter().map(reply).collect();
        replies.extend(self.responses.iter().map(|schema_of| schemas.success(*schema_of)));
        let schema = match replies.len() {
            1 => replies.remove(0),
            _ => json!({"oneOf": replies}),
        };
        let mut content = json!({"schema": schema});
        match self.examples.as_slice() {
            [example] => content["example"] = shown(example),
            examples => content["examples"] = numbered(examples.iter().map(shown)),
        }
        let mut response = json!({
            "description": "Success",
            "headers": {"x-request-id": {"$ref": "#/components/headers/RequestId"}},
            "content": {"application/json": content},
        });
        let link = |(target, values): &(&'static str, Value)| {
            let part = if has_body(target) {
                "requestBody"
            } else {
                "parameters"
            };
            ((*target).to_owned(), json!({"operationId": target, part: values}))
        };
        let links: Map<String, Value> = self.links.iter().map(link).collect();
        if !links.is_empty() {
            response["links"] = links.into();
        }
        response
    }

    /// The texts of all errors that not every operation has.
    fn own_errors(&self) -> BTreeMap<u16, Vec<&str>> {
        let mut errors: BTreeMap<u16, Vec<&str>> = BTreeMap::new();
        for (status, text) in &self.errors {
            errors.entry(*status).or_default().push(text);
        }
        if self.body.is_some() {
            errors.entry(400).or_default().push("body must be a JSON object");
        }
        if self.method != Method::Get {
            errors
                .entry(403)
                .or_default()
                .push("The subscription is canceled");
        }
        if self.method == Method::Post {
            errors
                .entry(409)
                .or_default()
                .push("Idempotency-Key was used with another body in the last 24 hours");
        }
        if let Some(texts) = errors.get_mut(&429) {
            texts.push("Rate limit exceeded");
        }
        errors
    }
}

/// An example of a success.
fn shown(fields: &Value) -> Value {
    let mut example = json!({"success": true});
    if let (Some(example), Some(fields)) = (example.as_object_mut(), fields.as_object()) {
        example.extend(fields.clone());
    }
    example
}
