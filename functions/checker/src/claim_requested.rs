//! `CheckWanted`: claims the check that an operator requested.
//!
//! The event names the number that the check will have. If the entity's next check has another number, the requested
//! one has been claimed already and the step does nothing.

use events::CheckRef;
use store::Trigger;

use crate::{Checker, CheckerError, tenant};

impl Checker {
    /// Handles `CheckWanted`.
    pub(crate) async fn claim_requested(&self, at: &CheckRef) -> Result<(), CheckerError> {
        let tenant = tenant::of_event(&at.workspace_id);
        let Some(entity) = self.store.entity(&tenant, &at.entity_id).await? else {
            tracing::info!("a check of an unknown entity was requested");
            return Ok(());
        };
        if entity.check_seq.next() != at.check {
            return Ok(());
        }
        self.claim(&tenant, &at.entity_id, Trigger::Request).await
    }
}
