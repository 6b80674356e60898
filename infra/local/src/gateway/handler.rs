//! A function behind the gateway.

use std::future::poll_fn;
use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use lambda_http::request::LambdaRequest;
use lambda_http::{Body, LambdaEvent, Request, Response, Service};
use serde_json::{Value, json};

use crate::invocation;

/// A function behind the gateway. Receives an event of payload format 2.0 and returns a response of that
/// format.
pub type ApiHandler = Arc<dyn Fn(Value) -> BoxFuture<'static, Value> + Send + Sync>;

const FAILED: &str = "the service failed";

/// Creates a handler that invokes a service as the Lambda runtime does. `serving` decodes the event and
/// encodes the response. An error of the service becomes API Gateway's 500.
pub fn handler<S>(service: S) -> ApiHandler
where
    S: Service<Request, Response = Response<Body>, Error: Send, Future: Send> + Clone + Send + Sync + 'static,
{
    Arc::new(move |event| {
        let service = service.clone();
        async move { invoke(service, event).await.unwrap_or_else(failed) }.boxed()
    })
}

/// Logs the error and returns the response with which API Gateway answers a request whose function failed.
pub fn failed(error: &str) -> Value {
    tracing::error!(error, "a function failed");
    json!({
        "statusCode": 500,
        "headers": {"content-type": "application/json"},
        "body": r#"{"message":"Internal Server Error"}"#,
    })
}

/// Invokes the service. An error contains nothing of the request.
async fn invoke<S>(service: S, event: Value) -> Result<Value, &'static str>
where
    S: Service<Request, Response = Response<Body>, Error: Send, Future: Send> + Send + 'static,
{
    let request_id = event["requestContext"]["requestId"].as_str().unwrap_or("");
    let context = invocation::context(request_id, None);
    let request: LambdaRequest =
        serde_json::from_str(&event.to_string()).map_err(|_| "the event is not one of an HTTP API")?;
    drop(event);
    let mut adapter = serving::adapter(service);
    poll_fn(|cx| adapter.poll_ready(cx)).await.map_err(|_| FAILED)?;
    let response = adapter
        .call(LambdaEvent::new(request, context))
        .await
        .map_err(|_| FAILED)?;
    serde_json::to_value(response).map_err(|_| "the response cannot be encoded as JSON")
}
