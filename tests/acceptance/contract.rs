//! The contract that every endpoint must meet. Each endpoint group declares a good request of each endpoint,
//! the inputs come from the routes, and `coverage` fails for a route without a request.

pub(crate) mod coverage;
mod declared_inputs;
mod fixture;
mod idempotency;
pub(crate) mod inputs;
mod invalid_input;
mod key_scopes;
mod keys;
mod methods;
mod outages;
pub(crate) mod request_variants;
mod subscription;
pub(crate) mod tenants;

use acceptance::{ApiResponse, World};
use reqwest::Method;
use serde_json::Value;

pub(crate) use fixture::Fixture;
use inputs::{InputKind, RequestVariant};
use request_variants::REQUEST_VARIANTS;

/// The cases of every endpoint group.
pub(crate) const ALL: [&[Endpoint]; 8] = [
    crate::actions::CASES,
    crate::analytics::CASES,
    crate::domain_groups::CASES,
    crate::entities::CASES,
    crate::prompts::CASES,
    crate::tags::CASES,
    crate::webhooks::CASES,
    crate::workspace::CASES,
];

/// A good request of one endpoint.
pub(crate) struct Endpoint {
    /// Method and path, for example `GET /entities`.
    pub(crate) route: &'static str,
    /// A request that succeeds, with every field or parameter that has a rule.
    pub(crate) request: fn(&Fixture) -> RequestInput,
}

/// The query and body of a request.
#[derive(Debug, Clone, Default)]
pub(crate) struct RequestInput {
    pub(crate) query: Vec<(String, String)>,
    pub(crate) body: Option<Value>,
}

impl Endpoint {
    pub(crate) fn method(&self) -> Method {
        let (method, _) = self.route.split_once(' ').unwrap();
        method.parse().unwrap()
    }

    pub(crate) fn path(&self) -> &'static str {
        self.route.split_once(' ').unwrap().1
    }

    /// Returns the parameter or field with the id of the subject, or `None` if the subject is the workspace.
    pub(crate) fn subject(&self) -> Option<&'static str> {
        let variant = self.variants().next()?;
        let is_subject = |name: &&str| matches!(variant.kind(name), InputKind::Subject(_));
        variant.required.iter().copied().find(is_subject)
    }

    /// Returns the forms of the endpoint's request.
    pub(crate) fn variants(&self) -> impl Iterator<Item = &'static RequestVariant> {
        let route = self.route;
        REQUEST_VARIANTS
            .iter()
            .filter(move |variant| variant.route == route)
    }

    /// Returns requests that each have one wrong input, with what their errors begin with.
    pub(crate) fn wrong(&self, fixture: &Fixture) -> Vec<(String, RequestInput)> {
        self.variants()
            .flat_map(|variant| variant.wrong(fixture))
            .collect()
    }

    pub(crate) fn is_read(&self) -> bool {
        self.method() == Method::GET
    }

    pub(crate) fn takes_body(&self) -> bool {
        matches!(self.method(), Method::POST | Method::PATCH)
    }

    /// Sends a request with a key or without one.
    pub(crate) async fn send(&self, world: &World, key: Option<&str>, sent: &RequestInput) -> ApiResponse {
        let mut request = world.request(self.method(), &format!("{}{}", self.path(), sent.encoded()));
        if let Some(key) = key {
            request = request.bearer_auth(key);
        }
        if let Some(body) = &sent.body {
            request = request.json(body);
        }
        World::execute(request).await
    }
}

impl RequestInput {
    pub(crate) fn query(parameters: &[(&str, &str)]) -> Self {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        Self {
            query: parameters.iter().map(owned).collect(),
            body: None,
        }
    }

    pub(crate) fn body(body: Value) -> Self {
        Self {
            query: Vec::new(),
            body: Some(body),
        }
    }

    /// Returns the encoded query with its question mark, or an empty text.
    pub(crate) fn encoded(&self) -> String {
        let mut url = reqwest::Url::parse("http://localhost").unwrap();
        if !self.query.is_empty() {
            url.query_pairs_mut().extend_pairs(&self.query);
        }
        url.query().map_or_else(String::new, |query| format!("?{query}"))
    }

    /// Replaces a parameter or field.
    pub(crate) fn with(&self, name: &str, value: &Value) -> Self {
        let mut sent = self.without(name);
        match (&mut sent.body, value) {
            (Some(body), value) => body[name] = value.clone(),
            (None, Value::String(text)) => sent.query.push((name.to_owned(), text.clone())),
            (None, value) => panic!("{value} is no parameter"),
        }
        sent
    }

    pub(crate) fn without(&self, name: &str) -> Self {
        let mut sent = self.clone();
        sent.query.retain(|(known, _)| known != name);
        if let Some(fields) = sent.body.as_mut().and_then(Value::as_object_mut) {
            fields.remove(name);
        }
        sent
    }
}

/// Returns every endpoint of every group.
pub(crate) fn endpoints() -> impl Iterator<Item = &'static Endpoint> {
    ALL.into_iter().flatten()
}
