//! The events of checks and notifications, and the client of the EventBridge bus. Events contain only ids,
//! and their receivers read the table. An event can arrive twice, late, in any order, or never.
#![forbid(unsafe_code)]

mod batch;
mod bus;
mod event;

pub use batch::run_batch;
pub use bus::{Bus, BusError};
pub use event::{
    BusEvent, CheckEvent, CheckQueue, CheckRef, EntityRef, NotificationsDue, SOURCE, Unreadable,
};
