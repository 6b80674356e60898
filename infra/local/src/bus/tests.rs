//! The bus as its users see it: over HTTP and through the handler.

mod events;
mod handler;
mod queue;
mod schedule;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use domain::time::Timestamp;
use futures::FutureExt;
use serde_json::Value;

use super::*;
use crate::clock::FixedClock;

/// Long enough that a test which waits for it in vain has failed.
const SOON: Duration = Duration::from_secs(10);

fn clock() -> Arc<FixedClock> {
    Arc::new(FixedClock::frozen(Timestamp::from_millis(1_764_962_401_005)))
}

/// What a handler was invoked with, in order.
type Seen = Arc<Mutex<Vec<Value>>>;

/// Keeps what it is invoked with and gives what `result` says of it.
fn recording(
    result: impl Fn(&Value) -> Result<Value, String> + Send + Sync + 'static,
) -> (EventHandler, Seen) {
    let seen = Seen::default();
    let kept = Arc::clone(&seen);
    let handler: EventHandler = Arc::new(move |event| {
        let result = result(&event);
        kept.lock().unwrap().push(event);
        std::future::ready(result).boxed()
    });
    (handler, seen)
}

/// Returns the bodies of the records of every invocation.
fn bodies(seen: &Seen) -> Vec<Vec<String>> {
    let text = |record: &Value| record["body"].as_str().unwrap().to_owned();
    let batch = |event: &Value| event["Records"].as_array().unwrap().iter().map(text).collect();
    seen.lock().unwrap().iter().map(batch).collect()
}

async fn soon<F: Future>(future: F) -> F::Output {
    tokio::time::timeout(SOON, future).await.unwrap()
}
