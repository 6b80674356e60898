//! Whether a request is one that the document describes.

use serde_json::{Value, json};

use super::ApiContract;
use super::compiled::{Compiled, Schemas};
use super::explained::explained;

/// A query parameter.
pub(super) struct Parameter {
    name: String,
    place: String,
    is_required: bool,
    schema: Compiled,
}

impl Parameter {
    pub(super) fn new(described: &Value, schemas: &mut Schemas<'_>) -> Self {
        let text = |name: &str| described[name].as_str().expect("a text").to_owned();
        Self {
            name: text("name"),
            place: text("in"),
            is_required: described["required"] == true,
            schema: schemas.compile(&described["schema"]),
        }
    }

    fn differences(&self, query: &[(String, String)]) -> Option<String> {
        let given = query
            .iter()
            .filter(|(name, value)| *name == self.name && !value.is_empty());
        let values: Vec<&str> = given.map(|(_, value)| value.as_str()).collect();
        let value = match (values.as_slice(), self.schema.kind.as_deref()) {
            ([], _) => return self.is_required.then(|| format!("{} is missing", self.name)),
            (several, Some("array")) => several
                .iter()
                .flat_map(|text| text.split(','))
                .map(Value::from)
                .collect(),
            ([one], _) => typed(&self.schema, one),
            _ => return Some(format!("{} is there twice", self.name)),
        };
        let error = self.schema.iter_errors(&value).next();
        error.map(|error| format!("{}{}", self.name, explained(&error)))
    }
}

/// A text as the type that its schema has; what cannot be read stays a text.
pub(super) fn typed(schema: &Compiled, text: &str) -> Value {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    match (schema.kind.as_deref(), text) {
        (Some("integer"), _) if digits => serde_json::from_str(text).unwrap_or_else(|_| json!(text)),
        (Some("boolean"), "true" | "false") => json!(text == "true"),
        _ => json!(text),
    }
}

impl ApiContract {
    /// In what a request differs from its operation's description; `None` if it does not. `path` is without the
    /// version prefix.
    pub fn request_differences(
        &self,
        method: &str,
        path: &str,
        query: &[(String, String)],
        body: Option<&Value>,
    ) -> Option<String> {
        let operation = self.operations.get(&(method.to_owned(), path.to_owned()));
        let Some(operation) = operation else {
            return Some("no such operation".to_owned());
        };
        let of_query = operation
            .parameters
            .iter()
            .filter(|parameter| parameter.place == "query");
        let wrong = of_query
            .filter_map(|parameter| parameter.differences(query))
            .next();
        let of_body = |schema: &Compiled| match body {
            None => Some("the body is missing".to_owned()),
            Some(body) => schema.iter_errors(body).next().map(|error| explained(&error)),
        };
        wrong.or_else(|| operation.body.as_ref().and_then(of_body))
    }
}
