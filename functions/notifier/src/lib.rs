//! The notifier tells webhooks what has happened.
//!
//! A queue invokes [`Notifier::invoke`] with the ids of workspaces that have something to send. The table has
//! what it is: events that were recorded with their effects, and one queue of deliveries per webhook. A
//! message can arrive twice, late, or never, and the notifier can end at any moment: the next tick of the
//! checker publishes again what is due.
//!
//! 1. Recorded events are passed on, the oldest first: each webhook that wants one gets a delivery, once.
//! 2. The due deliveries of each webhook are sent, the oldest first, by one sender at a time. A delivery that
//!    fails is tried again later and holds nothing up, so that it can arrive after younger ones. A delivery
//!    can arrive twice, with the same id.
//! 3. A webhook whose receiver has accepted nothing for five days is disabled.
#![forbid(unsafe_code)]

mod dispatch;
mod message;
mod notify;
pub mod sender;

use std::sync::Arc;

use domain::clock::Clock;
use store::Store;

use crate::sender::Sender;
pub use message::body;

/// The notifier, which handles messages that workspaces have something to send. It is cheap to clone.
#[derive(Clone)]
pub struct Notifier {
    pub store: Store,
    pub clock: Arc<dyn Clock>,
    pub sender: Arc<Sender>,
}
