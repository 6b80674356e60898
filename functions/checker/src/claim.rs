//! Claims an entity's next check and publishes it, for an admission or for `CheckWanted` of an operator.
//!
//! The store decides whether there is a check to claim. After a claim, the table contains a running check
//! with its plan and reserved credits.

use domain::id::EntityId;
use events::{CheckEvent, CheckRef};
use runtime::metrics::CHECKS_CLAIMED;
use store::{ReplyRecorder, Tenant, Trigger, WriteError};

use crate::checker::{check_ref, tenant_of};
use crate::{Checker, CheckerError};

impl Checker {
    /// Handles `CheckWanted`. The event names the number that the check will have. If the entity's next check
    /// has another number, the requested one has been claimed already.
    pub(crate) async fn claim_requested(&self, at: &CheckRef) -> Result<(), CheckerError> {
        let tenant = tenant_of(&at.workspace_id);
        let Some(entity) = self.store.entity(&tenant, &at.entity_id).await? else {
            tracing::info!("a check of an unknown entity was requested");
            return Ok(());
        };
        if entity.check_seq.next() == at.check {
            self.claim(&tenant, &at.entity_id, Trigger::Request).await?;
        }
        Ok(())
    }

    /// Claims a check if there is one to claim, and publishes `CheckClaimed`. If publishing fails, the next
    /// tick admits the check. Returns whether a check is claimed.
    pub(crate) async fn claim(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        trigger: Trigger,
    ) -> Result<bool, CheckerError> {
        let (catalogue, recorder) = (&self.catalogue, ReplyRecorder::disabled());
        let claimed = self
            .store
            .claim_check(tenant, entity, trigger, catalogue, &recorder);
        let claim = match claimed.await {
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
        let claimed = CheckEvent::CheckClaimed(check_ref(tenant, entity, claim.check));
        if let Err(error) = self.bus.publish(&[claimed]).await {
            tracing::warn!(
                check.number = claim.check.get(),
                %error,
                "a claimed check could not be published and waits for the next tick"
            );
        }
        Ok(true)
    }
}
