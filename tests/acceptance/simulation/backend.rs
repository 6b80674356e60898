//! The embedded DynamoDB of a run.

use std::sync::Arc;

use aws_types::SdkConfig;
use domain::time::Timestamp;
use local::Database;
use local::testing::FixedClock;

use crate::store::table::NOON;

/// An empty database of one run.
pub(super) struct Backend {
    /// The configuration of clients whose calls take no simulated time.
    pub(super) aws: SdkConfig,
    clock: Arc<FixedClock>,
}

impl Backend {
    pub(super) fn new() -> Self {
        let clock = Arc::new(FixedClock::frozen(NOON));
        let database = Database::open(None, clock.clone()).unwrap();
        Self {
            aws: database.client_config(),
            clock,
        }
    }

    pub(super) fn set_clock(&self, now: Timestamp) {
        self.clock.set(now);
    }
}
