//! `CheckWanted`: claims the check that an operator wants, unless it was claimed already.

use events::CheckRef;
use store::{Tenant, Trigger};

use crate::{Checker, CheckerError};

impl Checker {
    pub(crate) async fn request(&self, at: &CheckRef) -> Result<(), CheckerError> {
        let tenant = Tenant::from_event(at.workspace_id.clone());
        let entity = &at.entity_id;
        let Some(found) = self.store.entity(&tenant, entity).await? else {
            tracing::info!("a check of an unknown entity was wanted");
            return Ok(());
        };
        if found.check_seq.checked_add(1) != Some(at.check) {
            return Ok(());
        }
        self.claim(&tenant, entity, Trigger::Request).await
    }
}
