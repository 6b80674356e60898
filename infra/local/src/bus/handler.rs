//! A function behind the queue and the schedule.

use std::future::poll_fn;
use std::sync::Arc;
use std::time::Duration;

use domain::clock::Clock;
use futures::FutureExt;
use futures::future::BoxFuture;
use lambda_runtime::{Context, LambdaEvent, Service};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use uuid::Uuid;

use crate::invocation;

/// A function behind the queue and the schedule. Receives an SQS or EventBridge event and returns its result
/// or its error.
pub type EventHandler = Arc<dyn Fn(Value) -> BoxFuture<'static, Result<Value, String>> + Send + Sync>;

/// Creates a handler that invokes a service as the Lambda runtime does. An invocation that takes longer than
/// `timeout` in real time is dropped and fails.
pub fn handler<S, T>(service: S, clock: Arc<dyn Clock>, timeout: Duration) -> EventHandler
where
    S: Service<LambdaEvent<T>> + Clone + Send + Sync + 'static,
    S::Future: Send + 'static,
    S::Response: Serialize + Send,
    S::Error: std::fmt::Display + Send,
    T: DeserializeOwned + Send + 'static,
{
    Arc::new(move |event| {
        let deadline = clock.real_now() + timeout;
        let context = invocation::context(&Uuid::new_v4().to_string(), Some(deadline));
        let call = call(service.clone(), event, context);
        async move {
            match tokio::time::timeout(timeout, call).await {
                Ok(result) => result,
                Err(_) => Err(format!("timed out after {:.2} seconds", timeout.as_secs_f64())),
            }
        }
        .boxed()
    })
}

async fn call<S, T>(mut service: S, event: Value, context: Context) -> Result<Value, String>
where
    S: Service<LambdaEvent<T>>,
    S::Response: Serialize,
    S::Error: std::fmt::Display,
    T: DeserializeOwned,
{
    let payload = serde_json::from_str(&event.to_string())
        .map_err(|_| "the event does not have the shape that the function expects")?;
    drop(event);
    poll_fn(|cx| service.poll_ready(cx))
        .await
        .map_err(|e| e.to_string())?;
    let response = service.call(LambdaEvent::new(payload, context)).await;
    serde_json::to_value(response.map_err(|e| e.to_string())?).map_err(|e| e.to_string())
}

/// Runs a handler in a task of its own, so that a panic is an error like any other.
pub(super) async fn invoke(handler: &EventHandler, event: Value) -> Result<Value, String> {
    let handler = Arc::clone(handler);
    match tokio::spawn(async move { handler(event).await }).await {
        Ok(result) => result,
        // The panic's message can contain anything, so it is not part of the error.
        Err(_) => Err("the function panicked".to_owned()),
    }
}
