//! Creating a group.

use domain::group::{Group, Reference, ShownGroup};
use domain::id::GroupId;
use uuid::Uuid;

use super::GroupError;
use super::surroundings::members_of;
use super::write::{replace_group, write_members};
use crate::entities::write::replace_entity;
use crate::transaction::{Outcome, Transaction};
use crate::{Once, Store, StoreError, Tenant};

/// A group to create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewGroup {
    pub name: Option<String>,
    pub primary: Reference,
    pub members: Vec<Reference>,
    pub scope: Option<Reference>,
}

impl Store {
    /// Creates a group of brands that are in none, if there is room for those that count as used.
    pub async fn create_group(
        &self,
        tenant: &Tenant,
        new: &NewGroup,
        once: &Once<'_, ShownGroup>,
    ) -> Result<Result<ShownGroup, GroupError>, StoreError> {
        let id = GroupId::from_random(Uuid::new_v4());
        let attempt = || self.try_to_create_group(tenant, &id, new, once);
        self.retry_on_conflict("the workspace", attempt).await
    }

    async fn try_to_create_group(
        &self,
        tenant: &Tenant,
        id: &GroupId,
        new: &NewGroup,
        once: &Once<'_, ShownGroup>,
    ) -> Result<Option<Result<ShownGroup, GroupError>>, StoreError> {
        let references = new.members.iter().chain([&new.primary]);
        let Some(around) = self.surroundings(tenant, references).await? else {
            return Ok(Some(Err(GroupError::NoWorkspace)));
        };
        let decided = || {
            let given = around.resolve_all(&new.members)?;
            let primary = around.resolve(&new.primary)?;
            let scope = new.scope.as_ref().map(|scope| match scope {
                Reference::Tracking(id) => around.entity(id).ok_or(GroupError::UnknownEntity),
                _ => Err(GroupError::UnknownEntity),
            });
            let scope = scope.transpose()?;
            let now = self.clock.now();
            let group = Group {
                id: id.clone(),
                name: new.name.clone(),
                primary,
                members: members_of(primary, &given)?,
                scope: scope.map(|entity| entity.id.clone()),
                created_at: now,
                updated_at: now,
                revision: 0,
            };
            let regrouped = around.regroup(&[], &group, &given)?;
            Ok((group, scope.cloned(), regrouped))
        };
        let (group, scope, regrouped) = match decided() {
            Ok(decided) => decided,
            Err(refused) => return Ok(Some(Err(refused))),
        };
        let shown = group.shown(&around.entities, &around.brands);
        let mut transaction = Transaction::default();
        write_members(&mut transaction, tenant, &around.workspace, regrouped)?;
        replace_group(&mut transaction, tenant, group)?;
        // So that neither the scope's deletion nor another group of it comes between.
        if let Some(scope) = scope {
            replace_entity(&mut transaction, tenant, scope)?;
        }
        once.record(self, &mut transaction, tenant, &shown)?;
        Ok(match self.transact(transaction).await? {
            Outcome::Done => Some(Ok(shown)),
            // A counter, a member or the scope moved: look again.
            Outcome::Refused(_) => None,
        })
    }
}
