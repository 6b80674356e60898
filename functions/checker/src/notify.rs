//! Tells the notifier that a workspace has something to send to its webhooks.
//!
//! What there is to send is in the table. A message that is lost delays it until the next tick.

use events::NotificationsDue;
use store::Tenant;

use crate::Checker;

impl Checker {
    /// Publishes `NotificationsDue` for each workspace. If that fails, a later tick publishes it.
    pub(crate) async fn publish_notifications(&self, tenants: &[Tenant]) {
        let due = tenants.iter().map(|tenant| NotificationsDue {
            workspace_id: *tenant.workspace(),
        });
        let due: Vec<NotificationsDue> = due.collect();
        if let Err(error) = self.bus.publish(&due).await {
            tracing::warn!(%error, "notifications could not be published and wait for a later tick");
        }
    }
}
