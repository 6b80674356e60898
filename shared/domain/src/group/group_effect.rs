//! The effect of a group on an entity's analytics.

use std::collections::BTreeMap;

use super::Group;
use crate::brand::{Brand, BrandUuid};
use crate::entity::Entity;
use crate::id::EntityId;
use crate::ordinal::BrandOrdinal;
use crate::ordinal_set::OrdinalSet;

/// The brands and entities that count as one entity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupEffect<'a> {
    /// The group of the entity's brand. Its primary provides the name, the domain and the UUID.
    pub group: Option<&'a Group>,
    /// The ordinals of the brands whose mentions count: the entity's own, and the other members of its group.
    pub brands: OrdinalSet<BrandOrdinal>,
    /// The other entities whose responses count as the entity's own.
    pub other_entities: Vec<EntityId>,
}

/// Returns the brands and entities that count as `entity`. A scoped group does not merge responses.
pub fn group_effect<'a>(
    entity: &Entity,
    groups: &'a [Group],
    known: &BTreeMap<BrandUuid, Brand>,
) -> GroupEffect<'a> {
    let group = groups
        .iter()
        .find(|group| group.applies_to(&entity.id) && group.members.contains(&entity.brand));
    let members = group.iter().flat_map(|group| &group.members);
    let members: Vec<&Brand> = members.filter_map(|uuid| known.get(uuid)).collect();
    let merges_responses = group.is_some_and(|group| group.scope.is_none());
    let trackings = members.iter().flat_map(|brand| &brand.trackings);
    GroupEffect {
        group,
        brands: members
            .iter()
            .map(|brand| brand.ordinal)
            .chain([entity.brand_ordinal])
            .collect(),
        other_entities: trackings
            .filter(|id| merges_responses && **id != entity.id)
            .copied()
            .collect(),
    }
}
