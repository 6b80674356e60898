//! The checker: claims what is due, asks the models, folds the answers into facts.
//!
//! The schedule invokes [`Checker::handle`] with a tick, the queue with the events of a check. Each may come
//! twice, late, in any order, or never: what has happened is in the table, and every step looks there first.
#![forbid(unsafe_code)]

mod claim;
mod clean_up;
mod error;
mod finish;
mod handle;
mod log;
mod look;
mod plan;
mod recommend;
mod request;
mod shard;
mod tick;

use std::sync::Arc;

use domain::catalogue::Catalogue;
use domain::clock::Clock;
use events::Bus;
use providers::Providers;
use store::Store;

pub use error::CheckerError;
pub use handle::RECONCILE_ALL;

/// What the checker works with. Cheap to clone.
#[derive(Clone)]
pub struct Checker {
    pub store: Store,
    pub bus: Bus,
    pub providers: Arc<Providers>,
    /// The models of configured providers.
    pub catalogue: Arc<Catalogue>,
    pub clock: Arc<dyn Clock>,
}
