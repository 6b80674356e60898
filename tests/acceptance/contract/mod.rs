//! What every endpoint must do, as data: a file per endpoint group declares its cases, the tests in here run
//! all of them, and `coverage` fails for a route without cases.

mod bad_input;
pub(crate) mod coverage;
mod faults;
mod happy;
pub(crate) mod inputs;
mod keys;
mod methods;
mod places;
pub(crate) mod reads;
mod repeats;
mod subscription;
pub(crate) mod tenants;

use std::time::Duration;

use acceptance::{Account, Answer, Shape, World, causes, found};
use domain::clock::Clock;
use domain::id::{ActionableId, EntityId, TaskId};
use domain::member::{Member, Role};
use domain::workspace::Status;
use reqwest::Method;
use serde_json::{Value, json};
use store::{Once, WorkspaceChange};

/// Every group's cases.
pub(crate) const ALL: [&[Endpoint]; 7] = [
    crate::actions::CASES,
    crate::analytics::CASES,
    crate::domain_groups::CASES,
    crate::entities::CASES,
    crate::prompts::CASES,
    crate::tags::CASES,
    crate::workspace::CASES,
];

/// What one endpoint is tested with.
pub(crate) struct Endpoint {
    /// `GET /entities`.
    pub(crate) route: &'static str,
    /// The body of a success.
    pub(crate) reply: &'static Shape,
    /// A request that succeeds, with every field or parameter that has a rule.
    pub(crate) request: fn(&Fixture) -> Sent,
    /// The parameter or field that names what the request is about; `None`: the workspace itself.
    pub(crate) subject: Option<&'static str>,
    /// Empty only for an endpoint that reads no input at all.
    pub(crate) bad: &'static [Bad],
}

/// One change that makes the request invalid. The error's text begins with the name of what is wrong.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Bad {
    /// This parameter with this value.
    Parameter(&'static str, &'static str),
    /// This parameter, sent twice.
    Twice(&'static str),
    /// This field with this value, in JSON.
    Field(&'static str, &'static str),
    /// This parameter or field left out, empty, or `null`.
    Missing(&'static str),
}

/// Query and body.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sent {
    pub(crate) query: Vec<(String, String)>,
    pub(crate) body: Option<Value>,
}

/// A workspace with an entity that nothing is asked for until somebody wants it.
pub(crate) struct Fixture {
    pub(crate) account: Account,
    pub(crate) entity: String,
    /// Another one.
    pub(crate) other: String,
    pub(crate) prompt: String,
    /// Of two brands that were only seen cited.
    pub(crate) group: String,
    pub(crate) model: String,
    /// An active one.
    pub(crate) actionable: String,
    /// One that is not started.
    pub(crate) task: String,
    /// A tag that no prompt has.
    pub(crate) tag: String,
    /// An answer to the other entity's prompt.
    pub(crate) response: String,
    /// The `userId` of a member that no other workspace has.
    pub(crate) member: String,
    /// The uuid of a brand that only this workspace has seen.
    pub(crate) brand: String,
}

impl Fixture {
    pub(crate) async fn new(world: &World) -> Self {
        let account = world.account().await;
        let quiet = json!({"startTracking": false});
        let entity = world
            .entity(&account, "Acme", "acme.com", &["Which tool?"], quiet.clone())
            .await;
        let other = world
            .entity(&account, "Other", "other.com", &["Which other?"], quiet)
            .await;
        let path = format!("/entities/prompts?entityId={entity}");
        let prompts = world.get(&account, &path).await.ok();
        let prompt = prompts["data"][0]["id"].as_str().unwrap().to_owned();
        let cited = crate::domain_groups::cited(world, &account, &["one.example", "two.example"]).await;
        let group = json!({"primaryEntity": cited[0], "entities": cited});
        let group = world.post(&account, "/domain-groups", &group).await.ok();
        let group = group["data"]["id"].as_str().unwrap().to_owned();
        let model = world.model(&account).await;
        let (actionable, task) = board(world, &account, &entity).await;
        let tag = crate::tags::create(world, &account, "Launch").await;
        let response = crate::analytics::recorded::one(world, &account, &other).await;
        let member = member(world, &account).await;
        let seen = format!("{}.example", account.tenant.workspace().as_str().to_lowercase());
        let brand = crate::domain_groups::cited(world, &account, &[&seen])
            .await
            .remove(0);
        Self {
            account,
            entity,
            other,
            prompt,
            group,
            model,
            actionable,
            task,
            tag,
            response,
            member,
            brand,
        }
    }

