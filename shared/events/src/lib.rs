//! The events of checks, and the client of the EventBridge bus. Events contain only ids, and their receivers read the table. An
//! event can arrive twice, late, in any order, or never.
#![forbid(unsafe_code)]

mod bus;
mod event;
mod queue;

pub use bus::{Bus, BusError};
pub use event::{CheckEvent, CheckRef, EntityRef, SOURCE, Unreadable};
pub use queue::CheckQueue;
