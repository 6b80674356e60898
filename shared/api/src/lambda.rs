//! Running a route table as a Lambda.

use std::convert::Infallible;
use std::sync::Arc;

use domain::catalogue::Catalogue;
use lambda_http::{Body, Error, Request, Response, Service, service_fn};
use runtime::{Settings, SystemClock};
use store::Store;

use crate::{App, Route, handle};

/// Serves a route table behind API Gateway until the Lambda ends. `state` makes the group's state from what
/// all groups share.
pub async fn run<S>(
    routes: &'static [Route<S>],
    state: impl FnOnce(App, &Settings, &aws_types::SdkConfig) -> S,
) -> Result<(), Error>
where
    S: AsRef<App> + Clone + Send + Sync + 'static,
{
    let settings = Settings::from_environment();
    runtime::write_logs(settings.log_level.as_deref());
    let aws = store::connect::from_environment(runtime::variable);
    let clock = Arc::new(SystemClock);
    let store = Store::new(&aws, &settings.table, clock.clone());
    // The connection is made now, so that no request waits for the TLS handshake.
    if let Err(error) = store.warm_up().await {
        tracing::warn!(%error, "the table did not answer at start");
    }
    let catalogue = Catalogue::shipped()?.of_providers(settings.providers.iter().map(String::as_str));
    let app = App {
        store,
        clock,
        catalogue: Arc::new(catalogue),
    };
    lambda_http::run(service(routes, state(app, &settings, &aws))).await
}

/// The service that a Lambda runs, and the local host too.
pub fn service<S>(
    routes: &'static [Route<S>],
    state: S,
) -> impl Service<Request, Response = Response<Body>, Error = Infallible, Future: Send>
+ Clone
+ Send
+ Sync
+ 'static
where
    S: AsRef<App> + Clone + Send + Sync + 'static,
{
    service_fn(move |request: Request| {
        let state = state.clone();
        async move { Ok(handle(routes, state, request).await) }
    })
}
