//! The OpenAPI document as a judge: what the service answers must be in it, to the letter, and requests can be asked
//! of it.

mod compiled;
mod explained;
mod request;

use std::collections::HashMap;
use std::sync::LazyLock;

use compiled::{Compiled, Schemas};
use reqwest::Method;
use serde_json::Value;

use crate::ApiResponse;
use explained::explained;
use request::Parameter;

/// The document, compiled once.
static INTERFACE: LazyLock<ApiContract> = LazyLock::new(|| {
    let mut document = openapi::document();
    close_responses(&mut document);
    ApiContract::new(document)
});

const NOT_DESCRIBED: &str = "this status is not in the document";

/// The OpenAPI document with everything that it says of requests and responses.
pub struct ApiContract {
    document: Value,
    operations: HashMap<(String, String), Operation>,
    unknown_path: Response,
    unknown_method: Response,
}

struct Operation {
    responses: HashMap<u16, Response>,
    parameters: Vec<Parameter>,
    body: Option<Compiled>,
}

struct Response {
    body: Compiled,
    /// The headers that must be there, and what their values must be.
    headers: Vec<(String, Compiled)>,
}

impl ApiContract {
    pub fn get() -> &'static Self {
        &INTERFACE
    }

    fn new(document: Value) -> Self {
        let mut schemas = Schemas::new(&document);
        let mut operations = HashMap::new();
        for (path, methods) in fields(&document["paths"]) {
            for (method, described) in fields(methods) {
                let operation = Operation::new(&document, described, &mut schemas);
                operations.insert((method.to_uppercase(), path.clone()), operation);
            }
        }
        let [unknown_path, unknown_method] = ["UnknownPath", "MethodNotAllowed"].map(|name| {
            let described = &document["components"]["responses"][name];
            Response::new(&document, described, &mut schemas)
        });
        drop(schemas);
        Self {
            document,
            operations,
            unknown_path,
            unknown_method,
        }
    }

    /// The document; objects of responses have no other properties in it than those that are described.
    pub fn document(&self) -> &Value {
        &self.document
    }

    /// What a reference stands for; anything else itself.
    pub fn resolved<'a>(&'a self, value: &'a Value) -> &'a Value {
        resolved(&self.document, value)
    }

    /// Fails unless the answer to this request is as it is described. `path` has the version prefix.
    #[track_caller]
    pub fn assert_conforms(&self, method: &Method, path: &str, answer: &ApiResponse) {
        let wrong = self.differences(method, path, answer);
        assert!(
            wrong.is_empty(),
            "{method} {path} {}: {wrong}\n{}",
            answer.status,
            answer.body
        );
    }

    /// In what a body differs from what is described for this status; `None` if it does not. `path` is without the
    /// version prefix.
    pub fn body_differences(&self, method: &str, path: &str, status: u16, body: &Value) -> Option<String> {
        let operation = self.operations.get(&(method.to_owned(), path.to_owned()));
        match operation.and_then(|operation| operation.responses.get(&status)) {
            Some(response) => response
                .body
                .iter_errors(body)
                .next()
                .map(|error| explained(&error)),
            None => Some(NOT_DESCRIBED.to_owned()),
        }
    }

    /// In what the answer differs from its description; nothing if it does not.
    fn differences(&self, method: &Method, path: &str, answer: &ApiResponse) -> String {
        let path = path.strip_prefix(api::BASE_PATH).unwrap_or_default();
        let operation = self.operations.get(&(method.to_string(), path.to_owned()));
        let is_path = || self.operations.keys().any(|(_, known)| known == path);
        let (status, response) = match operation {
            Some(operation) => (answer.status, operation.responses.get(&answer.status)),
            None if is_path() => (405, Some(&self.unknown_method)),
            None => (404, Some(&self.unknown_path)),
        };
        match response {
            Some(response) if status == answer.status => response.differences(answer),
            _ => NOT_DESCRIBED.to_owned(),
        }
    }
}

impl Operation {
    fn new(document: &Value, described: &Value, schemas: &mut Schemas<'_>) -> Self {
        let response = |(status, response): (&String, &Value), schemas: &mut Schemas<'_>| {
            let response = Response::new(document, response, schemas);
            (status.parse().expect("a status"), response)
        };
        let parameters = described["parameters"].as_array().into_iter().flatten();
        let body = &described["requestBody"]["content"]["application/json"]["schema"];
        Self {
            responses: fields(&described["responses"])
                .map(|one| response(one, schemas))
                .collect(),
            parameters: parameters
                .map(|one| Parameter::new(resolved(document, one), schemas))
                .collect(),
            body: body.is_object().then(|| schemas.compile(body)),
        }
    }
}

impl Response {
    fn new(document: &Value, described: &Value, schemas: &mut Schemas<'_>) -> Self {
        let described = resolved(document, described);
        let headers = fields(&described["headers"]).map(|(name, header)| {
            let header = resolved(document, header);
            assert_eq!(
                header["required"], true,
                "{name}: a header is there, or it is not described"
            );
            (name.clone(), schemas.compile(&header["schema"]))
        });
        let headers = headers.collect();
        let body = &described["content"]["application/json"]["schema"];
        Self {
            body: schemas.compile(body),
            headers,
        }
    }

    fn differences(&self, answer: &ApiResponse) -> String {
        let mut wrong: Vec<String> = Vec::new();
        for (name, schema) in &self.headers {
            match answer.header(name) {
                None => wrong.push(format!("the header {name} is missing")),
                Some(text) if !schema.is_valid(&request::typed(schema, text)) => {
                    wrong.push(format!("the header {name} is {text:?}"));
                }
                Some(_) => {}
            }
        }
        if answer.header("content-type") != Some("application/json") {
            wrong.push("it is not sent as JSON".to_owned());
        }
        wrong.extend(
            self.body
                .iter_errors(&answer.body)
                .take(3)
                .map(|error| explained(&error)),
        );
        wrong.join("; ")
    }
}

/// Leaves no room for properties that responses are not described with.
fn close_responses(document: &mut Value) {
    for (_, methods) in document["paths"].as_object_mut().into_iter().flatten() {
        for (_, operation) in methods.as_object_mut().into_iter().flatten() {
            close(&mut operation["responses"]);
        }
    }
    for kind in ["schemas", "responses"] {
        close(&mut document["components"][kind]);
    }
}

fn close(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            if fields.contains_key("properties") && !fields.contains_key("additionalProperties") {
                fields.insert("additionalProperties".to_owned(), false.into());
            }
            fields.values_mut().for_each(close);
        }
        Value::Array(values) => values.iter_mut().for_each(close),
        _ => {}
    }
}

fn fields(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn resolved<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    match value["$ref"].as_str() {
        Some(place) => document
            .pointer(place.trim_start_matches('#'))
            .expect("a reference leads somewhere"),
        None => value,
    }
}
