//! What the inputs of an endpoint take, in which of its requests.

use serde_json::Value;

use super::{Fixture, RequestInput};

/// One way to ask an endpoint: a request that succeeds, and every place in it.
pub(crate) struct RequestVariant {
    /// `GET /entities`.
    pub(crate) route: &'static str,
    /// `None`: the endpoint's own request.
    pub(crate) request: Option<fn(&Fixture) -> RequestInput>,
    /// Each place (see [`RequestInput::at`]) with what it takes.
    pub(crate) inputs: &'static [(&'static str, InputKind)],
}

/// What a parameter or field takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InputKind {
    /// The id of what the request is about: an unknown one is 404.
    Subject(ResourceKind),
    /// An id out of a list that the workspace has: an unknown one is 400.
    Choice(ResourceKind),
    /// A comma-separated list of ids: an unknown one matches nothing.
    Filter(ResourceKind),
    /// A brand's uuid in its usual form: one that was never cited has no rows.
    Cited,
    /// A text of one line with a visible character, up to so many characters.
    Name(usize),
    /// A text with or without line breaks of 1 to so many characters.
    Text(usize),
    /// … which may be empty.
    Note(usize),
    Word(&'static [&'static str]),
    Flag,
    Whole(u64, u64),
    Day,
    Language,
    Geolocation,
    /// A domain or URL.
    Domain,
    /// Any text.
    Search,
    /// An array of so many items.
    List(usize, usize),
    /// Nothing: whatever is given is 400.
    Never,
}

/// What a workspace has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ResourceKind {
    Entity,
    Prompt,
    Group,
    Actionable,
    Task,
    Tag,
    Response,
    /// The `userId` of a member.
    Member,
    /// A brand that was seen: where one is referred to, an entity will do too.
    Brand,
    /// The same for all workspaces.
    Model,
}

impl ResourceKind {
    pub(crate) const ALL: [Self; 10] = [
        Self::Entity,
        Self::Prompt,
        Self::Group,
        Self::Actionable,
        Self::Task,
        Self::Tag,
        Self::Response,
        Self::Member,
        Self::Brand,
        Self::Model,
    ];

    /// The id of one of these.
    pub(crate) fn id_in(self, fixture: &Fixture) -> &str {
        match self {
            Self::Entity => &fixture.entity,
            Self::Prompt => &fixture.prompt,
            Self::Group => &fixture.group,
            Self::Actionable => &fixture.actionable,
            Self::Task => &fixture.task,
            Self::Tag => &fixture.tag,
            Self::Response => &fixture.response,
            Self::Member => &fixture.member,
            Self::Brand => &fixture.brand,
            Self::Model => &fixture.model,
        }
    }
}

impl InputKind {
    /// What it takes the id of.
    pub(crate) fn resource(self) -> Option<ResourceKind> {
        match self {
            Self::Subject(resource) | Self::Choice(resource) | Self::Filter(resource) => Some(resource),
            Self::Cited => Some(ResourceKind::Brand),
            _ => None,
        }
    }
}

/// The steps of a place: `updates[1].promptId` is `updates`, item 1, `promptId`; `[]` is the first item.
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

/// The name that a place is read by.
pub(crate) fn name(location: &str) -> &str {
    location.rsplit('.').next().unwrap().split('[').next().unwrap()
}

/// The place as an error names it.
pub(crate) fn shown(location: &str) -> String {
    location.replace("[]", "[0]")
}

impl RequestInput {
    /// With this at a place instead: `name`, `entities[]` (the first item), `updates[1].promptId`.
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

    /// What stands at a place; `None`: nothing.
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
