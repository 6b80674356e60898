//! Claims a check and publishes it.

use domain::id::EntityId;
use events::{CheckEvent, CheckRef};
use runtime::metrics::CHECKS_CLAIMED;
use store::{Once, Tenant, Trigger};

use crate::{Checker, CheckerError};

impl Checker {
    /// Claims a check if there is one to claim. If it cannot be published, its next look does.
    pub(crate) async fn claim(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        trigger: Trigger,
    ) -> Result<(), CheckerError> {
        let (workspace, catalogue) = (tenant.workspace(), &self.catalogue);
        let claimed = self
            .store
            .claim_check(tenant, entity, trigger, catalogue, &Once::none())
            .await?;
        match claimed {
            Ok(claim) => {
                let (workspace_id, entity_id) = (workspace.clone(), entity.clone());
                let check = CheckRef {
                    workspace_id,
                    entity_id,
                    check: claim.check,
                };
                tracing::info!(
                    check.number = claim.check,
                    ?trigger,
                    { CHECKS_CLAIMED } = 1,
                    "a check is claimed"
                );
                if let Err(error) = self.bus.publish(&[CheckEvent::CheckClaimed(check)]).await {
                    tracing::warn!(check.number = claim.check, %error, "a claimed check waits for its next look");
                }
            }
            Err(reason) => tracing::info!(?trigger, ?reason, "a check is not claimed"),
        }
        Ok(())
    }
}
