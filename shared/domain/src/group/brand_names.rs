//! The names of brands and cited domains in a workspace.

use std::collections::BTreeMap;

use super::resolved_group::ResolvedGroup;
use crate::brand::{BrandUuid, display_domain, uuid_of_domain};
use crate::entity::Entity;
use crate::id::EntityId;

/// The name and domain of a brand in a row of analytics.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrandLabel {
    /// The oldest entity of the workspace that tracks the brand.
    pub entity_id: Option<EntityId>,
    pub uuid: BrandUuid,
    /// The name of the entity, or the domain in Unicode if no entity tracks the brand.
    pub name: String,
    /// The domain in ASCII, empty for an individual without a domain.
    pub domain: String,
}

/// The labels of the brands of a workspace. Members of a group have the label of its primary.
#[derive(Debug, Clone)]
pub struct BrandLabels {
    /// The oldest entity of each brand.
    oldest_entities: BTreeMap<BrandUuid, Entity>,
    /// The primary brand and the domain of the row of each group member.
    row_of_member: BTreeMap<BrandUuid, (BrandUuid, Option<String>)>,
}

impl BrandLabels {
    /// Creates the labels. `oldest_entities` contains the oldest entity of each brand.
    pub fn new(oldest_entities: BTreeMap<BrandUuid, Entity>, groups: &[ResolvedGroup]) -> Self {
        let row_of_member = groups.iter().flat_map(|group| {
            let row = (group.primary, group.row_domain().map(str::to_owned));
            group.members.iter().map(move |member| (member.uuid, row.clone()))
        });
        Self {
            row_of_member: row_of_member.collect(),
            oldest_entities,
        }
    }

    /// Returns the oldest entity of each brand. `entities` are all entities of the workspace, oldest first.
    pub fn oldest(entities: Vec<Entity>) -> BTreeMap<BrandUuid, Entity> {
        let mut oldest_entities = BTreeMap::new();
        for entity in entities {
            oldest_entities.entry(entity.brand).or_insert(entity);
        }
        oldest_entities
    }

    /// Returns the label of a cited domain. A member of a group has the label of its primary.
    pub fn of_domain(&self, domain: &str) -> BrandLabel {
        self.of_brand(uuid_of_domain(domain), Some(domain))
    }

    /// Returns the label of a brand whose registrable domain is `domain`. A member of a group has the label of its primary.
    pub fn of_brand(&self, uuid: BrandUuid, domain: Option<&str>) -> BrandLabel {
        match self.row_of_member.get(&uuid) {
            Some((primary, domain)) => BrandLabel::of(&self.oldest_entities, *primary, domain.as_deref()),
            None => BrandLabel::of(&self.oldest_entities, uuid, domain),
        }
    }
}

impl BrandLabel {
    /// Returns the label of a brand without regard to groups.
    pub fn of(oldest_entities: &BTreeMap<BrandUuid, Entity>, uuid: BrandUuid, domain: Option<&str>) -> Self {
        let entity = oldest_entities.get(&uuid);
        let domain = domain.unwrap_or_default();
        Self {
            entity_id: entity.map(|entity| entity.id.clone()),
            uuid,
            name: entity.map_or_else(|| display_domain(domain), |entity| entity.name.clone()),
            domain: domain.to_owned(),
        }
    }
}
