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

/// The state of a function that serves endpoints.
pub(crate) trait FunctionState: AsRef<ApiState> + Clone + Send + Sync + 'static {
    fn new(dependencies: &Dependencies) -> Self;
}

impl FunctionState for ApiState {
    fn new(dependencies: &Dependencies) -> Self {
        dependencies.api.clone()
    }
}

impl FunctionState for AnalyticsState {
    fn new(dependencies: &Dependencies) -> Self {
        Self::new(dependencies.api.clone())
    }
}

impl FunctionState for EntitiesState {
    fn new(dependencies: &Dependencies) -> Self {
        Self {
            api: dependencies.api.clone(),
            bus: dependencies.bus.clone(),
            providers: dependencies.providers.clone(),
            frequency_hours: dependencies.frequency_hours,
        }
    }
}

impl FunctionState for WebhooksState {
    fn new(dependencies: &Dependencies) -> Self {
        Self {
            api: dependencies.api.clone(),
            bus: dependencies.bus.clone(),
            targets: dependencies.webhook_targets,
        }
    }
}
