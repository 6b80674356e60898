//! The state of this function.

use analytics::AnalyticsState;
use api::ApiState;
use entities::EntitiesState;

/// The state of the functions whose endpoints the tools call. It is cheap to clone.
#[derive(Clone)]
pub struct McpState {
    pub analytics: AnalyticsState,
    pub entities: EntitiesState,
}

impl AsRef<ApiState> for McpState {
    fn as_ref(&self) -> &ApiState {
        self.entities.as_ref()
    }
}
