//! What a group changes in a tracking's analytics.

use std::collections::BTreeMap;

use super::domain_group::Group;
use crate::brand::{Brand, BrandUuid};
use crate::entity::Entity;
use crate::facts::OrdinalSet;
use crate::id::EntityId;

/// What counts as a tracking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupEffect<'a> {
    /// The group that changes it; its primary gives name, domain and uuid.
    pub group: Option<&'a Group>,
    /// The brands whose mentions count: its own, and its group's other members.
    pub brands: OrdinalSet,
    /// The other trackings whose responses are united with its own.
    pub others: Vec<EntityId>,
}

/// What counts as `entity` under the workspace's groups. A scoped group unites no responses.
pub fn group_effect<'a>(
    entity: &Entity,
    groups: &'a [Group],
    known: &BTreeMap<BrandUuid, Brand>,
) -> GroupEffect<'a> {
    let group = groups
        .iter()
        .find(|group| group.applies_to(&entity.id) && group.members.contains(&entity.brand));
    let members = group.map(|group| group.members.as_slice()).unwrap_or_default();
    let members: Vec<&Brand> = members.iter().filter_map(|uuid| known.get(uuid)).collect();
    let unites = group.is_some_and(|group| group.scope.is_none());
    let trackings = members.iter().flat_map(|brand| &brand.trackings);
    GroupEffect {
        group,
        brands: members
            .iter()
            .map(|brand| brand.ordinal)
            .chain([entity.brand_ordinal])
            .collect(),
        others: trackings
            .filter(|id| unites && **id != entity.id)
            .cloned()
            .collect(),
    }
}
