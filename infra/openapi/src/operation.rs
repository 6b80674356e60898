//! An operation, and its entry in the document.

use std::collections::BTreeMap;

use api::parameters::FORMAT;
use api::{Columns, Endpoint, Method, Reach};
use domain::limits::{MAX_BODY_BYTES, READS_PER_MINUTE, WRITES_PER_MINUTE};
use schemars::JsonSchema;
use serde_json::{Map, Value, json};

use crate::components::{pascal_case, titled};
use crate::errors::{self, headers_of_key, named};
use crate::parameters::parameter;
use crate::request_schemas;
use crate::response_schemas::{ResponseSchemas, SchemaOf};

/// The operations of a tag.
pub(crate) struct Tag {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    pub(crate) operations: Vec<Operation>,
}

/// A method of a path.
pub(crate) struct Operation {
    pub(crate) method: Method,
    /// The path without the version prefix.
    pub(crate) path: &'static str,
    pub(crate) id: &'static str,
    summary: &'static str,
    description: String,
    is_extension: bool,
    request_example: Value,
    condition: Value,
    responses: Vec<Response>,
    errors: Vec<Error>,
    links: Vec<Link>,
}

/// A successful response. The schema and the example do not contain `success`.
struct Response {
    /// The type's name in the document.
    name: String,
    schema_of: SchemaOf,
    example: Value,
}

struct Error {
    status: u16,
    text: String,
}

struct Link {
    operation: &'static str,
    /// The values of the operation's parameters or of the fields of its body, as runtime expressions.
    values: Value,
}

/// A response that has no properties but `success`.
#[derive(JsonSchema)]
struct NoProperties {}

impl Operation {
    pub(crate) fn new(method: Method, path: &'static str, id: &'static str, summary: &'static str) -> Self {
        Self {
            method,
            path,
            id,
            summary,
            description: String::new(),
            is_extension: false,
            request_example: Value::Null,
            condition: Value::Null,
            responses: Vec::new(),
            errors: Vec::new(),
            links: Vec::new(),
        }
    }

