//! `CheckWanted`: claims the check that an operator wants, unless it was claimed already.

use events::{CheckEvent, CheckRef};
use store::{Tenant, Trigger};

use crate::{Checker, CheckerError};

impl Checker {
    pub(crate) async fn request(&self, at: &CheckRef) -> Result<(), CheckerError> {
        let tenant = Tenant::from_event(at.workspace_id.clone());
        let (workspace, entity) = (&at.workspace_id, &at.entity_id);
        let Some(found) = self.store.entity(&tenant, entity).await? else {
            tracing::info!(%workspace, %entity, "a check of an unknown entity was wanted");
            return Ok(());
        };
        if found.check_seq.checked_add(1) != Some(at.check) {
            return Ok(());
        }
        let (catalogue, clock) = (&self.catalogue, self.clock.as_ref());
        let claimed = self
            .store
            .claim_check(&tenant, entity, Trigger::Request, catalogue, clock)
            .await?;
        match claimed {
            Ok(claim) => {
                let check = CheckRef {
                    check: claim.check,
                    ..at.clone()
                };
                // Delivered again, this event would find the check there: what mends it is its next look.
                if let Err(error) = self.bus.publish(&[CheckEvent::CheckClaimed(check)]).await {
                    tracing::warn!(%workspace, %entity, %error, "a claimed check waits for its next look");
                }
            }
            Err(refused) => tracing::info!(%workspace, %entity, ?refused, "no check, though it was wanted"),
        }
        Ok(())
    }
}
