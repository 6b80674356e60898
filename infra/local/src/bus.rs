//! Stand-ins for EventBridge, SQS and the schedule, which deliver events of the real shapes.
//!
//! Publishers put events on the [`EventsEndpoint`]. Each goes to the [`Queue`] of the rule that it
//! matches, which invokes the checker. The [`Schedule`] invokes it directly.

mod entry;
mod events;
mod handler;
mod message;
pub mod queue;
pub mod schedule;
mod time;

#[cfg(test)]
mod tests;

pub use events::{EventsEndpoint, Rule};
pub use handler::{EventHandler, handler};
pub use queue::{DeadLetter, Depth, Queue, QueueFull};
pub use schedule::Schedule;
