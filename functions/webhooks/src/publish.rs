//! Tells the notifier what there is to send.

use events::NotificationsDue;
use store::Tenant;

use crate::WebhooksState;

/// Tells the notifier that the workspace has something to send. If that fails, the next tick tells it.
pub(crate) async fn publish_notifications(state: &WebhooksState, tenant: &Tenant) {
    let due = NotificationsDue {
        workspace_id: tenant.workspace().clone(),
    };
    state.bus.publish_or_warn(due).await;
}
