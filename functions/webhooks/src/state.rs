//! The state of this function.

use api::ApiState;
use domain::webhook::Targets;
use events::{Bus, NotificationsDue};
use store::Tenant;

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

impl WebhooksState {
    /// Tells the notifier that the workspace has something to send. If that fails, the next tick tells it.
    pub(crate) async fn publish_notifications(&self, tenant: &Tenant) {
        let workspace_id = *tenant.workspace();
        self.bus.publish_or_warn(NotificationsDue { workspace_id }).await;
    }
}

impl AsRef<ApiState> for WebhooksState {
    fn as_ref(&self) -> &ApiState {
        &self.api
    }
}
