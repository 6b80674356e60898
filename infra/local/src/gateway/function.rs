//! A `lambda_http` service as a function behind the gateway.

use std::future::poll_fn;
use std::sync::Arc;

use futures::FutureExt;
use lambda_http::request::LambdaRequest;
use lambda_http::{Adapter, IntoResponse, LambdaEvent, Request, Service};
use serde_json::{Value, json};

use super::ApiHandler;
use crate::bus;

const FAILED: &str = "the service failed";

/// Wraps a service just as the Lambda runtime does: the event is read as `lambda_http` reads it, the response
/// written as it writes it. A service's error becomes API Gateway's 500.
pub fn lambda<S, R>(service: S) -> ApiHandler
where
    S: Service<Request, Response = R> + Clone + Send + Sync + 'static,
    S::Future: Send + 'static,
    S::Error: std::fmt::Debug + Send,
    R: IntoResponse + Send + Sync + 'static,
{
    Arc::new(move |event| {
        let service = service.clone();
        async move { invoke(service, event).await.unwrap_or_else(failed) }.boxed()
    })
}

/// What API Gateway answers where a function fails.
pub fn failed(error: &str) -> Value {
    tracing::error!(error, "a function failed");
    json!({
        "statusCode": 500,
        "headers": {"content-type": "application/json"},
        "body": r#"{"message":"Internal Server Error"}"#,
    })
}

/// A failed call in words that hold nothing of it.
async fn invoke<S, R>(service: S, event: Value) -> Result<Value, &'static str>
where
    S: Service<Request, Response = R> + Send + 'static,
    S::Future: Send + 'static,
    S::Error: std::fmt::Debug + Send,
    R: IntoResponse + Send + Sync + 'static,
{
    let request_id = event["requestContext"]["requestId"].as_str().unwrap_or_default();
    let context = bus::context(request_id, None);
    let request: LambdaRequest =
        serde_json::from_str(&event.to_string()).map_err(|_| "the event is none of the gateway's")?;
    drop(event);
    let mut adapter = Adapter::from(service);
    poll_fn(|cx| adapter.poll_ready(cx)).await.map_err(|_| FAILED)?;
    let response = adapter
        .call(LambdaEvent::new(api::sanitize_event(request), context))
        .await
        .map_err(|_| FAILED)?;
    serde_json::to_value(response).map_err(|_| "the response is no JSON")
}
