//! An operation as the document describes it.

use std::collections::HashMap;

use serde_json::Value;

use super::document::{members, resolve};
use super::parameter::Parameter;
use super::response::DescribedResponse;
use super::schema::{CompiledSchema, SchemaCompiler};

pub(super) struct Operation {
    /// The responses by status.
    responses: HashMap<u16, DescribedResponse>,
    parameters: Vec<Parameter>,
    body: Option<CompiledSchema>,
}

impl Operation {
    pub(super) fn new(document: &Value, described: &Value, schemas: &mut SchemaCompiler<'_>) -> Self {
        let response = |(status, response): (&String, &Value), schemas: &mut SchemaCompiler<'_>| {
            let response = DescribedResponse::new(document, response, schemas);
            (status.parse().expect("a status"), response)
        };
        let parameters = described["parameters"].as_array().into_iter().flatten();
        let body = &described["requestBody"]["content"]["application/json"]["schema"];
        Self {
            responses: members(&described["responses"])
                .map(|one| response(one, schemas))
                .collect(),
            parameters: parameters
                .map(|one| Parameter::new(resolve(document, one), schemas))
                .collect(),
            body: body.is_object().then(|| schemas.compile(body)),
        }
    }

    pub(super) fn response(&self, status: u16) -> Option<&DescribedResponse> {
        self.responses.get(&status)
    }

    /// Returns the first violation of a request's query parameters or body.
    pub(super) fn request_violation(
        &self,
        query: &[(String, String)],
        body: Option<&Value>,
    ) -> Option<String> {
        let parameters = self.parameters.iter().filter(|parameter| parameter.is_query());
        let query_violation = parameters
            .filter_map(|parameter| parameter.violation(query))
            .next();
        let body_violation = |schema: &CompiledSchema| match body {
            None => Some("the body is missing".to_owned()),
            Some(body) => schema.violation(body),
        };
        query_violation.or_else(|| self.body.as_ref().and_then(body_violation))
    }
}
