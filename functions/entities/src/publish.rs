//! Telling the checker of a claimed check.

use domain::id::EntityId;
use events::{CheckEvent, CheckRef};
use store::{Claim, Tenant};

use crate::State;

/// Publishes a claimed check. If it cannot be published, the next look at the check does.
pub(crate) async fn publish(state: &State, tenant: &Tenant, entity: &EntityId, claim: &Claim) {
    let check = CheckRef {
        workspace_id: tenant.workspace().clone(),
        entity_id: entity.clone(),
        check: claim.check,
    };
    if let Err(error) = state.bus.publish(&[CheckEvent::CheckClaimed(check)]).await {
        tracing::warn!(%error, "a claimed check waits for its next look");
    }
}
