//! The items that are read before a group is created or updated.

use std::collections::BTreeMap;

use domain::brand::{Brand, BrandUuid};
use domain::entity::Entity;
use domain::group::{BrandReference, Group, MembershipChange, change_membership, count_scoped_items};
use domain::id::EntityId;
use domain::limits::MAX_SCOPED_GROUP_ITEMS;
use domain::ordinal::BrandOrdinal;
use domain::workspace::Workspace;

use super::GroupError;
use crate::refusal::check_subscription;
use crate::{Refusal, Resource, Store, StoreError, Tenant};

/// The items that the rules of groups need.
pub(super) struct GroupContext {
    pub(super) workspace: Workspace,
    /// The workspace's entities, oldest first.
    pub(super) entities: Vec<Entity>,
    pub(super) groups: Vec<Group>,
    /// The brands of the workspace. Those that are only recorded as cited have the revision 0.
    pub(super) brands: BTreeMap<BrandUuid, Brand>,
}

impl Store {
    /// Reads the workspace and the brands that the references can name. Returns `None` if the workspace does
    /// not exist.
    pub(super) async fn group_context(
        &self,
        tenant: &Tenant,
        references: impl Iterator<Item = &BrandReference>,
    ) -> Result<Option<GroupContext>, StoreError> {
        // The order matters. Adding a group that is scoped to an entity replaces that ENTITY, and changing a
        // membership replaces the GROUP. If the items read first are unchanged when the transaction runs,
        // those read later are current as well.
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
        for cited in self.cited_brands(tenant, unknown.collect()).await? {
            let brand = Brand::new(cited.uuid, BrandOrdinal::new(0), Some(cited.domain));
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

    /// Returns the brand that the reference in `field` names. It must be tracked or have a domain.
    pub(super) fn resolve(&self, field: &str, reference: &BrandReference) -> Result<BrandUuid, Refusal> {
        let brand = match reference {
            BrandReference::Tracking(id) => self.brands.values().find(|brand| brand.trackings.contains(id)),
            BrandReference::Brand(uuid) => self.brands.get(uuid),
            BrandReference::Unknown => None,
        };
        brand
            .filter(|brand| brand.is_tracked() || brand.domain.is_some())
            .map(|brand| brand.uuid)
            .ok_or_else(|| Refusal::NotFoundAt(Resource::Entity, field.to_owned()))
    }

    /// Returns the brands that the references in the field `entities` name.
    pub(super) fn resolve_members(&self, references: &[BrandReference]) -> Result<Vec<BrandUuid>, Refusal> {
        let references = references.iter().enumerate();
        references
            .map(|(index, reference)| self.resolve(&format!("entities[{index}]"), reference))
            .collect()
    }

    /// Returns the changes of brands and counters if the members of a group change from `before` to those of
    /// `after`. `requested` are the members in the client's order.
    pub(super) fn change_membership(
        &self,
        before: &[BrandUuid],
        after: &Group,
        requested: &[BrandUuid],
    ) -> Result<MembershipChange, GroupError> {
        check_subscription(&self.workspace, after.updated_at)?;
        let updated_memberships = change_membership(before, Some(after), &self.brands).map_err(|uuid| {
            // The members are those that were requested, each once.
            let index = requested
                .iter()
                .take_while(|requested| **requested != uuid)
                .count();
            GroupError::InOtherGroup { index }
        })?;
        let limit = self.workspace.entities_limit;
        if updated_memberships.usage_change > 0
            && i64::from(self.workspace.entities_used) + updated_memberships.usage_change > i64::from(limit)
        {
            return Err(GroupError::EntityLimit { limit });
        }
        if let Some(scope) = &after.scope {
            let others = self.groups.iter().filter(|group| group.id != after.id);
            if count_scoped_items(others.chain([after]), scope) > MAX_SCOPED_GROUP_ITEMS {
                let limit = MAX_SCOPED_GROUP_ITEMS;
                return Err(GroupError::ScopeLimit { limit });
            }
        }
        Ok(updated_memberships)
    }
}
