//! Deletes a group. Its members can join other groups again.

use domain::group::change_membership;
use domain::id::GroupId;

use super::write::{remove_group, write_members};
use crate::refusal::require_subscription;
use crate::rereading::names_changed;
use crate::retry::Attempt;
use crate::transaction::Transaction;
use crate::{Refusal, Resource, Store, Tenant, WriteError};

impl Store {
    /// Deletes a group.
    pub async fn delete_group(&self, tenant: &Tenant, id: &GroupId) -> Result<(), WriteError<Refusal>> {
        let attempt = || self.try_to_delete_group(tenant, id);
        self.retry_on_conflict("the group", attempt).await
    }

    async fn try_to_delete_group(
        &self,
        tenant: &Tenant,
        id: &GroupId,
    ) -> Result<Attempt<()>, WriteError<Refusal>> {
        let (workspace, group) = tokio::try_join!(self.workspace(tenant), self.group(tenant, id))?;
        let workspace = workspace.ok_or(Refusal::NotFound(Resource::Workspace))?;
        let group = group.ok_or(Refusal::NotFound(Resource::Group))?;
        let workspace = require_subscription(Some(workspace), self.clock.now())?;
        // The brands are read after the group, so that they include all of its members.
        let brands = self.brands(tenant).await?;
        let Ok(updated_memberships) = change_membership(&group.members, None, &brands) else {
            // A member has joined another group since the group was read.
            return Ok(Attempt::Retry);
        };
        let mut transaction = Transaction::default();
        write_members(&mut transaction, tenant, &workspace, updated_memberships)?;
        remove_group(&mut transaction, tenant, &group);
        names_changed(&mut transaction, tenant, self.clock.now());
        Ok(self.transact(transaction).await?.done_or_retry(()))
    }
}
