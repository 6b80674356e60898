//! The functions, wired to the parts of the host as a deployment wires them to AWS.

use std::sync::Arc;
use std::time::Duration;

use checker::Checker;
use futures::future::BoxFuture;
use notifier::Notifier;
use notifier::sender::{Sender, SystemResolver};
use openapi::endpoints::{ApiFunction, Dependencies};

use crate::bus::{self, EventHandler};
use crate::gateway::{self, ApiHandler};

/// The timeout of an invocation of the checker, as in the template.
pub const CHECKER_TIMEOUT: Duration = Duration::from_secs(900);
/// The timeout of an invocation of the notifier, as in the template.
const NOTIFIER_TIMEOUT: Duration = Duration::from_secs(120);

/// The handlers that the gateway, the queues and the schedule invoke.
pub struct FunctionHandlers {
    /// Every path, as API Gateway writes it, and the function that serves it.
    pub routes: Vec<(String, ApiHandler)>,
    /// The handler of requests for paths that no function has.
    pub fallback: ApiHandler,
    /// The handler of the queues of checks and the schedule. `None` if the checker of this process handles
    /// their events.
    pub checker: Option<EventHandler>,
    /// The handler of the queue of notifications. `None` if the notifier of this process handles its events.
    pub notifier: Option<EventHandler>,
}

/// Starts functions outside of this process, with the environment variables that a deployment gives them.
pub type ExternalFunctions =
    Arc<dyn Fn(Vec<(String, String)>) -> BoxFuture<'static, FunctionHandlers> + Send + Sync>;

/// Returns every path, as API Gateway writes it, and the function that serves it.
pub fn routes(dependencies: &Dependencies) -> Vec<(String, ApiHandler)> {
    let mut routes = Vec::new();
    for function in openapi::endpoints::functions() {
        let handler = handler(&function, dependencies);
        let paths = function.paths().into_iter();
        routes.extend(paths.map(|path| (path, handler.clone())));
    }
    routes
}

/// Returns the handler of requests for paths that no function has.
pub fn fallback(dependencies: &Dependencies) -> ApiHandler {
    handler(&openapi::endpoints::fallback(), dependencies)
}

fn handler(function: &ApiFunction, dependencies: &Dependencies) -> ApiHandler {
    gateway::handler(function.service(dependencies))
}

/// Returns the checker as a handler of the queues and the schedule.
pub fn checker(dependencies: &Dependencies, shard_concurrency: u32) -> EventHandler {
    let Dependencies {
        api, bus, providers, ..
    } = dependencies.clone();
    let checker = Checker {
        store: api.store,
        bus,
        providers,
        catalogue: api.catalogue,
        clock: api.clock.clone(),
        shard_concurrency,
    };
    let invoke = move |event| {
        let checker = checker.clone();
        async move { checker.invoke(event).await }
    };
    bus::handler(invoke, api.clock, CHECKER_TIMEOUT)
}

/// Returns the notifier as a handler of its queue.
pub fn notifier(dependencies: &Dependencies) -> EventHandler {
    let Dependencies {
        api, webhook_targets, ..
    } = dependencies.clone();
    let notifier = Notifier {
        store: api.store,
        clock: api.clock.clone(),
        sender: Arc::new(Sender::new(webhook_targets, Arc::new(SystemResolver))),
    };
    let invoke = move |event| {
        let notifier = notifier.clone();
        async move { notifier.invoke(event).await }
    };
    bus::handler(invoke, api.clock, NOTIFIER_TIMEOUT)
}
