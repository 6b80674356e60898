//! Publishes events to the checker. The table contains everything that they say, so an event that is not published delays the work until the
//! next tick.

use domain::id::EntityId;
use domain::limits::PUBLISH_TIMEOUT;
use events::{CheckEvent, CheckRef, EntityRef};
use runtime::metrics::CHECKS_CLAIMED;
use store::{Claim, Tenant};

use crate::EntitiesState;

/// Publishes and logs a claimed check. If that fails, the checker publishes it when it reconciles the check.
pub(crate) async fn publish_claim(state: &EntitiesState, tenant: &Tenant, entity: &EntityId, claim: &Claim) {
    let check = CheckRef {
        workspace_id: tenant.workspace().clone(),
        entity_id: entity.clone(),
        check: claim.check,
    };
    let check_number = claim.check;
    tracing::info!(entity.id = %entity, check.number = check_number.get(), { CHECKS_CLAIMED } = 1, "a check is claimed");
    publish(state, entity, CheckEvent::CheckClaimed(check)).await;
}

/// Publishes a deleted entity. If that fails, the next tick finds the entity.
pub(crate) async fn publish_deletion(state: &EntitiesState, tenant: &Tenant, entity: &EntityId) {
    let deleted = EntityRef {
        workspace_id: tenant.workspace().clone(),
        entity_id: entity.clone(),
    };
    publish(state, entity, CheckEvent::EntityDeleted(deleted)).await;
}

/// Publishes an event, and logs a warning if that fails. The request has taken effect, so it succeeds either way and does not
/// wait long for a slow bus.
async fn publish(state: &EntitiesState, entity: &EntityId, event: CheckEvent) {
    let kind = event.detail_type();
    match tokio::time::timeout(PUBLISH_TIMEOUT, state.bus.publish(&[event])).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => {
            tracing::warn!(entity.id = %entity, event.kind = kind, %error, "an event was not published");
        }
        Err(_) => {
            tracing::warn!(entity.id = %entity, event.kind = kind, "an event was not published in time");
        }
    }
}
