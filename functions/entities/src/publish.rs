//! Telling the checker, and the operator. What it is told of is in the table: where it cannot be told, it finds out by itself.

use domain::id::EntityId;
use domain::limits::PUBLISH_TIMEOUT;
use events::{CheckEvent, CheckRef, EntityRef};
use runtime::metrics::CHECKS_CLAIMED;
use store::{Claim, Tenant};

use crate::EntitiesState;

/// Publishes a claimed check. If it cannot be published, the next look at the check does.
pub(crate) async fn publish_claim(state: &EntitiesState, tenant: &Tenant, entity: &EntityId, claim: &Claim) {
    let check = CheckRef {
        workspace_id: tenant.workspace().clone(),
        entity_id: entity.clone(),
        check: claim.check,
    };
    let check_number = claim.check;
    tracing::info!(entity.id = %entity, check.number = check_number, { CHECKS_CLAIMED } = 1, "a check is claimed");
    publish(state, entity, CheckEvent::CheckClaimed(check)).await;
}

/// Publishes a deleted entity. If it cannot be published, the next tick finds it.
pub(crate) async fn publish_deletion(state: &EntitiesState, tenant: &Tenant, entity: &EntityId) {
    let gone = EntityRef {
        workspace_id: tenant.workspace().clone(),
        entity_id: entity.clone(),
    };
    publish(state, entity, CheckEvent::EntityDeleted(gone)).await;
}

/// What the request did is done: its client does not wait long for a bus that is slow.
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
