//! What every endpoint group works with.

use std::sync::Arc;

use domain::catalogue::Catalogue;
use domain::clock::Clock;
use store::Store;

use crate::Cors;

/// The parts that all functions share. Cheap to clone.
#[derive(Clone)]
pub struct ApiState {
    pub store: Store,
    pub clock: Arc<dyn Clock>,
    /// The models of configured providers.
    pub catalogue: Arc<Catalogue>,
    pub cors: Arc<Cors>,
}

impl AsRef<ApiState> for ApiState {
    fn as_ref(&self) -> &ApiState {
        self
    }
}
