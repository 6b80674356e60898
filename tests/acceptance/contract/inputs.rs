//! The inputs of each endpoint and the values that they accept.

use serde_json::Value;

use super::{Fixture, RequestInput};

/// One form of request to an endpoint: a request that succeeds, and the location of every input in it.
pub(crate) struct RequestVariant {
    /// Method and path, for example `GET /entities`.
    pub(crate) route: &'static str,
    /// The request, or `None` for the endpoint's default request.
    pub(crate) request: Option<fn(&Fixture) -> RequestInput>,
    /// Each place (see [`RequestInput::at`]) with what it takes.
    pub(crate) inputs: &'static [(&'static str, InputKind)],
}

/// The kind of value that a parameter or field accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InputKind {
    /// The id of the subject of the request. An unknown id is 404.
    Subject(ResourceKind),
    /// An id from a list of the workspace. An unknown id is 400.
    Choice(ResourceKind),
    /// A comma-separated list of ids. An unknown id matches nothing.
    Filter(ResourceKind),
    /// A comma-separated list of the uuids of models. Any other value is 400.
    Models,
    /// A brand's uuid. A brand that was never cited has no rows.
    Cited,
    /// A single-line text with a visible character and this maximum length in characters.
    Name(usize),
    /// A non-empty text, possibly with line breaks, with this maximum length in characters.
    Text(usize),
    /// A possibly empty text with line breaks, with this maximum length in characters.
    Note(usize),
    Word(&'static [&'static str]),
    Flag,
    Whole(u64, u64),
    Day,
    /// A day of the base of a comparison. Whether it is taken depends on the other days.
    BaseDay,
    Language,
    Geolocation,
    /// A domain or URL.
    Domain,
    /// Any text.
    Search,
    /// An array with a minimum and a maximum number of items.
    List(usize, usize),
    /// No value is accepted. Any value is 400.
    Never,
}

/// The kinds of resources of a workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ResourceKind {
    Entity,
    Prompt,
    Group,
    Actionable,
    Task,
    Tag,
    Webhook,
    Delivery,
    Response,
    /// The `userId` of a member.
    Member,
    /// A brand that answers have cited. Where a brand is referred to, an entity id is accepted too.
    Brand,
    /// A model. All workspaces share the models.
    Model,
}

impl ResourceKind {
    pub(crate) const ALL: [Self; 12] = [
        Self::Entity,
        Self::Prompt,
        Self::Group,
        Self::Actionable,
        Self::Task,
        Self::Tag,
        Self::Webhook,
        Self::Delivery,
        Self::Response,
        Self::Member,
        Self::Brand,
        Self::Model,
    ];

    /// Returns the id of the fixture's resource of this kind.
    pub(crate) fn id_in(self, fixture: &Fixture) -> &str {
        match self {
            Self::Entity => &fixture.entity,
            Self::Prompt => &fixture.prompt,
            Self::Group => &fixture.group,
            Self::Actionable => &fixture.actionable,
            Self::Task => &fixture.task,
            Self::Tag => &fixture.tag,
            Self::Webhook => &fixture.webhook,
            Self::Delivery => &fixture.delivery,
            Self::Response => &fixture.response,
            Self::Member => &fixture.member,
            Self::Brand => &fixture.brand,
            Self::Model => &fixture.model,
        }
    }
}

impl InputKind {
    /// Returns the kind of resource whose id is accepted.
    pub(crate) fn resource(self) -> Option<ResourceKind> {
        match self {
            Self::Subject(resource) | Self::Choice(resource) | Self::Filter(resource) => Some(resource),
            Self::Cited => Some(ResourceKind::Brand),
            Self::Models => Some(ResourceKind::Model),
            _ => None,
        }
    }
}

/// Splits a location into steps: `updates[1].promptId` is `updates`, item 1, `promptId`, and `[]` is the first item.
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
    /// Replaces the value at a location, such as `name`, `entities[]` (the first item) or `updates[1].promptId`.
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
