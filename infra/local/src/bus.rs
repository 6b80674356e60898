//! Stand-ins for EventBridge, SQS and the schedule, which deliver events of the real shapes.
//!
//! Publishers put events on the [`EventsEndpoint`]. Those that match its rule go to the [`Queue`], which invokes the
//! checker. The [`Schedule`] invokes it directly.

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
