//! A role allows exactly the actions of its function, which are recorded from real calls.

use std::collections::{BTreeMap, BTreeSet};

use acceptance::{AwsCall, FaultInjector, World};
use events::Bus;
use local::gateway::ApiHandler;
use reqwest::Method;
use serde_json::{Value, json};
use store::{Store, connect};

use super::{FUNCTIONS, WITHOUT_TABLE, allowed, events as events_of, functions, tables, template};
use crate::contract::{Endpoint, Fixture, endpoints};

type Permission = (String, String);

fn permission(action: &str, resource: &str) -> Permission {
    (action.to_owned(), resource.to_owned())
}

/// Returns the permissions that a call requires. A transaction requires those of each of its actions.
fn required_permissions(call: &AwsCall) -> Vec<Permission> {
    let on_table = |action: &str| permission(&format!("dynamodb:{action}"), "Table.Arn");
    let items = call.request["TransactItems"].as_array();
    match (call.operation.as_str(), items) {
        ("TransactWriteItems", Some(items)) => {
            let action = |item: &Value| match item.as_object().unwrap().keys().next().unwrap().as_str() {
                "ConditionCheck" => on_table("ConditionCheckItem"),
                kind => on_table(&format!("{kind}Item")),
            };
            items.iter().map(action).collect()
        }
        ("TransactGetItems", _) => vec![on_table("GetItem")],
        ("PutEvents", _) => vec![permission("events:PutEvents", "Bus.Arn")],
        ("Query", _) => match call.request["IndexName"].as_str() {
            Some(index) => vec![permission(
                "dynamodb:Query",
                &format!("${{Table.Arn}}/index/{index}"),
            )],
            None => vec![on_table("Query")],
        },
        (operation, _) => vec![on_table(operation)],
    }
}

/// Returns the permissions that a function requires besides its AWS calls: its log, the secret with its keys,
/// and the queues that feed it.
fn additional_permissions(name: &str, function: &serde_yaml_ng::Value) -> BTreeSet<Permission> {
    let logs = format!("{}.Arn", function["LoggingConfig"]["LogGroup"].as_str().unwrap());
    let mut additional_permissions = BTreeSet::from([
        permission("logs:CreateLogStream", &logs),
        permission("logs:PutLogEvents", &logs),
    ]);
    if function["Environment"]["Variables"].get("SECRET_ID").is_some() {
        additional_permissions.insert(permission("secretsmanager:GetSecretValue", "ProviderSecretArn"));
    }
    for mapping in events_of(function, "SQS") {
        assert!(["checker", "notifier"].contains(&name));
        for action in [
            "sqs:DeleteMessage",
            "sqs:GetQueueAttributes",
            "sqs:ReceiveMessage",
        ] {
            additional_permissions.insert(permission(action, mapping["Queue"].as_str().unwrap()));
        }
    }
    additional_permissions
}

/// The service, with the calls of each API function recorded separately.
struct Recorded {
    world: World,
    calls: BTreeMap<&'static str, FaultInjector>,
}

impl Recorded {
    async fn start() -> Self {
        let mut world = World::start().await;
        let ready = &world.host.ready;
        let table = connect::to_endpoint(&ready.dynamodb_endpoint);
        let bus = connect::to_endpoint(&ready.events_endpoint);
        let mut calls = BTreeMap::new();
        let mut routes: Vec<(String, ApiHandler)> = Vec::new();
        let mut fallback = None;
        for name in FUNCTIONS
            .into_iter()
            .filter(|name| !["checker", "notifier"].contains(name))
        {
            let faults = FaultInjector::default();
            let mut dependencies = world.host.dependencies.clone();
            dependencies.api.store = Store::new(
                &faults.inject_into(&table),
                &ready.table,
                world.host.clock.clone(),
            );
            dependencies.bus = Bus::new(&faults.inject_into(&bus), "visibility");
            // Each function with a table makes this call when it starts.
            if name != WITHOUT_TABLE {
                dependencies.api.store.warm_up().await.unwrap();
            }
            let own = &tables()[name];
            let all = local::functions::routes(&dependencies).into_iter();
            routes.extend(all.filter(|(path, _)| own.contains(path)));
            if name == "workspace" {
                fallback = Some(local::functions::fallback(&dependencies));
            }
            calls.insert(name, faults);
        }
        world.serve(routes, fallback.unwrap()).await;
        Self { world, calls }
    }

