//! Runs an HTTP service as a Lambda function.

use std::convert::Infallible;

use lambda_http::tower::ServiceExt;
use lambda_http::{Adapter, Body, Error, LambdaEvent, Request, Response, Service, lambda_runtime};

use crate::event::sanitize_event;

/// Serves an HTTP service behind API Gateway until the Lambda ends.
pub async fn run<S>(service: S) -> Result<(), Error>
where
    S: Service<Request, Response = Response<Body>, Error = Infallible, Future: Send>
        + Clone
        + Send
        + Sync
        + 'static,
{
    let adapter = Adapter::from(service).map_request(|event: LambdaEvent<_>| LambdaEvent {
        payload: sanitize_event(event.payload),
        ..event
    });
    lambda_runtime::run(adapter).await
}
