//! A parameter as the document describes it.

use serde_json::Value;

use super::schema::{CompiledSchema, SchemaCompiler};

pub(super) struct Parameter {
    name: String,
    /// The value of `in`, such as `query`.
    location: String,
    is_required: bool,
    /// Whether the schema judges an empty value. Otherwise it counts as absent.
    judges_empty: bool,
    schema: CompiledSchema,
}

impl Parameter {
    pub(super) fn new(described: &Value, schemas: &mut SchemaCompiler<'_>) -> Self {
        let text = |name: &str| described[name].as_str().expect("a text").to_owned();
        Self {
            name: text("name"),
            location: text("in"),
            is_required: described["required"] == true,
            judges_empty: described["schema"].get("minLength").is_some(),
            schema: schemas.compile(&described["schema"]),
        }
    }

    pub(super) fn is_query(&self) -> bool {
        self.location == "query"
    }

    /// Returns the first violation of this parameter's values in a query. Empty values count as absent,
    /// unless the schema has a rule about their length.
    pub(super) fn violation(&self, query: &[(String, String)]) -> Option<String> {
        let given = query
            .iter()
            .filter(|(name, value)| *name == self.name && (self.judges_empty || !value.is_empty()));
        let values: Vec<&str> = given.map(|(_, value)| value.as_str()).collect();
        let value = match (values.as_slice(), self.schema.kind()) {
            ([], _) => return self.is_required.then(|| format!("{} is missing", self.name)),
            (several, Some("array")) => several
                .iter()
                .flat_map(|text| text.split(','))
                .map(Value::from)
                .collect(),
            ([one], _) => self.schema.parse(one),
            _ => return Some(format!("{} occurs more than once", self.name)),
        };
        let violation = self.schema.violation(&value);
        violation.map(|violation| format!("{}{violation}", self.name))
    }
}
