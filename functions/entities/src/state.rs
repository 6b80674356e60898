//! The state of this function.

use std::sync::Arc;

use api::ApiState;
use events::Bus;
use providers::Providers;

/// The state that the endpoints of this function share. It is cheap to clone.
#[derive(Clone)]
pub struct EntitiesState {
    /// The state that all API functions share.
    pub api: ApiState,
    /// The bus on which the steps of checks are published.
    pub bus: Bus,
    /// The configured providers, which generate prompts.
    pub providers: Arc<Providers>,
    /// The hours between the checks of a new entity.
    pub frequency_hours: u32,
}

impl AsRef<ApiState> for EntitiesState {
    fn as_ref(&self) -> &ApiState {
        &self.api
    }
}
