//! The events of checks and notifications, and the client of the EventBridge bus. Events contain only ids,
//! and their receivers read the table. An event can arrive twice, late, in any order, or never.
#![forbid(unsafe_code)]

mod batch;
mod bus;
mod bus_event;
mod envelope;
mod event;
mod notifications_due;
mod queue;

pub use batch::run_batch;
pub use bus::{Bus, BusError};
pub use bus_event::BusEvent;
pub use envelope::Unreadable;
pub use event::{CheckEvent, CheckRef, EntityRef, SOURCE};
pub use notifications_due::NotificationsDue;
pub use queue::CheckQueue;
