//! Erases a deleted workspace.
//!
//! A tick finds the workspace until nothing of it is left. First its keys are revoked and its entities marked
//! as deleted, in case that the deletion was interrupted. Each entity is then erased by a step of its own
//! (`EntityDeleted`). Once all of them are gone, and the steps that were under way when the workspace was
//! deleted have ended, its own items are deleted, and the workspace last.

use domain::limits::{ERASURE_REPETITION, MAX_ITEMS_PER_ERASURE_STEP};
use store::Tenant;

use crate::{Checker, CheckerError};

impl Checker {
    /// Continues the erasure of a workspace, if it is deleted.
    pub(crate) async fn erase_workspace(&self, tenant: &Tenant) -> Result<(), CheckerError> {
        let workspace = self.store.workspace_or_deleted(tenant).await?;
        if workspace.is_none_or(|workspace| workspace.deleted_at.is_none()) {
            return Ok(());
        }
        let Some(deleted) = self.store.delete_workspace(tenant).await? else {
            return Ok(());
        };
        let erasable_at = deleted.deleted_at + ERASURE_REPETITION;
        if deleted.entities > 0 || self.clock.now() < erasable_at {
            return Ok(());
        }
        let erased = self
            .store
            .erase_workspace_items(tenant, MAX_ITEMS_PER_ERASURE_STEP)
            .await?;
        tracing::info!(
            item.count = erased.count,
            is_complete = erased.is_complete,
            "items of a deleted workspace are erased"
        );
        if erased.is_complete {
            self.store.expire_workspace(tenant).await?;
            tracing::info!("a deleted workspace is erased");
        }
        Ok(())
    }
}
