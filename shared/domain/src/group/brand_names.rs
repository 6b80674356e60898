//! The names of brands and cited domains in a workspace.

use std::collections::BTreeMap;

use super::resolved_group::ResolvedGroup;
use crate::brand::{BrandUuid, display_domain, uuid_of_domain};
use crate::entity::Entity;
use crate::id::EntityId;
use crate::key_scope::KeyScope;

/// The name and domain of a brand in a row of analytics.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrandLabel {
    /// The oldest entity of the brand that the client's key reaches.
    pub entity_id: Option<EntityId>,
    pub uuid: BrandUuid,
    /// The name of the entity. Without one it is the domain in Unicode, or [`HIDDEN_NAME`] for a brand
    /// without a domain.
    pub name: String,
    /// The domain in ASCII, empty for an individual without a domain.
    pub domain: String,
}

/// What a brand is called whose entity the client's key does not reach, and that has no domain.
pub const HIDDEN_NAME: &str = "another brand";

/// The tracked brands that the client's key reaches, each with its oldest entity. The others have no name for
/// the client.
#[derive(Debug, Clone, Default)]
pub struct TrackedBrands(BTreeMap<BrandUuid, TrackedBrand>);

#[derive(Debug, Clone)]
struct TrackedBrand {
    entity_id: EntityId,
    name: String,
}

impl TrackedBrands {
    /// Collects the brands. `entities` are all entities of the workspace, oldest first.
    pub fn new(entities: Vec<Entity>, scope: &KeyScope) -> Self {
        let mut tracked: BTreeMap<BrandUuid, TrackedBrand> = BTreeMap::new();
        for entity in entities.into_iter().filter(|entity| scope.reaches(&entity.id)) {
            tracked.entry(entity.brand).or_insert(TrackedBrand {
                entity_id: entity.id,
                name: entity.name,
            });
        }
        Self(tracked)
    }

    /// Returns the name of a brand that the client's key reaches.
    pub fn name(&self, brand: BrandUuid) -> Option<&str> {
        self.0.get(&brand).map(|tracked| tracked.name.as_str())
    }
}

/// The labels of the brands of a workspace. Members of a group have the label of its primary.
#[derive(Debug, Clone)]
pub struct BrandLabels {
    tracked: TrackedBrands,
    /// The primary brand and the domain of the row of each group member.
    row_of_member: BTreeMap<BrandUuid, (BrandUuid, Option<String>)>,
}

impl BrandLabels {
    /// Creates the labels.
    pub fn new(tracked: TrackedBrands, groups: &[ResolvedGroup]) -> Self {
        let row_of_member = groups.iter().flat_map(|group| {
            let row = (group.primary, group.row_domain().map(str::to_owned));
            group.members.iter().map(move |member| (member.uuid, row.clone()))
        });
        Self {
            row_of_member: row_of_member.collect(),
            tracked,
        }
    }

    /// Returns the label of a cited domain. A member of a group has the label of its primary.
    pub fn of_domain(&self, domain: &str) -> BrandLabel {
        self.of_brand(uuid_of_domain(domain), Some(domain))
    }

    /// Returns the label of a brand whose registrable domain is `domain`. A member of a group has the label
    /// of its primary.
    pub fn of_brand(&self, uuid: BrandUuid, domain: Option<&str>) -> BrandLabel {
        match self.row_of_member.get(&uuid) {
            Some((primary, domain)) => BrandLabel::of(&self.tracked, *primary, domain.as_deref()),
            None => BrandLabel::of(&self.tracked, uuid, domain),
        }
    }
}

impl BrandLabel {
    /// Returns the label of a brand without regard to groups.
    pub fn of(tracked: &TrackedBrands, uuid: BrandUuid, domain: Option<&str>) -> Self {
        let tracked = tracked.0.get(&uuid);
        let name = match (tracked, domain) {
            (Some(brand), _) => brand.name.clone(),
            (None, Some(domain)) => display_domain(domain),
            (None, None) => HIDDEN_NAME.to_owned(),
        };
        Self {
            entity_id: tracked.map(|brand| brand.entity_id),
            uuid,
            name,
            domain: domain.unwrap_or("").to_owned(),
        }
    }
}