    /// Sends a request that succeeds. Sends a POST twice with one idempotency key.
    async fn drive(&self, endpoint: &Endpoint) {
        let fixture = Fixture::new(&self.world).await;
        let sent = (endpoint.request)(&fixture);
        for attempt in 1..=2 {
            let path = format!("{}{}", endpoint.path(), sent.encoded());
            let mut request = self
                .world
                .request(endpoint.method(), &path)
                .bearer_auth(&fixture.account.key);
            if endpoint.method() == Method::POST {
                request = request.header("Idempotency-Key", "once");
            }
            if let Some(body) = &sent.body {
                request = request.json(body);
            }
            let answer = World::execute(request).await;
            let is_repeatable = endpoint.is_read() || endpoint.method() == Method::POST;
            assert!(
                answer.status == 200 || (attempt == 2 && !is_repeatable),
                "{}: {}",
                endpoint.route,
                answer.body
            );
        }
    }

    /// Sends the requests that read the facts of an entity: the URLs of a cited domain, and the rows of a
    /// group.
    async fn drive_with_facts(&self) {
        let world = &self.world;
        let account = world.account().await;
        // What the demo's models answer depends on the day, and some answers cite nothing.
        let prompts: Vec<String> = (1..=20)
            .map(|size| format!("Which running shoes are best in size {size}?"))
            .collect();
        let prompts: Vec<&str> = prompts.iter().map(String::as_str).collect();
        let entity = world
            .entity(&account, "Acme", "acme.com", &prompts, json!({}))
            .await;
        world.checked(&account, &entity).await;
        let cited = world
            .get(&account, &format!("/entities/citations?entityId={entity}"))
            .await
            .ok();
        let rows = cited["data"].as_array().unwrap();
        let cited: Vec<&str> = rows.iter().filter_map(|row| row["entityUuid"].as_str()).collect();
        assert!(cited.len() >= 2, "{cited:?}");
        let group = json!({"primaryEntity": entity, "entities": [entity, cited[0]]});
        world.post(&account, "/domain-groups", &group).await.ok();
        for path in [
            "/entities/citations/details",
            "/trends/visibility",
            "/query-fanouts",
            "/entities/prompts",
        ] {
            let path = format!("{path}?entityId={entity}&citedEntityUuid={}", cited[1]);
            world.get(&account, &path).await.ok();
        }
    }

    /// Calls every tool of the Model Context Protocol.
    async fn drive_tools(&self) {
        let fixture = Fixture::new(&self.world).await;
        for tool in mcp::TOOLS {
            let arguments = crate::mcp::arguments(tool, &fixture);
            let result = self
                .world
                .call_tool(&fixture.account, tool.name, &arguments)
                .await;
            assert!(!result.is_error, "{}: {}", tool.name, result.text);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_role_allows_what_its_function_does_and_nothing_else() {
    let recorded = Recorded::start().await;
    for endpoint in endpoints() {
        recorded.drive(endpoint).await;
    }
    recorded.drive_with_facts().await;
    recorded.drive_tools().await;
    let mut calls: BTreeMap<&str, Vec<AwsCall>> = BTreeMap::new();
    calls.insert("checker", crate::checker::aws_calls::calls().await);
    calls.insert("notifier", crate::webhooks::aws_calls::calls().await);
    for (name, faults) in &recorded.calls {
        calls.insert(name, faults.calls());
    }
    let template = template();
    let mut wrong = Vec::new();
    for (name, function) in functions(&template) {
        let mut done: BTreeSet<Permission> = calls[name.as_str()]
            .iter()
            .flat_map(required_permissions)
            .collect();
        done.extend(additional_permissions(&name, &function));
        let allowed = allowed(&template, &function);
        wrong.extend(
            done.difference(&allowed)
                .map(|one| format!("{name} may not: {one:?}")),
        );
        wrong.extend(
            allowed
                .difference(&done)
                .map(|one| format!("{name} never does: {one:?}")),
        );
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_role_is_its_functions_own_and_narrow() {
    let template = template();
    let mut roles = BTreeSet::new();
    for (name, function) in functions(&template) {
        assert!(
            roles.insert(function["Role"].as_str().unwrap().to_owned()),
            "{name}"
        );
        for (action, resource) in allowed(&template, &function) {
            assert!(
                !action.contains('*') && action != "dynamodb:Scan",
                "{name}: {action}"
            );
            assert!(!resource.contains('*'), "{name}: {action} on {resource}");
        }
    }
}
