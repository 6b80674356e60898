//! The functions, wired to the host's parts as a deployment wires them to AWS's.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use api::{ApiState, BASE_PATH, Method, Route};
use checker::Checker;
use events::Bus;
use futures::future::BoxFuture;
use lambda_runtime::{LambdaEvent, service_fn};
use providers::Providers;
use serde_json::Value;

use crate::bus::{self, EventHandler};
use crate::gateway::{self, ApiHandler};

/// How long an invocation of the checker lasts at most, as in the template.
pub const CHECKER_TIMEOUT: Duration = Duration::from_secs(900);

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
    pub app: ApiState,
    pub bus: Bus,
    pub providers: Arc<Providers>,
    /// Hours between the checks of a new entity.
    pub frequency_hours: u32,
}

impl Functions {
    /// Every path with the function behind it.
    pub fn routes(&self) -> Vec<(String, ApiHandler)> {
        let entities = entities::EntitiesState {
            api: self.app.clone(),
            bus: self.bus.clone(),
            providers: self.providers.clone(),
            frequency_hours: self.frequency_hours,
        };
        let mut routes = group("entities", entities::ROUTES, entities);
        for (function, table) in [
            ("actions", actions::ROUTES),
            ("domain-groups", domain_groups::ROUTES),
            ("workspace", workspace::ROUTES),
        ] {
            routes.extend(group(function, table, self.app.clone()));
        }
        for (function, table) in [("prompts", prompts::ROUTES), ("analytics", analytics::ROUTES)] {
            routes.extend(group(
                function,
                table,
                analytics_core::AnalyticsState::new(self.app.clone()),
            ));
        }
        routes
    }

    /// What answers a path that no function has.
    pub fn fallback(&self) -> ApiHandler {
        gateway::lambda(api::service("workspace", workspace::ROUTES, self.app.clone()))
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
            async move { checker.invoke(event).await }
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

fn group<S>(function: &'static str, table: &'static [Route<S>], state: S) -> Vec<(String, ApiHandler)>
where
    S: AsRef<ApiState> + Clone + Send + Sync + 'static,
{
    let handler = gateway::lambda(api::service(function, table, state));
    paths(table)
        .into_iter()
        .map(|path| (path, handler.clone()))
        .collect()
}
