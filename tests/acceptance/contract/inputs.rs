//! The inputs of each endpoint and the values that they accept.

pub(crate) use api::{Kind as InputKind, Resource as ResourceKind};
use serde_json::{Value, json};

use super::{Endpoint, Fixture, RequestInput, endpoints};

/// One form of request to an endpoint: a request that succeeds, and the location of every input in it.
pub(crate) struct RequestVariant {
    /// Method and path, for example `GET /entities`.
    pub(crate) route: &'static str,
    /// The request, or `None` for the endpoint's default request.
    pub(crate) request: Option<fn(&Fixture) -> RequestInput>,
    /// Each place (see [`RequestInput::at`]) with what it takes.
    pub(crate) inputs: Vec<(&'static str, InputKind)>,
    /// The names that must be given, for the endpoint's default request.
    pub(crate) required: Vec<&'static str>,
}

impl RequestVariant {
    pub(crate) fn endpoint(&self) -> &'static Endpoint {
        endpoints().find(|endpoint| endpoint.route == self.route).unwrap()
    }

    pub(crate) fn good(&self, fixture: &Fixture) -> RequestInput {
        self.request.unwrap_or(self.endpoint().request)(fixture)
    }

    /// Returns the kind of the input at a location.
    pub(crate) fn kind(&self, at: &str) -> InputKind {
        self.inputs
            .iter()
            .find(|(location, _)| *location == at)
            .unwrap()
            .1
    }

    /// Returns requests that each have one wrong input, with what their errors begin with: a field with a
    /// value that no field takes, a parameter that is there twice, and what is required left out or empty.
    pub(crate) fn wrong(&self, fixture: &Fixture) -> Vec<(String, RequestInput)> {
        let good = self.good(fixture);
        let mut wrong = Vec::new();
        for (location, kind) in &self.inputs {
            if good.body.is_some() {
                wrong.push((shown(location), good.at(location, &json!(1.5))));
            } else if !matches!(
                kind,
                InputKind::Filter(_) | InputKind::Models | InputKind::Metrics(_)
            ) {
                let mut twice = good.clone();
                twice
                    .query
                    .extend(good.query.iter().find(|(name, _)| name == location).cloned());
                wrong.push((shown(location), twice));
            }
            if matches!(kind, InputKind::Subject(_)) && name(location) == *location {
                wrong.push((shown(location), good.at(location, &json!(""))));
            }
        }
        for name in &self.required {
            wrong.push((shown(name), good.without(name)));
            wrong.push((shown(name), good.with(name, &json!(""))));
            if good.body.is_some() {
                wrong.push((shown(name), good.with(name, &Value::Null)));
            }
        }
        wrong
    }
}

pub(crate) const RESOURCES: [ResourceKind; 12] = [
    ResourceKind::Entity,
    ResourceKind::Prompt,
    ResourceKind::Group,
    ResourceKind::Actionable,
    ResourceKind::Task,
    ResourceKind::Tag,
    ResourceKind::Webhook,
    ResourceKind::Delivery,
    ResourceKind::Response,
    ResourceKind::Member,
    ResourceKind::Brand,
    ResourceKind::Model,
];

impl Fixture {
    /// Returns the id of the fixture's resource of this kind. Where a brand is referred to, an entity id is
    /// accepted too.
    pub(crate) fn id(&self, resource: ResourceKind) -> &str {
        match resource {
            ResourceKind::Entity => &self.entity,
            ResourceKind::Prompt => &self.prompt,
            ResourceKind::Group => &self.group,
            ResourceKind::Actionable => &self.actionable,
            ResourceKind::Task => &self.task,
            ResourceKind::Tag => &self.tag,
            ResourceKind::Webhook => &self.webhook,
            ResourceKind::Delivery => &self.delivery,
            ResourceKind::Response => &self.response,
            ResourceKind::Member => &self.member,
            ResourceKind::Brand => &self.brand,
            ResourceKind::Model => &self.model,
        }
    }
}

/// Returns the kind of resource whose id is accepted.
pub(crate) fn resource_of(kind: InputKind) -> Option<ResourceKind> {
    match kind {
        InputKind::Subject(resource) | InputKind::Choice(resource) | InputKind::Filter(resource) => {
            Some(resource)
        }
        InputKind::Cited => Some(ResourceKind::Brand),
        InputKind::Models => Some(ResourceKind::Model),
        _ => None,
    }
}

/// Splits a location into steps: `updates[1].promptId` is `updates`, item 1, `promptId`, and `[]` is the
/// first item.
fn steps(location: &str) -> Vec<Result<&str, usize>> {
    let mut steps = Vec::new();
    for part in location.split('.') {
        match part.split_once('[') {
            Some((name, item)) => {
                steps.push(Ok(name));
                steps.push(Err(item.trim_end_matches(']').parse().unwrap_or(0)));
            }
            None => steps.push(Ok(part)),
        }
    }
    steps
}

/// Returns the name of the input at a location.
pub(crate) fn name(location: &str) -> &str {
    location.rsplit('.').next().unwrap().split('[').next().unwrap()
}

/// Returns the location as an error names it.
pub(crate) fn shown(location: &str) -> String {
    location.replace("[]", "[0]")
}

impl RequestInput {
    /// Replaces the value at a location, such as `name`, `entities[]` (the first item) or
    /// `updates[1].promptId`.
    pub(crate) fn at(&self, location: &str, value: &Value) -> Self {
        let mut sent = self.clone();
        let Some(body) = &mut sent.body else {
            return sent.with(location, value);
        };
        let mut found = body;
        for step in steps(location) {
            found = match step {
                Ok(name) => &mut found[name],
                Err(item) => &mut found[item],
            };
        }
        *found = value.clone();
        sent
    }

    /// Returns the value at a location, if there is one.
    pub(crate) fn get(&self, location: &str) -> Option<Value> {
        let Some(body) = &self.body else {
            let found = self.query.iter().find(|(name, _)| name == location);
            return found.map(|(_, value)| value.as_str().into());
        };
        let mut found = body;
        for step in steps(location) {
            found = match step {
                Ok(name) => found.get(name)?,
                Err(item) => found.get(item)?,
            };
        }
        Some(found.clone())
    }
}
