//! What a group is decided on, as it is read before the transaction.

use std::collections::BTreeMap;

use domain::brand::{Brand, BrandUuid};
use domain::entity::Entity;
use domain::group::{BrandReference, Group, MembershipChange, change_membership, scoped_items};
use domain::id::EntityId;
use domain::limits::MAX_SCOPED_GROUP_ITEMS;
use domain::workspace::{SubscriptionStatus, Workspace};

use super::GroupError;
use crate::{Refusal, Resource, Store, StoreError, Tenant};

pub(super) struct GroupContext {
    pub(super) workspace: Workspace,
    /// Oldest first.
    pub(super) entities: Vec<Entity>,
    pub(super) groups: Vec<Group>,
    /// With those that were only seen cited and are referred to: their revision is 0.
    pub(super) brands: BTreeMap<BrandUuid, Brand>,
}

impl Store {
    /// Reads the workspace and what the references may mean. `None`: there is no such workspace.
    pub(super) async fn group_context(
        &self,
        tenant: &Tenant,
        references: impl Iterator<Item = &BrandReference>,
    ) -> Result<Option<GroupContext>, StoreError> {
        // One after the other: whoever adds a group to a scope replaces the scope's ENTITY, and whoever changes a
        // membership replaces the GROUP. As long as what was read first is as it was, the rest is no older.
        let (workspace, entities) = tokio::try_join!(self.workspace(tenant), self.entities(tenant))?;
        let groups = self.groups(tenant).await?;
        let mut brands = self.brands(tenant).await?;
        let Some(workspace) = workspace else {
            return Ok(None);
        };
        let unknown = references.filter_map(|reference| match reference {
            BrandReference::Brand(uuid) if !brands.contains_key(uuid) => Some(*uuid),
            _ => None,
        });
        for seen in self.seen(tenant, unknown.collect()).await? {
            let brand = Brand::new(seen.uuid, 0, Some(seen.domain));
            brands.insert(brand.uuid, brand);
        }
        Ok(Some(GroupContext {
            workspace,
            entities,
            groups,
            brands,
        }))
    }
}

impl GroupContext {
    pub(super) fn entity(&self, id: &EntityId) -> Option<&Entity> {
        self.entities.iter().find(|entity| entity.id == *id)
    }

    /// The brand that a reference names: one that is tracked, or has a domain by which it was seen.
    pub(super) fn resolve(&self, reference: &BrandReference) -> Result<BrandUuid, Refusal> {
        let brand = match reference {
            BrandReference::Tracking(id) => self.brands.values().find(|brand| brand.trackings.contains(id)),
            BrandReference::Brand(uuid) => self.brands.get(uuid),
            BrandReference::Unknown => None,
        };
        brand
            .filter(|brand| brand.is_tracked() || brand.domain.is_some())
            .map(|brand| brand.uuid)
            .ok_or(Refusal::NotFound(Resource::Entity))
    }

    pub(super) fn resolve_all(&self, references: &[BrandReference]) -> Result<Vec<BrandUuid>, Refusal> {
        references
            .iter()
            .map(|reference| self.resolve(reference))
            .collect()
    }

    /// What making the group of `before` that of `after` changes, unless a rule forbids it. `given` are the members
    /// as the client ordered them.
    pub(super) fn change_membership(
        &self,
        before: &[BrandUuid],
        after: &Group,
        given: &[BrandUuid],
    ) -> Result<MembershipChange, GroupError> {
        if self.workspace.status == SubscriptionStatus::Canceled {
            return Err(Refusal::Canceled.into());
        }
        let regrouped = change_membership(before, Some(after), &self.brands).map_err(|uuid| {
            let index = given.iter().position(|given| *given == uuid).unwrap_or_default();
            GroupError::InOtherGroup { index }
        })?;
        let limit = self.workspace.entities_limit;
        if regrouped.used > 0 && i64::from(self.workspace.entities_used) + regrouped.used > i64::from(limit) {
            return Err(GroupError::EntityLimit { limit });
        }
        if let Some(scope) = &after.scope {
            let others = self.groups.iter().filter(|group| group.id != after.id);
            if scoped_items(others.chain([after]), scope) > MAX_SCOPED_GROUP_ITEMS {
                let limit = MAX_SCOPED_GROUP_ITEMS;
                return Err(GroupError::ScopeLimit { limit });
            }
        }
        Ok(regrouped)
    }
}
