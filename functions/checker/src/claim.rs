//! Claims an entity's next check and publishes it.
//!
//! The store decides whether there is a check to claim. After a claim, the table contains a running check
//! with its plan and reserved credits.

use domain::id::EntityId;
use events::{CheckEvent, CheckRef};
use runtime::metrics::CHECKS_CLAIMED;
use store::{ReplyRecorder, Tenant, Trigger, WriteError};

use crate::{Checker, CheckerError};

impl Checker {
    /// Claims a check if there is one to claim, and publishes `CheckClaimed`. If publishing fails, the next
    /// tick admits the check. Returns whether a check is claimed.
    pub(crate) async fn claim(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        trigger: Trigger,
    ) -> Result<bool, CheckerError> {
        let claimed = self
            .store
            .claim_check(
                tenant,
                entity,
                trigger,
                &self.catalogue,
                &ReplyRecorder::disabled(),
            )
            .await;
        let claim = match claimed {
            Ok(claim) => claim,
            Err(WriteError::Refused(reason)) => {
                tracing::info!(?trigger, %reason, "a check is not claimed");
                return Ok(false);
            }
            Err(WriteError::Store(error)) => return Err(error.into()),
            // Only requests with an idempotency key can conflict.
            Err(WriteError::AlreadyRecorded) => return Ok(false),
        };
        tracing::info!(
            check.number = claim.check.get(),
            ?trigger,
            { CHECKS_CLAIMED } = 1,
            "a check is claimed"
        );
        let check = CheckRef {
            workspace_id: tenant.workspace().clone(),
            entity_id: entity.clone(),
            check: claim.check,
        };
        if let Err(error) = self.bus.publish(&[CheckEvent::CheckClaimed(check)]).await {
            tracing::warn!(
                check.number = claim.check.get(),
                %error,
                "a claimed check could not be published and waits for the next tick"
            );
        }
        Ok(true)
    }
}
