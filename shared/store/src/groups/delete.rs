//! Deleting a group: its members are free again.

use domain::group::regroup;
use domain::id::GroupId;
use domain::workspace::Status;

use super::GroupError;
use super::write::{remove_group, write_members};
use crate::transaction::{Outcome, Transaction};
use crate::{Store, StoreError, Tenant};

impl Store {
    /// Deletes a group.
    pub async fn delete_group(
        &self,
        tenant: &Tenant,
        id: &GroupId,
    ) -> Result<Result<(), GroupError>, StoreError> {
        let attempt = || self.try_to_delete_group(tenant, id);
        self.retry_on_conflict("the group", attempt).await
    }

    async fn try_to_delete_group(
        &self,
        tenant: &Tenant,
        id: &GroupId,
    ) -> Result<Option<Result<(), GroupError>>, StoreError> {
        let (workspace, group) = tokio::try_join!(self.workspace(tenant), self.group(tenant, id))?;
        let Some(workspace) = workspace else {
            return Ok(Some(Err(GroupError::NoWorkspace)));
        };
        let Some(group) = group else {
            return Ok(Some(Err(GroupError::UnknownGroup)));
        };
        if workspace.status == Status::Canceled {
            return Ok(Some(Err(GroupError::Canceled)));
        }
        // Read after the group: no member is missing, or older than its membership.
        let brands = self.brands(tenant).await?;
        // Nobody who only leaves is a member elsewhere.
        let Ok(regrouped) = regroup(&group.members, None, &brands) else {
            return Ok(None);
        };
        let mut transaction = Transaction::default();
        write_members(&mut transaction, tenant, &workspace, regrouped)?;
        remove_group(&mut transaction, tenant, &group);
        Ok(match self.transact(transaction).await? {
            Outcome::Done => Some(Ok(())),
            // The group or a member moved: look again.
            Outcome::Refused(_) => None,
        })
    }
}
