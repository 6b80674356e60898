//! Stand-ins for EventBridge, SQS and the schedule, which deliver events of the real shapes.
//!
//! Publishers put events on the [`EventsEndpoint`]. Each goes to the [`Queue`] of the rule that it
//! matches, which invokes the checker. The [`Schedule`] invokes it directly.

mod events;
mod handler;
pub mod queue;
pub mod schedule;

#[cfg(test)]
mod tests;

use std::time::Duration;

pub use events::{EventsEndpoint, Rule};
pub use handler::EventHandler;
pub(crate) use handler::handler;
pub use queue::{DeadLetter, Depth, Queue};
pub use schedule::Schedule;

/// The account and the region that every event names.
pub(crate) const ACCOUNT: &str = "000000000000";
const REGION: &str = "us-east-1";
/// The maximum duration of a wait. An instant further away may not be representable.
const MAX_WAIT: Duration = Duration::from_secs(365 * 86_400);
