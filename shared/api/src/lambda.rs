//! Serves a route table, or another HTTP service, as a Lambda function.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use lambda_http::{Body, Error, Request, Response, Service, service_fn};
use runtime::Bootstrap;

use crate::{ApiState, Cors, Route, handle};

/// The maximum time that a start waits for the table. Lambda limits a start to 10 seconds, and requests are
/// answered even if the table does not respond.
const WARM_UP_TIMEOUT: Duration = Duration::from_secs(3);

/// Serves a route table behind API Gateway until the Lambda ends.
///
/// `function` is the name of its folder, the dimension of its metrics. `state` creates the function's state
/// from the state that all API functions share.
pub async fn run<S>(
    function: &'static str,
    routes: &'static [Route<S>],
    state: impl FnOnce(ApiState, &Bootstrap) -> S,
) -> Result<(), Error>
where
    S: AsRef<ApiState> + Clone + Send + Sync + 'static,
{
    run_service(|api, bootstrap| service(function, routes, state(api, bootstrap))).await
}

/// Serves an HTTP service behind API Gateway until the Lambda ends. `service` creates it from the state that
/// all API functions share.
pub async fn run_service<S>(service: impl FnOnce(ApiState, &Bootstrap) -> S) -> Result<(), Error>
where
    S: Service<Request, Response = Response<Body>, Error = Infallible, Future: Send>
        + Clone
        + Send
        + Sync
        + 'static,
{
    let bootstrap = Bootstrap::from_environment()?;
    // The connection is opened now, so that no request waits for the TLS handshake.
    match tokio::time::timeout(WARM_UP_TIMEOUT, bootstrap.store.warm_up()).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::warn!(%error, "the table did not answer at start"),
        Err(_) => tracing::warn!("the table did not answer at start, in time"),
    }
    let api = ApiState {
        store: bootstrap.store.clone(),
        clock: bootstrap.clock.clone(),
        catalogue: bootstrap.catalogue.clone(),
        cors: Arc::new(Cors::new(bootstrap.settings.cors_origins.clone())),
        known_keys: Arc::default(),
    };
    serving::run(service(api, &bootstrap)).await
}

/// Creates the HTTP service of a route table. Lambda and the local host run it.
pub fn service<S>(
    function: &'static str,
    routes: &'static [Route<S>],
    state: S,
) -> impl Service<Request, Response = Response<Body>, Error = Infallible, Future: Send>
+ Clone
+ Send
+ Sync
+ 'static
where
    S: AsRef<ApiState> + Clone + Send + Sync + 'static,
{
    service_fn(move |request: Request| {
        let state = state.clone();
        async move { Ok(handle(function, routes, state, request).await) }
    })
}
