//! An operation, and its entry in the document.

use std::collections::BTreeMap;

use api::parameters::FORMAT;
use api::{ApiError, Body, Columns, Endpoint, Input, Kind, Method, Reach, Resource};
use domain::id::{ActionableId, EntityId, GroupId, OfEntity, PromptId, ResponseId, TagId, TaskId, WebhookId};
use domain::limits::{MAX_BODY_BYTES, READS_PER_MINUTE, WRITES_PER_MINUTE};
use schemars::JsonSchema;
use serde_json::{Map, Value, json};

use crate::components::{pascal_case, titled};
use crate::endpoints;
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

/// What an endpoint does, beside what its route says.
pub(crate) struct Operation {
    pub(crate) id: &'static str,
    summary: &'static str,
    description: String,
    is_extension: bool,
    request_example: Value,
    condition: Value,
    responses: Vec<Response>,
    /// The errors that are not common to all operations: the status, and an example of the text.
    errors: Vec<(u16, String)>,
    /// The operations that take values of the response: the id, and the values of its parameters or of the
    /// fields of its body, as runtime expressions.
    links: Vec<(&'static str, Map<String, Value>)>,
}

/// A successful response. The schema and the example do not contain `success`.
struct Response {
    /// The type's name in the document.
    name: String,
    schema_of: SchemaOf,
    example: Value,
}

/// A response that has no properties but `success`.
#[derive(JsonSchema)]
struct NoProperties {}

impl Operation {
    /// Describes the endpoint whose route has this id.
    pub(crate) fn new(id: &'static str, summary: &'static str) -> Self {
        Self {
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
        self.errors.push((status, text.into()));
        self
    }

    /// Adds an error that the endpoint returns.
    pub(crate) fn refusal(self, error: impl Into<ApiError>) -> Self {
        let error = error.into();
        self.error(error.status().as_u16(), error.message())
    }

    /// Adds a link to the operation `id`, which takes `value` as its parameter or its body's field `name`.
    pub(crate) fn link(mut self, id: &'static str, name: &str, value: impl Into<Value>) -> Self {
        self.links.push((id, Map::new()));
        self.with(name, value)
    }

    /// Adds another value to the last link.
    pub(crate) fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        if let Some((_, values)) = self.links.last_mut() {
            values.insert(name.to_owned(), value.into());
        }
        self
    }

    /// Returns the operation's entry in the document.
    pub(crate) fn entry(&self, tag: &str, endpoint: &Endpoint, schemas: &mut ResponseSchemas) -> Value {
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
        let rate = match endpoint.method {
            Method::Get => READS_PER_MINUTE,
            _ => WRITES_PER_MINUTE,
        };
        let rate = json!({"requests": rate, "per": "minute", "of": "key"});
        entry.insert("x-rate-limit".into(), rate);
        let mut parameters: Vec<Value> = endpoint.query.iter().map(parameter).collect();
        if !endpoint.columns.is_empty() {
            parameters.push(parameter(&FORMAT));
        }
        if endpoint.method == Method::Post {
            parameters.push(json!({"$ref": "#/components/parameters/IdempotencyKey"}));
        }
        if !parameters.is_empty() {
            entry.insert("parameters".into(), parameters.into());
        }
        if let Some(body) = request_schemas::body(endpoint, &self.condition) {
            entry.insert("requestBody".into(), self.request_body_of(body));
        }
        entry.insert("responses".into(), self.responses(endpoint, schemas));
        entry.into()
    }

    fn request_body_of(&self, schema: Value) -> Value {
        let schema = titled(&self.component("Request"), schema);
        let content = json!({"application/json": {"schema": schema, "example": self.request_example}});
        let description =
            format!("A JSON object of at most {MAX_BODY_BYTES} bytes. Its `Content-Type` is ignored.");
        json!({"description": description, "required": true, "content": content})
    }

    fn component(&self, part: &str) -> String {
        format!("{}{part}", pascal_case(self.id))
    }

