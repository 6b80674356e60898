//! The checker's dependencies, and what its steps start with.

use std::sync::Arc;

use domain::catalogue::Catalogue;
use domain::check::CheckState;
use domain::clock::Clock;
use domain::id::{EntityId, WorkspaceId};
use domain::ordinal::CheckNumber;
use events::{Bus, CheckRef};
use providers::Providers;
use store::{RunningCheckItem, Store, StoreError, Tenant};

/// The checker, which handles the schedule's ticks and the events of checks. It is cheap to clone.
#[derive(Clone)]
pub struct Checker {
    pub store: Store,
    pub bus: Bus,
    pub providers: Arc<Providers>,
    /// The models of configured providers.
    pub catalogue: Arc<Catalogue>,
    pub clock: Arc<dyn Clock>,
    /// The number of shards that are worked on concurrently.
    pub shard_concurrency: u32,
}

impl Checker {
    /// Reads the check of an event, strongly consistent. Returns `None` if it has ended.
    pub(crate) async fn running_check(&self, at: &CheckRef) -> Result<Option<RunningCheckItem>, StoreError> {
        let tenant = tenant_of(&at.workspace_id);
        let check = self.store.check(&tenant, &at.entity_id, at.check).await?;
        let running = check.filter(|check| check.state == CheckState::Running);
        Ok(running.map(|check| RunningCheckItem {
            tenant,
            entity: at.entity_id,
            check,
        }))
    }
}

/// Returns the ids of a check for its events.
pub(crate) fn check_ref(tenant: &Tenant, entity: &EntityId, check: CheckNumber) -> CheckRef {
    CheckRef {
        workspace_id: *tenant.workspace(),
        entity_id: *entity,
        check,
    }
}

/// Returns the tenant of the workspace that one of the service's events names.
#[expect(
    clippy::disallowed_methods,
    reason = "the checker works on what the service's own events name"
)]
pub(crate) fn tenant_of(workspace: &WorkspaceId) -> Tenant {
    Tenant::from_event(*workspace)
}
