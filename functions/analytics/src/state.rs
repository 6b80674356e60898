//! The state of the functions that read facts.

use std::sync::Arc;

use api::ApiState;
use facts::{SegmentCache, segment_cache};

/// The state that all API functions share, and the cache of segments. It is cheap to clone.
#[derive(Clone)]
pub struct AnalyticsState {
    pub api: ApiState,
    pub(crate) cache: Arc<SegmentCache>,
}

impl AnalyticsState {
    /// Creates a state with an empty cache.
    pub fn new(api: ApiState) -> Self {
        Self {
            api,
            cache: Arc::new(segment_cache()),
        }
    }
}

impl AsRef<ApiState> for AnalyticsState {
    fn as_ref(&self) -> &ApiState {
        &self.api
    }
}