    pub(crate) fn description(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// Marks the operation as one that is not in the contract.
    pub(crate) fn extension(mut self) -> Self {
        self.is_extension = true;
        self
    }

    /// Adds an example of the body.
    pub(crate) fn request_body(mut self, example: Value) -> Self {
        self.request_example = example;
        self
    }

    /// Adds keywords that a valid body meets besides those of its fields.
    pub(crate) fn condition(mut self, keywords: Value) -> Self {
        self.condition = keywords;
        self
    }

    /// Adds a successful response: the type that the function serializes, and an example. Both are without
    /// `success`. If an operation has several responses, a request gets one of them, and each is a component
    /// with the name of its type.
    pub(crate) fn response<T: JsonSchema>(mut self, example: Value) -> Self {
        self.responses.push(Response {
            name: T::schema_name().into_owned(),
            schema_of: T::json_schema,
            example,
        });
        self
    }

    /// Adds a successful response that has no properties but `success`.
    pub(crate) fn empty_response(self) -> Self {
        self.response::<NoProperties>(json!({}))
    }

    /// Adds an error that is not common to all operations, by an example of its text.
    pub(crate) fn error(mut self, status: u16, text: impl Into<String>) -> Self {
        self.errors.push(Error {
            status,
            text: text.into(),
        });
        self
    }

    /// Adds a link to an operation that accepts values of the response. `values` are those of the operation's
    /// parameters or of the fields of its body, as runtime expressions.
    pub(crate) fn link(mut self, operation: &'static str, values: Value) -> Self {
        self.links.push(Link { operation, values });
        self
    }

    pub(crate) fn has_request_body(&self) -> bool {
        matches!(self.method, Method::Post | Method::Patch)
    }

    /// Returns the operation's entry in the document. `has_request_body` returns whether the operation with
    /// an id has a body.
    pub(crate) fn entry(
        &self,
        tag: &str,
        endpoint: &Endpoint,
        schemas: &mut ResponseSchemas,
        has_request_body: impl Fn(&str) -> bool,
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
        entry.insert("x-rate-limit".into(), self.rate_limit());
        let mut parameters: Vec<Value> = endpoint.query.iter().map(parameter).collect();
        if !endpoint.columns.is_empty() {
            parameters.push(parameter(&FORMAT));
        }
        if self.method == Method::Post {
            parameters.push(json!({"$ref": "#/components/parameters/IdempotencyKey"}));
        }
        if !parameters.is_empty() {
            entry.insert("parameters".into(), parameters.into());
        }
        if let Some(body) = request_schemas::body(endpoint, &self.condition) {
            entry.insert("requestBody".into(), self.request_body_of(body));
        }
        entry.insert(
            "responses".into(),
            self.responses(endpoint, schemas, has_request_body),
        );
        entry.into()
    }

    fn request_body_of(&self, schema: Value) -> Value {
        let schema = titled(&self.component("Request"), schema);
        let content = json!({"application/json": {"schema": schema, "example": self.request_example}});
        let description =
            format!("A JSON object of at most {MAX_BODY_BYTES} bytes. Its `Content-Type` is ignored.");
        json!({"description": description, "required": true, "content": content})
    }

    /// Returns the name of the component of the operation's body or of its successful response.
    fn component(&self, part: &str) -> String {
        format!("{}{part}", pascal_case(self.id))
    }

    fn rate_limit(&self) -> Value {
        let requests = match self.method {
            Method::Get => READS_PER_MINUTE,
            _ => WRITES_PER_MINUTE,
        };
        json!({"requests": requests, "per": "minute", "of": "key"})
    }

    fn responses(
        &self,
        endpoint: &Endpoint,
        schemas: &mut ResponseSchemas,
        has_request_body: impl Fn(&str) -> bool,
    ) -> Value {
        let mut responses = Map::new();
        let success = self.success(endpoint.columns, schemas, has_request_body);
        responses.insert("200".into(), success);
        for (status, texts) in self.error_texts(endpoint) {
            responses.insert(status.to_string(), errors::response(status, &texts));
        }
        for (status, name) in [
            (401, "Unauthorized"),
            (413, "TooLarge"),
            (429, "TooMany"),
            (500, "Internal"),
            (503, "Unavailable"),
        ] {
            let common = json!({"$ref": format!("#/components/responses/{name}")});
            responses.entry(status.to_string()).or_insert(common);
        }
        responses.sort_keys();
        responses.into()
    }

    fn success(
        &self,
        columns: Columns,
        schemas: &mut ResponseSchemas,
        has_request_body: impl Fn(&str) -> bool,
    ) -> Value {
        let all = self.responses.iter();
        let schema = match self.responses.as_slice() {
            [response] => schemas.success(response.schema_of),
            several => {
                let form = |response: &Response| titled(&response.name, schemas.success(response.schema_of));
                json!({"oneOf": several.iter().map(form).collect::<Vec<_>>()})
            }
        };
        let mut content = json!({"schema": titled(&self.component("Reply"), schema)});
        match self.responses.as_slice() {
            [response] => content["example"] = response.full_example(),
            _ => content["examples"] = named(all.map(Response::full_example)),
        }
        let mut success = json!({
            "description": "Success",
            "headers": headers_of_key(),
            "content": {"application/json": content},
        });
        if !columns.is_empty() {
            success["content"]["text/csv"] = table(columns);
        }
        let entry = |link: &Link| {
            let target = link.operation;
            // OpenAPI takes any value as a link's `requestBody`, and openapi-generator only a string.
            let part = if has_request_body(target) {
                "x-request-body"
            } else {
                "parameters"
            };
            (
                target.to_owned(),
                json!({"operationId": target, part: link.values}),
            )
        };
        let links: Map<String, Value> = self.links.iter().map(entry).collect();
        if !links.is_empty() {
            success["links"] = links.into();
        }
        success
    }

    /// Returns the texts of the errors that are not common to all operations, by status.
    fn error_texts(&self, endpoint: &Endpoint) -> BTreeMap<u16, Vec<&str>> {
        let mut texts: BTreeMap<u16, Vec<&str>> = BTreeMap::new();
        for error in &self.errors {
            texts.entry(error.status).or_default().push(&error.text);
        }
        if self.has_request_body() {
            texts.entry(400).or_default().push("body must be a JSON object");
        }
        if self.method != Method::Get {
            let texts = texts.entry(403).or_default();
            texts.extend([
                "The subscription is canceled",
                "The subscription has ended",
                "This key may only read",
            ]);
        }
        if !endpoint.columns.is_empty() {
            texts.entry(400).or_default().push("format must be json or csv");
        }
        if endpoint.reach == Reach::Workspace {
            texts
                .entry(403)
                .or_default()
                .push("This key reaches only its entities");
        }
        if self.method == Method::Post {
            let conflict = "Idempotency-Key was used with another body in the last 24 hours";
            texts.entry(409).or_default().push(conflict);
        }
        if let Some(texts) = texts.get_mut(&429) {
            texts.push("Rate limit exceeded");
        }
        texts
    }
}

/// Returns the description of a CSV table.
fn table(columns: Columns) -> Value {
    json!({
        "schema": {"type": "string", "description": "The rows as a table by RFC 4180, with the names of the fields in the first row"},
        "example": format!("{}\r\n", columns.join(",")),
    })
}

impl Response {
    fn full_example(&self) -> Value {
        let mut example = json!({"success": true});
        if let (Some(example), Some(own)) = (example.as_object_mut(), self.example.as_object()) {
            example.extend(own.clone());
        }
        example
    }
}
