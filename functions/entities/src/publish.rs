//! Telling the checker of a claimed check, and the operator.

use domain::id::EntityId;
use events::{CheckEvent, CheckRef};
use runtime::metrics::CHECKS_CLAIMED;
use store::{Claim, Tenant};

use crate::State;

/// Publishes a claimed check. If it cannot be published, the next look at the check does.
pub(crate) async fn publish(state: &State, tenant: &Tenant, entity: &EntityId, claim: &Claim) {
    let check = CheckRef {
        workspace_id: tenant.workspace().clone(),
        entity_id: entity.clone(),
        check: claim.check,
    };
    let check_number = claim.check;
    tracing::info!(entity.id = %entity, check.number = check_number, { CHECKS_CLAIMED } = 1, "a check is claimed");
    if let Err(error) = state.bus.publish(&[CheckEvent::CheckClaimed(check)]).await {
        tracing::warn!(entity.id = %entity, check.number = check_number, %error, "a claimed check waits for its next look");
    }
}
