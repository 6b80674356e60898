//! The state of this function.

use api::ApiState;
use domain::webhook::Targets;
use events::Bus;

/// The state that the endpoints of this function share. It is cheap to clone.
#[derive(Clone)]
pub struct WebhooksState {
    /// The state that all API functions share.
    pub api: ApiState,
    /// The bus on which the notifier is told what there is to send.
    pub bus: Bus,
    /// What webhooks can be sent to.
    pub targets: Targets,
}

impl AsRef<ApiState> for WebhooksState {
    fn as_ref(&self) -> &ApiState {
        &self.api
    }
}
