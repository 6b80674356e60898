//! The events of a mention check, and the bus that carries them. Events carry ids only: what they are about
//! is read from the table. Any may arrive twice, late, in any order, or never.
#![forbid(unsafe_code)]

mod bus;
mod event;

pub use bus::{Bus, BusError};
pub use event::{CheckEvent, CheckRef, EntityRef, SOURCE, Unreadable};
