//! A function behind the queue and the schedule.

use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;

use domain::clock::Clock;
use futures::FutureExt;
use futures::future::BoxFuture;
use lambda_runtime::LambdaEvent;
use serde_json::Value;
use uuid::Uuid;

use crate::invocation;

/// A function behind the queue and the schedule. Receives an SQS or EventBridge event and returns its result
/// or its error.
pub type EventHandler = Arc<dyn Fn(Value) -> BoxFuture<'static, Result<Value, String>> + Send + Sync>;

/// Creates a handler that invokes a function as the Lambda runtime does. An invocation that takes longer than
/// `timeout` in real time is dropped and fails.
pub(crate) fn handler<F, E>(
    function: impl Fn(LambdaEvent<Value>) -> F + Send + Sync + 'static,
    clock: Arc<dyn Clock>,
    timeout: Duration,
) -> EventHandler
where
    F: Future<Output = Result<Value, E>> + Send + 'static,
    E: Display,
{
    Arc::new(move |event| {
        let deadline = clock.real_now() + timeout;
        let context = invocation::context(&Uuid::new_v4().to_string(), Some(deadline));
        let call = function(LambdaEvent::new(event, context));
        async move {
            match tokio::time::timeout(timeout, call).await {
                Ok(result) => result.map_err(|error| error.to_string()),
                Err(_) => Err(format!("timed out after {:.2} seconds", timeout.as_secs_f64())),
            }
        }
        .boxed()
    })
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
