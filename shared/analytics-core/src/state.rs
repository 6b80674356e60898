//! What a group of endpoints that read facts works with.

use std::sync::Arc;

use api::ApiState;

use crate::cache::FactCache;

/// Cheap to clone.
#[derive(Clone)]
pub struct AnalyticsState {
    pub api: ApiState,
    pub facts: Arc<FactCache>,
}

impl AnalyticsState {
    /// With nothing read yet.
    pub fn new(api: ApiState) -> Self {
        Self {
            api,
            facts: Arc::default(),
        }
    }
}

impl AsRef<ApiState> for AnalyticsState {
    fn as_ref(&self) -> &ApiState {
        &self.api
    }
}
