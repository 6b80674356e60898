//! A group as clients see it.

use std::collections::BTreeMap;

use super::domain_group::Group;
use crate::brand::{Brand, BrandUuid};
use crate::entity::Entity;
use crate::id::EntityId;

/// A group with what is known of its members.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupDetails {
    pub group: Group,
    /// As given, or the primary's.
    pub name: String,
    /// In the order given.
    pub members: Vec<GroupMember>,
}

/// A member: as its oldest tracking here shows it, else as its domain does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupMember {
    /// The oldest tracking here.
    pub entity: Option<EntityId>,
    pub brand: BrandUuid,
    pub name: String,
    pub target: String,
    /// `None` for an individual without a domain.
    pub favicon_url: Option<String>,
    pub is_primary: bool,
}

impl Group {
    /// `entities` are the workspace's, oldest first.
    pub fn view(&self, entities: &[Entity], known: &BTreeMap<BrandUuid, Brand>) -> GroupDetails {
        let members: Vec<GroupMember> = self
            .members
            .iter()
            .map(|uuid| self.member(*uuid, entities, known))
            .collect();
        let primary = members.iter().find(|member| member.is_primary);
        let name = self.name.as_ref().or(primary.map(|primary| &primary.name));
        GroupDetails {
            group: self.clone(),
            name: name.cloned().unwrap_or_default(),
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
                entity: Some(oldest.id.clone()),
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
            name: brand.and_then(Brand::domain_name).unwrap_or_default(),
            favicon_url: domain
                .as_ref()
                .map(|domain| format!("https://{domain}/favicon.ico")),
            target: domain.unwrap_or_default(),
            is_primary,
        }
    }
}
