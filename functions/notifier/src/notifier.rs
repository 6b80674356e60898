//! The notifier's dependencies.

use std::sync::Arc;

use domain::clock::Clock;
use store::Store;

use crate::sender::Sender;

/// The notifier, which handles messages that workspaces have something to send. It is cheap to clone.
#[derive(Clone)]
pub struct Notifier {
    pub store: Store,
    pub clock: Arc<dyn Clock>,
    pub sender: Arc<Sender>,
}
