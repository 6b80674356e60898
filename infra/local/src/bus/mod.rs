//! Stand-ins for EventBridge, SQS and the schedule: real event JSON for a handler, nothing of what it does with it.
//!
//! Publishers put events on the [`events`] endpoint; those that match its rule go to the [`queue`], which invokes
//! the handler; the [`schedule`] invokes it directly.

mod entry;
pub mod events;
mod function;
mod message;
pub mod queue;
pub mod schedule;

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use domain::time::Timestamp;
use futures::future::BoxFuture;
use serde_json::Value;

pub use events::{Events, Rule};
pub use function::{context, lambda};
pub use queue::{DeadLetter, Depth, Queue, QueueFull};
pub use schedule::Schedule;

/// A function behind the queue and the schedule: takes an SQS or EventBridge event, gives its result or its error.
pub type EventHandler = Arc<dyn Fn(Value) -> BoxFuture<'static, Result<Value, String>> + Send + Sync>;

/// The account that every event names.
pub const ACCOUNT: &str = "000000000000";
/// The region that every event names.
pub const REGION: &str = "us-east-1";

/// The longest wait that is kept, a year: an instant further away might not exist.
const LONGEST: Duration = Duration::from_secs(365 * 86_400);

/// `2026-01-31T08:00:00Z`: EventBridge shows whole seconds.
fn seconds(at: Timestamp) -> String {
    let iso = at.iso();
    format!("{}Z", iso.get(..19).unwrap_or_default())
}

/// Runs the handler in a task of its own, so that a panic is an error like any other.
async fn invoke(handler: &EventHandler, event: Value) -> Result<Value, String> {
    let handler = Arc::clone(handler);
    match tokio::spawn(async move { handler(event).await }).await {
        Ok(result) => result,
        // What it says may be anything.
        Err(_) => Err("it panicked".to_owned()),
    }
}
