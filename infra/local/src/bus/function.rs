//! A `lambda_runtime` service as a function behind the queue and the schedule.

use std::future::poll_fn;
use std::sync::Arc;
use std::time::Duration;

use domain::clock::Clock;
use domain::time::Timestamp;
use futures::FutureExt;
use lambda_runtime::{Context, LambdaEvent, Service};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use uuid::Uuid;

use super::EventHandler;

/// The end of the year 9999: where an invocation has no deadline.
const NEVER: Timestamp = Timestamp::from_millis(253_402_300_799_999);

/// The context of an invocation that must end by `deadline` (real time); None: it may take as long as it likes.
pub fn context(request_id: &str, deadline: Option<Timestamp>) -> Context {
    let mut context = Context::default();
    request_id.clone_into(&mut context.request_id);
    context.deadline = u64::try_from(deadline.unwrap_or(NEVER).as_millis()).unwrap_or_default();
    context
}

/// Wraps a service as the Lambda runtime does. An invocation that is not done after `timeout` (real time, the
/// function's own limit) is dropped and fails.
pub fn lambda<S, T>(service: S, clock: Arc<dyn Clock>, timeout: Duration) -> EventHandler
where
    S: Service<LambdaEvent<T>> + Clone + Send + Sync + 'static,
    S::Future: Send + 'static,
    S::Response: Serialize + Send,
    S::Error: std::fmt::Display + Send,
    T: DeserializeOwned + Send + 'static,
{
    Arc::new(move |event| {
        let deadline = (clock.real_now() + timeout).min(NEVER);
        let context = context(&Uuid::new_v4().to_string(), Some(deadline));
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
    let payload = serde_json::from_str(&event.to_string()).map_err(|_| "the event is of another form")?;
    drop(event);
    poll_fn(|cx| service.poll_ready(cx))
        .await
        .map_err(|e| e.to_string())?;
    let response = service.call(LambdaEvent::new(payload, context)).await;
    serde_json::to_value(response.map_err(|e| e.to_string())?).map_err(|e| e.to_string())
}
