//! Updates a group.

use domain::group::{BrandReference, Group, GroupDetails, validate_members};
use domain::id::GroupId;

use super::GroupError;
use super::write::{replace_group, write_members};
use crate::entities::write::replace_entity;
use crate::rereading::names_changed;
use crate::retry::Attempt;
use crate::transaction::Transaction;
use crate::{Refusal, Resource, Store, Tenant, WriteError};

/// An update of a group. `None` leaves a value unchanged.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GroupUpdate {
    pub name: Option<String>,
    pub primary: Option<BrandReference>,
    /// The complete new set of members.
    pub members: Option<Vec<BrandReference>>,
}

impl Store {
    /// Updates a group. The rules of its creation apply.
    pub async fn update_group(
        &self,
        tenant: &Tenant,
        id: &GroupId,
        change: &GroupUpdate,
    ) -> Result<GroupDetails, WriteError<GroupError>> {
        let attempt = || self.try_to_update_group(tenant, id, change);
        self.retry_on_conflict("the group", attempt).await
    }

    async fn try_to_update_group(
        &self,
        tenant: &Tenant,
        id: &GroupId,
        change: &GroupUpdate,
    ) -> Result<Attempt<GroupDetails>, WriteError<GroupError>> {
        let references = change.members.iter().flatten().chain(&change.primary);
        let context = self
            .group_context(tenant, references)
            .await?
            .ok_or(Refusal::NotFound(Resource::Workspace))?;
        let before = context
            .groups
            .iter()
            .find(|group| group.id == *id)
            .ok_or(Refusal::NotFound(Resource::Group))?;
        let requested = match &change.members {
            Some(references) => context.resolve_members(references)?,
            None => before.members.clone(),
        };
        let primary = match &change.primary {
            Some(reference) => context.resolve("primaryEntity", reference)?,
            None => before.primary,
        };
        let group = Group {
            name: change.name.clone().or(before.name.clone()),
            primary,
            members: validate_members(primary, &requested).map_err(Refusal::from)?,
            updated_at: self.clock.now(),
            ..before.clone()
        };
        let updated_memberships = context
            .change_membership(&before.members, &group, &requested)
            .map_err(WriteError::Refused)?;
        let details = group.view(&context.entities, &context.brands);
        let mut transaction = Transaction::default();
        write_members(&mut transaction, tenant, &context.workspace, updated_memberships)?;
        if let Some(scope) = &group.scope {
            let Some(entity) = context.entity(scope) else {
                // The entity to which the group is scoped is being deleted, and the group with it.
                return Ok(Attempt::Retry);
            };
            replace_entity(&mut transaction, tenant, entity.clone())?;
        }
        replace_group(&mut transaction, tenant, group)?;
        names_changed(&mut transaction, tenant, self.clock.now());
        Ok(self.transact(transaction).await?.done_or_retry(details))
    }
}
