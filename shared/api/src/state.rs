//! The state of the API functions.

use std::sync::Arc;

use domain::catalogue::Catalogue;
use domain::clock::Clock;
use store::Store;

use crate::{Cors, KnownKeys};

/// The state that all API functions share. Clones share their parts.
#[derive(Clone)]
pub struct ApiState {
    /// The table.
    pub store: Store,
    /// Service time for stored instants, and real time for rate limits and latencies.
    pub clock: Arc<dyn Clock>,
    /// The models of configured providers.
    pub catalogue: Arc<Catalogue>,
    /// The origins whose web pages can call the API.
    pub cors: Arc<Cors>,
    /// The API keys that this instance has accepted.
    pub known_keys: Arc<KnownKeys>,
}

impl AsRef<ApiState> for ApiState {
    fn as_ref(&self) -> &ApiState {
        self
    }
}