    /// Everything that a refused write must leave as it is.
    pub(crate) async fn state(&self, world: &World) -> Vec<Value> {
        let mut state = Vec::new();
        for path in [
            "/workspace",
            "/entities",
            "/entities/prompts",
            "/entities/tracking-status",
            "/domain-groups",
            "/entities/actions",
            "/entities/name-request",
            "/tags",
        ] {
            let path = format!("{path}?entityId={}", self.entity);
            state.push(world.get(&self.account, &path).await.body);
        }
        let path = format!("/entities/prompts?entityId={}", self.other);
        state.push(world.get(&self.account, &path).await.body);
        state
    }
}

impl Fixture {
    /// Ends the subscription: from now on a valid write is 403 and changes nothing.
    pub(crate) async fn cancel(&self, world: &World) {
        let canceled = WorkspaceChange {
            status: Some(Status::Canceled),
            ..WorkspaceChange::default()
        };
        let changed = world
            .host
            .store
            .change_workspace(&self.account.tenant, canceled)
            .await;
        assert!(changed.unwrap());
    }

    /// [`Fixture::state`] once no check is running.
    pub(crate) async fn quiet_state(&self, world: &World) -> Vec<Value> {
        let entities = world.get(&self.account, "/entities").await.ok();
        for entity in entities["data"].as_array().unwrap() {
            let path = format!(
                "/entities/tracking-status?entityId={}",
                entity["id"].as_str().unwrap()
            );
            while world.get(&self.account, &path).await.ok()["data"]["isProcessing"] == true {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
        self.state(world).await
    }
}

/// A board with an active actionable and a task; their ids.
async fn board(world: &World, account: &Account, entity: &str) -> (String, String) {
    let (store, tenant) = (&world.host.store, &account.tenant);
    let entity: EntityId = entity.parse().unwrap();
    let refill = store
        .refill_board(tenant, &entity, 1, &found(&causes(&entity, 2)))
        .await;
    assert_eq!(refill.unwrap().created.len(), 2);
    let id = |ordinal| ActionableId {
        entity: entity.clone(),
        ordinal,
    };
    let task = store.create_task(tenant, &id(2), &[], &Once::none()).await;
    let task = TaskId {
        entity: entity.clone(),
        ordinal: task.unwrap().unwrap().ordinal,
    };
    (id(1).to_string(), task.to_string())
}

/// A new member's `userId`.
async fn member(world: &World, account: &Account) -> String {
    let (workspace, now) = (account.tenant.workspace(), world.host.clock.now());
    let address = format!("{workspace}@example.com");
    let member = Member::new(workspace, &address, "Ann", Role::Member, now).unwrap();
    let added = world.host.store.add_member(&account.tenant, &member).await;
    added.unwrap().unwrap();
    member.user_id.to_string()
}

impl Endpoint {
    pub(crate) fn method(&self) -> Method {
        let (method, _) = self.route.split_once(' ').unwrap();
        method.parse().unwrap()
    }

    pub(crate) fn path(&self) -> &'static str {
        self.route.split_once(' ').unwrap().1
    }

    pub(crate) fn is_read(&self) -> bool {
        self.method() == Method::GET
    }

    pub(crate) fn takes_body(&self) -> bool {
        matches!(self.method(), Method::POST | Method::PATCH)
    }

    /// Sends it with a key, or without one.
    pub(crate) async fn send(&self, world: &World, key: Option<&str>, sent: &Sent) -> Answer {
        let mut request = world.request(self.method(), &format!("{}{}", self.path(), sent.encoded()));
        if let Some(key) = key {
            request = request.bearer_auth(key);
        }
        if let Some(body) = &sent.body {
            request = request.json(body);
        }
        World::answer(request).await
    }
}

impl Sent {
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

    /// The query with its question mark, or nothing.
    fn encoded(&self) -> String {
        let mut url = reqwest::Url::parse("http://localhost").unwrap();
        if !self.query.is_empty() {
            url.query_pairs_mut().extend_pairs(&self.query);
        }
        url.query().map_or_else(String::new, |query| format!("?{query}"))
    }

    /// With this parameter or field instead.
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

impl Bad {
    /// The requests that this change makes, and the name that their errors must begin with.
    pub(crate) fn of(self, good: &Sent) -> (&'static str, Vec<Sent>) {
        match self {
            Self::Parameter(name, value) => (name, vec![good.with(name, &json!(value))]),
            Self::Twice(name) => {
                let mut twice = good.with(name, &json!("7d"));
                twice.query.push((name.to_owned(), "7d".to_owned()));
                (name, vec![twice])
            }
            Self::Field(name, value) => {
                let value = serde_json::from_str(value).unwrap();
                (name, vec![good.with(name, &value)])
            }
            Self::Missing(name) => {
                let mut missing = vec![good.without(name), good.with(name, &json!(""))];
                if good.body.is_some() {
                    missing.push(good.with(name, &Value::Null));
                }
                (name, missing)
            }
        }
    }
}

/// Every endpoint of every group.
pub(crate) fn endpoints() -> impl Iterator<Item = &'static Endpoint> {
    ALL.into_iter().flatten()
}
