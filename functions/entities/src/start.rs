//! Starting a check from a request.

use domain::id::EntityId;
use events::{CheckEvent, CheckRef};
use store::{Claim, NotClaimed, StoreError, Tenant, Trigger};

use crate::State;

/// Claims a check and publishes it. If it cannot be published, the next look at the check does.
pub(crate) async fn start_check(
    state: &State,
    tenant: &Tenant,
    entity: &EntityId,
    trigger: Trigger,
) -> Result<Result<Claim, NotClaimed>, StoreError> {
    let app = &state.app;
    let claimed = app
        .store
        .claim_check(tenant, entity, trigger, &app.catalogue, app.clock.as_ref())
        .await?;
    if let Ok(claim) = &claimed {
        let workspace_id = tenant.workspace().clone();
        let check = CheckRef {
            workspace_id,
            entity_id: entity.clone(),
            check: claim.check,
        };
        if let Err(error) = state.bus.publish(&[CheckEvent::CheckClaimed(check)]).await {
            tracing::warn!(%error, "a claimed check waits for its next look");
        }
    }
    Ok(claimed)
}
