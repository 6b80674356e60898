//! The checker's dependencies.

use std::sync::Arc;

use domain::catalogue::Catalogue;
use domain::clock::Clock;
use events::Bus;
use providers::Providers;
use store::Store;

/// The checker, which handles the schedule's ticks and the events of checks. It is cheap to clone.
#[derive(Clone)]
pub struct Checker {
    pub store: Store,
    pub bus: Bus,
    pub providers: Arc<Providers>,
    /// The models of configured providers.
    pub catalogue: Arc<Catalogue>,
    pub clock: Arc<dyn Clock>,
    /// The number of shards that are worked on concurrently.
    pub shard_concurrency: u32,
}