    fn responses(&self, endpoint: &Endpoint, schemas: &mut ResponseSchemas) -> Value {
        let mut responses = Map::new();
        responses.insert("200".into(), self.success(endpoint.columns, schemas));
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

    fn success(&self, columns: Columns, schemas: &mut ResponseSchemas) -> Value {
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
            _ => content["examples"] = named(self.responses.iter().map(Response::full_example)),
        }
        let mut success = json!({
            "description": "Success",
            "headers": headers_of_key(),
            "content": {"application/json": content},
        });
        if !columns.is_empty() {
            success["content"]["text/csv"] = table(columns);
        }
        let entry = |(id, values): &(&str, Map<String, Value>)| {
            let has_body = endpoints::all().any(|other| other.id == *id && has_body(&other));
            // OpenAPI takes any value as a link's `requestBody`, and openapi-generator only a string.
            let part = if has_body { "x-request-body" } else { "parameters" };
            ((*id).to_owned(), json!({"operationId": id, part: values}))
        };
        let links: Map<String, Value> = self.links.iter().map(entry).collect();
        if !links.is_empty() {
            success["links"] = links.into();
        }
        success
    }

    /// Returns the texts of the errors that are not common to all operations, by status. What is required and
    /// which items must exist, the route tells.
    fn error_texts(&self, endpoint: &Endpoint) -> BTreeMap<u16, Vec<String>> {
        let mut texts: BTreeMap<u16, Vec<String>> = BTreeMap::new();
        let mut add = |status, text: &str| texts.entry(status).or_default().push(text.to_owned());
        let inputs = inputs(endpoint);
        let required = || inputs.iter().filter(|input| input.is_required);
        if !self.errors.iter().any(|(status, _)| *status == 400)
            && let Some(first) = required().next()
        {
            add(400, &format!("{} is required", first.name));
        }
        let item = |input: &Input| match input.kind {
            Kind::Subject(of) => item_name(of),
            _ => None,
        };
        let items: Vec<&str> = if has_body(endpoint) {
            // The body of a request about an item of another one names both.
            required().filter_map(item).next_back().into_iter().collect()
        } else {
            inputs.iter().filter_map(item).collect()
        };
        for item in items {
            add(404, &format!("{item} not found"));
        }
        for (status, text) in &self.errors {
            add(*status, text);
        }
        if has_body(endpoint) {
            add(400, "body must be a JSON object");
        }
        if endpoint.method != Method::Get {
            add(403, "The subscription is canceled");
            add(403, "The subscription has ended");
            add(403, "This key may only read");
        }
        if !endpoint.columns.is_empty() {
            add(400, "format must be json or csv");
        }
        if endpoint.reach == Reach::Workspace {
            add(403, "This key reaches only its entities");
        }
        if endpoint.method == Method::Post {
            let conflict = "Idempotency-Key was used with another body in the last 24 hours";
            add(409, conflict);
        }
        if let Some(texts) = texts.get_mut(&429) {
            texts.push("Rate limit exceeded".to_owned());
        }
        texts
    }
}

fn has_body(endpoint: &Endpoint) -> bool {
    endpoint.body != Body::None
}

fn inputs(endpoint: &Endpoint) -> &'static [Input] {
    match endpoint.body {
        Body::None => endpoint.query,
        Body::Fields(fields) => fields,
        Body::OneOf(forms) => forms.first().map_or(&[], |(_, fields)| fields),
    }
}

/// Returns the name in errors of what an id identifies. A brand that is no member of a request's lists is no
/// error.
fn item_name(of: Resource) -> Option<&'static str> {
    match of {
        Resource::Entity => Some(EntityId::ITEM),
        Resource::Prompt => Some(PromptId::ITEM),
        Resource::Group => Some(GroupId::ITEM),
        Resource::Actionable => Some(ActionableId::ITEM),
        Resource::Task => Some(TaskId::ITEM),
        Resource::Tag => Some(TagId::ITEM),
        Resource::Webhook => Some(WebhookId::ITEM),
        Resource::Response => Some(ResponseId::ITEM),
        Resource::Delivery => Some("Delivery"),
        Resource::Member | Resource::Brand | Resource::Model => None,
    }
}

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
