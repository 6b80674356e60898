//! What this group works with.

use std::sync::Arc;

use api::ApiState;
use events::Bus;
use providers::Providers;

#[derive(Clone)]
pub struct EntitiesState {
    pub api: ApiState,
    pub bus: Bus,
    /// They generate prompts.
    pub providers: Arc<Providers>,
    /// Hours between the checks of a new entity.
    pub frequency_hours: u32,
}

impl AsRef<ApiState> for EntitiesState {
    fn as_ref(&self) -> &ApiState {
        &self.api
    }
}
