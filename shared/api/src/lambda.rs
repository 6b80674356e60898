//! Running a route table as a Lambda.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use domain::catalogue::Catalogue;
use lambda_http::tower::ServiceExt;
use lambda_http::{
    Adapter, Body, Error, LambdaEvent, Request, Response, Service, lambda_runtime, service_fn,
};
use runtime::{Settings, SystemClock};
use store::Store;

use crate::{ApiState, Cors, Route, handle, sanitize_event};

/// How long a start waits for the table. Lambda gives it 10 seconds, and a request has an answer for a table in trouble.
const WARM_UP: Duration = Duration::from_secs(3);

/// Serves a route table behind API Gateway until the Lambda ends. `function` is its folder, by which metrics are
/// counted; `state` makes the group's state from what all groups share.
pub async fn run<S>(
    function: &'static str,
    routes: &'static [Route<S>],
    state: impl FnOnce(ApiState, &Settings, &aws_types::SdkConfig) -> S,
) -> Result<(), Error>
where
    S: AsRef<ApiState> + Clone + Send + Sync + 'static,
{
    let settings = Settings::from_environment()?;
    let (level, metrics) = (&settings.log_level, &settings.metrics_namespace);
    runtime::write_logs(level.as_deref(), metrics.as_deref(), runtime::stdout);
    let aws = store::connect::from_environment(runtime::variable);
    let clock = Arc::new(SystemClock);
    let store = Store::new(&aws, &settings.table, clock.clone()).keeping_responses(settings.response_days);
    // The connection is made now, so that no request waits for the TLS handshake.
    match tokio::time::timeout(WARM_UP, store.warm_up()).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::warn!(%error, "the table did not answer at start"),
        Err(_) => tracing::warn!("the table did not answer at start, in time"),
    }
    let catalogue = Catalogue::shipped()?.of_providers(settings.providers.iter().map(String::as_str));
    let app = ApiState {
        store,
        clock,
        catalogue: Arc::new(catalogue),
        cors: Arc::new(Cors::new(settings.cors_origins.clone())),
    };
    let service = service(function, routes, state(app, &settings, &aws));
    lambda_runtime::run(
        Adapter::from(service).map_request(|event: LambdaEvent<_>| LambdaEvent {
            payload: sanitize_event(event.payload),
            ..event
        }),
    )
    .await
}

/// The service that a Lambda runs, and the local host too.
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
