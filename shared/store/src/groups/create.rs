//! Creates a group.

use domain::group::{BrandReference, Group, GroupDetails, validate_members};
use domain::id::GroupId;
use uuid::Uuid;

use super::GroupError;
use super::write::{replace_group, write_members};
use crate::entities::write::replace_entity;
use crate::rereading::names_changed;
use crate::retry::Attempt;
use crate::transaction::Transaction;
use crate::{Refusal, ReplyRecorder, Resource, Store, Tenant, WriteError};

/// A group to create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewGroup {
    pub name: Option<String>,
    pub primary: BrandReference,
    pub members: Vec<BrandReference>,
    pub scope: Option<BrandReference>,
}

impl Store {
    /// Creates a group of brands that are in no group. Members that are not tracked count against the limit
    /// of entities.
    pub async fn create_group(
        &self,
        tenant: &Tenant,
        new: &NewGroup,
        recorder: &ReplyRecorder<'_, GroupDetails>,
    ) -> Result<GroupDetails, WriteError<GroupError>> {
        let id = GroupId::from_random(Uuid::new_v4());
        let attempt = || self.try_to_create_group(tenant, &id, new, recorder);
        self.retry_on_conflict("the workspace", attempt).await
    }

    async fn try_to_create_group(
        &self,
        tenant: &Tenant,
        id: &GroupId,
        new: &NewGroup,
        recorder: &ReplyRecorder<'_, GroupDetails>,
    ) -> Result<Attempt<GroupDetails>, WriteError<GroupError>> {
        let references = new.members.iter().chain([&new.primary]);
        let context = self
            .group_context(tenant, references)
            .await?
            .ok_or(Refusal::NotFound(Resource::Workspace))?;
        let requested = context.resolve_members(&new.members)?;
        let primary = context.resolve("primaryEntity", &new.primary)?;
        let scope = new.scope.as_ref().map(|scope| {
            let entity = match scope {
                BrandReference::Tracking(id) => context.entity(id),
                _ => None,
            };
            entity.ok_or_else(|| Refusal::NotFoundAt(Resource::Entity, "entityId".to_owned()))
        });
        let scope = scope.transpose()?;
        let now = self.clock.now();
        let group = Group {
            id: *id,
            name: new.name.clone(),
            primary,
            members: validate_members(primary, &requested).map_err(Refusal::from)?,
            scope: scope.map(|entity| entity.id),
            created_at: now,
            updated_at: now,
            revision: 0,
        };
        let updated_memberships = context
            .change_membership(&[], &group, &requested)
            .map_err(WriteError::Refused)?;
        let details = group.view(&context.entities, &context.brands);
        let mut transaction = Transaction::default();
        write_members(&mut transaction, tenant, &context.workspace, updated_memberships)?;
        replace_group(&mut transaction, tenant, group)?;
        // This fails if the entity to which the group is scoped is deleted or gets another group
        // concurrently.
        if let Some(scope) = scope {
            replace_entity(&mut transaction, tenant, scope.clone())?;
        }
        names_changed(&mut transaction, tenant, now);
        self.commit(transaction, tenant, recorder, details).await
    }
}
