//! `CheckWanted`: claims the check that an operator requested.
//!
//! The event names the number that the check will have. If the entity's next check has another number, the
//! requested one has been claimed already and the step does nothing.

use events::CheckRef;
use store::Trigger;

use crate::{Checker, CheckerError, tenant};

impl Checker {
    /// Handles `CheckWanted`.
    pub(crate) async fn claim_requested(&self, check_ref: &CheckRef) -> Result<(), CheckerError> {
        let tenant = tenant::of_event(&check_ref.workspace_id);
        let Some(entity) = self.store.entity(&tenant, &check_ref.entity_id).await? else {
            tracing::info!("a check of an unknown entity was requested");
            return Ok(());
        };
        if entity.check_seq.next() != check_ref.check {
            return Ok(());
        }
        self.claim(&tenant, &check_ref.entity_id, Trigger::Request)
            .await?;
        Ok(())
    }
}
