//! A domain group with the names of its members, as the API returns it.

use std::collections::BTreeMap;

use super::Group;
use crate::brand::{Brand, BrandUuid};
use crate::entity::Entity;
use crate::id::EntityId;

/// A group with the details of its members.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupDetails {
    pub group: Group,
    /// The group's own name, or that of its primary.
    pub name: String,
    /// The members in the order of the group.
    pub members: Vec<GroupMember>,
}

/// A member, described by its oldest tracking in the workspace, or by its domain if it has none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupMember {
    /// The oldest tracking of the brand in the workspace.
    pub entity: Option<EntityId>,
    pub brand: BrandUuid,
    pub name: String,
    pub target: String,
    /// The URL of the icon, or `None` for an individual without a domain.
    pub favicon_url: Option<String>,
    pub is_primary: bool,
}

impl Group {
    /// Returns the group with the details of its members. `entities` are all entities of the workspace,
    /// oldest first.
    pub fn view(&self, entities: &[Entity], known: &BTreeMap<BrandUuid, Brand>) -> GroupDetails {
        let members: Vec<GroupMember> = self
            .members
            .iter()
            .map(|uuid| self.member(*uuid, entities, known))
            .collect();
        let primary = members.iter().find(|member| member.is_primary);
        let name = self
            .name
            .as_ref()
            .or(primary.map(|primary| &primary.name))
            .cloned();
        GroupDetails {
            group: self.clone(),
            name: name.unwrap_or_default(), // The primary is a member.
            members,
        }
    }

    fn member(
        &self,
        uuid: BrandUuid,
        entities: &[Entity],
        known: &BTreeMap<BrandUuid, Brand>,
    ) -> GroupMember {
        let is_primary = uuid == self.primary;
        if let Some(oldest) = entities.iter().find(|entity| entity.brand == uuid) {
            return GroupMember {
                entity: Some(oldest.id),
                brand: uuid,
                name: oldest.name.clone(),
                target: oldest.target.clone(),
                favicon_url: oldest.favicon_url.clone(),
                is_primary,
            };
        }
        let brand = known.get(&uuid);
        let domain = brand.and_then(|brand| brand.domain.clone());
        GroupMember {
            entity: None,
            brand: uuid,
            name: brand.and_then(Brand::fallback_name).unwrap_or_default(), // A removed brand has none.
            favicon_url: domain
                .as_ref()
                .map(|domain| format!("https://{domain}/favicon.ico")),
            target: domain.unwrap_or_default(), // An individual has none.
            is_primary,
        }
    }
}
