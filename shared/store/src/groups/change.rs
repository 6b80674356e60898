//! Changing a group.

use domain::group::{Group, Reference, ShownGroup};
use domain::id::GroupId;

use super::GroupError;
use super::surroundings::members_of;
use super::write::{replace_group, write_members};
use crate::entities::write::replace_entity;
use crate::transaction::{Outcome, Transaction};
use crate::{Store, StoreError, Tenant};

/// What changes; `None` stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GroupUpdate {
    pub name: Option<String>,
    pub primary: Option<Reference>,
    /// The whole new set.
    pub members: Option<Vec<Reference>>,
}

impl Store {
    /// Changes a group, by the rules of its creation.
    pub async fn update_group(
        &self,
        tenant: &Tenant,
        id: &GroupId,
        change: &GroupUpdate,
    ) -> Result<Result<ShownGroup, GroupError>, StoreError> {
        let attempt = || self.try_to_change_group(tenant, id, change);
        self.retry_on_conflict("the group", attempt).await
    }

    async fn try_to_change_group(
        &self,
        tenant: &Tenant,
        id: &GroupId,
        change: &GroupUpdate,
    ) -> Result<Option<Result<ShownGroup, GroupError>>, StoreError> {
        let references = change.members.iter().flatten().chain(&change.primary);
        let Some(around) = self.surroundings(tenant, references).await? else {
            return Ok(Some(Err(GroupError::NoWorkspace)));
        };
        let Some(before) = around.groups.iter().find(|group| group.id == *id) else {
            return Ok(Some(Err(GroupError::UnknownGroup)));
        };
        let decided = || {
            let given = match &change.members {
                Some(references) => around.resolve_all(references)?,
                None => before.members.clone(),
            };
            let primary = match &change.primary {
                Some(reference) => around.resolve(reference)?,
                None => before.primary,
            };
            let group = Group {
                name: change.name.clone().or(before.name.clone()),
                primary,
                members: members_of(primary, &given)?,
                updated_at: self.clock.now(),
                ..before.clone()
            };
            let regrouped = around.regroup(&before.members, &group, &given)?;
            Ok((group, regrouped))
        };
        let (group, regrouped) = match decided() {
            Ok(decided) => decided,
            Err(refused) => return Ok(Some(Err(refused))),
        };
        let shown = group.shown(&around.entities, &around.brands);
        let mut transaction = Transaction::default();
        write_members(&mut transaction, tenant, &around.workspace, regrouped)?;
        if let Some(scope) = &group.scope {
            match around.entity(scope) {
                Some(entity) => replace_entity(&mut transaction, tenant, entity.clone())?,
                // It is being deleted, and the group with it.
                None => return Ok(None),
            };
        }
        replace_group(&mut transaction, tenant, group)?;
        Ok(match self.transact(transaction).await? {
            Outcome::Done => Some(Ok(shown)),
            // The group, a counter, a member or the scope moved: look again.
            Outcome::Refused(_) => None,
        })
    }
}
