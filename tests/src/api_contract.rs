//! Checks requests and responses against the OpenAPI document.

mod document;
mod operation;
mod parameter;
mod response;
mod schema;
mod schema_error;

use std::collections::HashMap;
use std::sync::LazyLock;

use reqwest::Method;
use serde_json::Value;

use crate::ApiResponse;
use document::{close_sent_schemas, members, resolve};
use operation::Operation;
use response::DescribedResponse;
use schema::{CompiledSchema, SchemaCompiler};

static CONTRACT: LazyLock<ApiContract> = LazyLock::new(|| {
    let mut document = openapi::document();
    close_sent_schemas(&mut document);
    ApiContract::new(document)
});

const NOT_DESCRIBED: &str = "this status is not in the document";

/// The OpenAPI document with its schemas compiled.
pub struct ApiContract {
    document: Value,
    /// The operations by method and path.
    operations: HashMap<(String, String), Operation>,
    /// The schemas of messages to webhooks by kind of event.
    messages: HashMap<String, CompiledSchema>,
    unknown_path: DescribedResponse,
    unknown_method: DescribedResponse,
}

impl ApiContract {
    /// Returns the contract of this build's API, compiled on first use.
    pub fn get() -> &'static Self {
        &CONTRACT
    }

    fn new(document: Value) -> Self {
        let mut schemas = SchemaCompiler::new(&document);
        let mut operations = HashMap::new();
        for (path, methods) in members(&document["paths"]) {
            for (method, described) in members(methods) {
                let operation = Operation::new(&document, described, &mut schemas);
                operations.insert((method.to_uppercase(), path.clone()), operation);
            }
        }
        let mut messages = HashMap::new();
        for (kind, message) in members(&document["webhooks"]) {
            let schema = &message["post"]["requestBody"]["content"]["application/json"]["schema"];
            messages.insert(kind.clone(), schemas.compile(schema));
        }
        let [unknown_path, unknown_method] = ["UnknownPath", "MethodNotAllowed"].map(|name| {
            let described = &document["components"]["responses"][name];
            DescribedResponse::new(&document, described, &mut schemas)
        });
        drop(schemas);
        Self {
            document,
            operations,
            messages,
            unknown_path,
            unknown_method,
        }
    }

    /// Returns the OpenAPI document. Objects that the service sends have no properties beyond the described
    /// ones.
    pub fn document(&self) -> &Value {
        &self.document
    }

    /// Follows a `$ref` into the document. Returns any other value as it is.
    pub fn resolved<'a>(&'a self, value: &'a Value) -> &'a Value {
        resolve(&self.document, value)
    }

    /// Panics unless the response is one that the document describes for the request. `path` has the version
    /// prefix.
    #[track_caller]
    pub fn assert_conforms(&self, method: &Method, path: &str, response: &ApiResponse) {
        let violations = self.response_violations(method, path, response);
        assert!(
            violations.is_empty(),
            "{method} {path} {}: {violations}\n{}",
            response.status,
            response.body
        );
    }

    /// Returns the first violation of a response's body against the schema of its status. `path` has no
    /// version prefix.
    pub fn body_violation(&self, method: &str, path: &str, status: u16, body: &Value) -> Option<String> {
        let operation = self.operations.get(&(method.to_owned(), path.to_owned()));
        match operation.and_then(|operation| operation.response(status)) {
            Some(response) => response.body_violation(body),
            None => Some(NOT_DESCRIBED.to_owned()),
        }
    }

    /// Returns the first violation of a request against the description of its operation. `path` has no
    /// version prefix.
    pub fn request_violation(
        &self,
        method: &str,
        path: &str,
        query: &[(String, String)],
        body: Option<&Value>,
    ) -> Option<String> {
        match self.operations.get(&(method.to_owned(), path.to_owned())) {
            Some(operation) => operation.request_violation(query, body),
            None => Some("no such operation".to_owned()),
        }
    }

    /// Returns the first violation of a message to a webhook against the schema of its kind of event.
    pub fn message_violation(&self, message: &Value) -> Option<String> {
        match message["type"].as_str().and_then(|kind| self.messages.get(kind)) {
            Some(schema) => schema.violation(message),
            None => Some("no such kind of event".to_owned()),
        }
    }

    /// Returns the violations of a response, joined by semicolons. The text is empty if there are none.
    fn response_violations(&self, method: &Method, path: &str, response: &ApiResponse) -> String {
        let path = path.strip_prefix(api::BASE_PATH).unwrap_or_default();
        let operation = self.operations.get(&(method.to_string(), path.to_owned()));
        let is_path = || self.operations.keys().any(|(_, known)| known == path);
        let (status, described) = match operation {
            Some(operation) => (response.status, operation.response(response.status)),
            None if is_path() => (405, Some(&self.unknown_method)),
            None => (404, Some(&self.unknown_path)),
        };
        match described {
            Some(described) if status == response.status => described.violations(response),
            _ => NOT_DESCRIBED.to_owned(),
        }
    }
}
