//! The functions, wired to the host's parts as a deployment wires them to AWS's.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use api::{App, BASE_PATH, Method, Route};
use checker::Checker;
use domain::time::Millis;
use events::Bus;
use futures::future::BoxFuture;
use lambda_runtime::{LambdaEvent, service_fn};
use providers::Providers;
use serde_json::Value;

use crate::bus::{self, EventHandler};
use crate::gateway::{self, ApiHandler};

/// The checker's own limit, as in the template.
const CHECKER_TIMEOUT: Duration = Duration::from_secs(900);

/// What the gateway, the queue and the schedule invoke.
pub struct Wired {
    /// Every path with the function behind it.
    pub routes: Vec<(String, ApiHandler)>,
    /// What answers a path that no function has.
    pub fallback: ApiHandler,
    /// What the queue and the schedule invoke.
    pub checker: EventHandler,
}

/// Functions that run outside of this process. They are started with the environment variables that a deployment would
/// give them.
pub type Elsewhere = Arc<dyn Fn(Vec<(String, String)>) -> BoxFuture<'static, Wired> + Send + Sync>;

/// An endpoint: the function that serves it, its method, and its path with the version prefix.
pub type Endpoint = (&'static str, Method, String);

/// Every endpoint of every function.
pub fn endpoints() -> Vec<Endpoint> {
    fn of<S>(function: &'static str, table: &[Route<S>]) -> Vec<Endpoint> {
        let path = |route: &Route<S>| format!("{BASE_PATH}{}", route.path);
        table
            .iter()
            .map(|route| (function, route.method, path(route)))
            .collect()
    }
    [
        of("actions", actions::ROUTES),
        of("analytics", analytics::ROUTES),
        of("domain-groups", domain_groups::ROUTES),
        of("entities", entities::ROUTES),
        of("prompts", prompts::ROUTES),
        of("workspace", workspace::ROUTES),
    ]
    .concat()
}

/// Everything the functions are made from.
#[derive(Clone)]
pub struct Functions {
    pub app: App,
    pub bus: Bus,
    pub providers: Arc<Providers>,
}

impl Functions {
    /// The functions in this process.
    pub fn wired(&self) -> Wired {
        Wired {
            routes: self.routes(),
            fallback: self.fallback(),
            checker: self.checker(),
        }
    }

    /// Every path with the function behind it.
    pub fn routes(&self) -> Vec<(String, ApiHandler)> {
        let entities = entities::State {
            app: self.app.clone(),
            bus: self.bus.clone(),
            providers: self.providers.clone(),
        };
        let mut routes = group(entities::ROUTES, entities);
        for table in [actions::ROUTES, domain_groups::ROUTES, workspace::ROUTES] {
            routes.extend(group(table, self.app.clone()));
        }
        for table in [prompts::ROUTES, analytics::ROUTES] {
            routes.extend(group(table, analysis::State::new(self.app.clone())));
        }
        routes
    }

    /// What answers a path that no function has.
    pub fn fallback(&self) -> ApiHandler {
        gateway::lambda(api::service(workspace::ROUTES, self.app.clone()))
    }

    /// The checker, behind the queue and the schedule.
    pub fn checker(&self) -> EventHandler {
        let checker = Checker {
            store: self.app.store.clone(),
            bus: self.bus.clone(),
            providers: self.providers.clone(),
            catalogue: self.app.catalogue.clone(),
            clock: self.app.clock.clone(),
        };
        let service = service_fn(move |event: LambdaEvent<Value>| {
            let checker = checker.clone();
            async move {
                let ends = Millis(i64::try_from(event.context.deadline).unwrap_or(i64::MAX));
                checker.handle(event.payload, ends).await
            }
        });
        bus::lambda(service, self.app.clock.clone(), CHECKER_TIMEOUT)
    }
}

/// The distinct paths of a route table, with the version prefix.
pub fn paths<S>(table: &[Route<S>]) -> BTreeSet<String> {
    table
        .iter()
        .map(|route| format!("{BASE_PATH}{}", route.path))
        .collect()
}

fn group<S>(table: &'static [Route<S>], state: S) -> Vec<(String, ApiHandler)>
where
    S: AsRef<App> + Clone + Send + Sync + 'static,
{
    let handler = gateway::lambda(api::service(table, state));
    paths(table)
        .into_iter()
        .map(|path| (path, handler.clone()))
        .collect()
}
