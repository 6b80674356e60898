//! A response as the document describes it.

use serde_json::Value;

use super::document::{members, resolve};
use super::schema::{CompiledSchema, SchemaCompiler};
use crate::ApiResponse;

pub(super) struct DescribedResponse {
    body: CompiledSchema,
    has_table: bool,
    /// Required headers: their names and the schemas of their values.
    headers: Vec<(String, CompiledSchema)>,
}

impl DescribedResponse {
    pub(super) fn new(document: &Value, described: &Value, schemas: &mut SchemaCompiler<'_>) -> Self {
        let described = resolve(document, described);
        let headers = members(&described["headers"]).map(|(name, header)| {
            let header = resolve(document, header);
            assert_eq!(
                header["required"], true,
                "{name}: every described header is required"
            );
            (name.clone(), schemas.compile(&header["schema"]))
        });
        let headers = headers.collect();
        let body = &described["content"]["application/json"]["schema"];
        Self {
            body: schemas.compile(body),
            has_table: described["content"]["text/csv"].is_object(),
            headers,
        }
    }

    /// Returns the first violation of the body's schema.
    pub(super) fn body_violation(&self, body: &Value) -> Option<String> {
        self.body.violation(body)
    }

    /// Returns the violations of a response, joined by semicolons. The text is empty if there are none.
    pub(super) fn violations(&self, response: &ApiResponse) -> String {
        let mut violations: Vec<String> = Vec::new();
        for (name, schema) in &self.headers {
            match response.header(name) {
                None => violations.push(format!("the header {name} is missing")),
                Some(text) if schema.violation(&schema.parse(text)).is_some() => {
                    violations.push(format!("the header {name} is {text:?}"));
                }
                Some(_) => {}
            }
        }
        let media = response.header("content-type").unwrap_or_default();
        if media == "application/json" {
            violations.extend(self.body.violations(&response.body).take(3));
        } else if !(self.has_table && media.starts_with("text/csv")) {
            violations.push(format!("the content type {media:?} is not described"));
        }
        violations.join("; ")
    }
}
