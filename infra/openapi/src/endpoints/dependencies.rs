//! What the functions are constructed from.

use std::sync::Arc;

use analytics::AnalyticsState;
use api::ApiState;
use domain::webhook::Targets;
use entities::EntitiesState;
use events::Bus;
use providers::Providers;
use webhooks::WebhooksState;

/// Everything that any function needs.
#[derive(Clone)]
pub struct Dependencies {
    pub api: ApiState,
    pub bus: Bus,
    pub providers: Arc<Providers>,
    /// Hours between the checks of a new entity.
    pub frequency_hours: u32,
    /// What webhooks can be sent to.
    pub webhook_targets: Targets,
}

/// The states of the functions that serve endpoints.
impl Dependencies {
    pub(crate) fn api(&self) -> ApiState {
        self.api.clone()
    }

    pub(crate) fn analytics(&self) -> AnalyticsState {
        AnalyticsState::new(self.api.clone())
    }

    pub(crate) fn entities(&self) -> EntitiesState {
        EntitiesState {
            api: self.api.clone(),
            bus: self.bus.clone(),
            providers: self.providers.clone(),
            frequency_hours: self.frequency_hours,
        }
    }

    pub(crate) fn webhooks(&self) -> WebhooksState {
        WebhooksState {
            api: self.api.clone(),
            bus: self.bus.clone(),
            targets: self.webhook_targets,
        }
    }
}
