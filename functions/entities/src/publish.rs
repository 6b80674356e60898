//! Publishes events to the checker. The table contains everything that they say, so an event that is not
//! published delays the work until the next tick.

use domain::id::EntityId;
use events::{CheckEvent, CheckRef, EntityRef};
use runtime::metrics::CHECKS_CLAIMED;
use store::{Claim, Tenant};
use tracing::Instrument as _;

use crate::EntitiesState;

/// Publishes and logs a claimed check. If that fails, the checker publishes it when it reconciles the check.
pub(crate) async fn publish_claim(state: &EntitiesState, tenant: &Tenant, entity: &EntityId, claim: &Claim) {
    let check = CheckRef {
        workspace_id: *tenant.workspace(),
        entity_id: *entity,
        check: claim.check,
    };
    let check_number = claim.check;
    tracing::info!(entity.id = %entity, check.number = check_number.get(), { CHECKS_CLAIMED } = 1, "a check is claimed");
    publish(state, entity, CheckEvent::CheckClaimed(check)).await;
}

/// Publishes a deleted entity. If that fails, the next tick finds the entity.
pub(crate) async fn publish_deletion(state: &EntitiesState, tenant: &Tenant, entity: &EntityId) {
    let deleted = EntityRef {
        workspace_id: *tenant.workspace(),
        entity_id: *entity,
    };
    publish(state, entity, CheckEvent::EntityDeleted(deleted)).await;
}

async fn publish(state: &EntitiesState, entity: &EntityId, event: CheckEvent) {
    let span = tracing::error_span!("publish", entity.id = %entity);
    state.bus.publish_or_warn(event).instrument(span).await;
}
