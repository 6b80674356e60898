//! Tests of the bus over HTTP and through the handler.

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
use crate::testing::FixedClock;

/// The maximum wait of a test.
const TIMEOUT: Duration = Duration::from_secs(10);

fn clock() -> Arc<FixedClock> {
    Arc::new(FixedClock::frozen(Timestamp::from_millis(1_764_962_401_005)))
}

/// The events with which a handler was invoked, in order.
type RecordedEvents = Arc<Mutex<Vec<Value>>>;

/// Returns a handler that records its events and returns `result` of each, and the recorded events.
fn recording(
    result: impl Fn(&Value) -> Result<Value, String> + Send + Sync + 'static,
) -> (EventHandler, RecordedEvents) {
    let recorded = RecordedEvents::default();
    let sink = Arc::clone(&recorded);
    let handler: EventHandler = Arc::new(move |event| {
        let result = result(&event);
        sink.lock().unwrap().push(event);
        std::future::ready(result).boxed()
    });
    (handler, recorded)
}

/// Returns the bodies of the records of every invocation.
fn bodies(recorded: &RecordedEvents) -> Vec<Vec<String>> {
    let text = |record: &Value| record["body"].as_str().unwrap().to_owned();
    let batch = |event: &Value| event["Records"].as_array().unwrap().iter().map(text).collect();
    recorded.lock().unwrap().iter().map(batch).collect()
}

/// Waits for a future that must complete in time.
async fn in_time<F: Future>(future: F) -> F::Output {
    tokio::time::timeout(TIMEOUT, future).await.unwrap()
}
