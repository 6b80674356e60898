//! Groups with their brands, which are one row of an entity's analytics with the label of the primary.

use std::collections::BTreeMap;

use super::Group;
use crate::brand::{Brand, BrandUuid};
use crate::id::EntityId;
use crate::ordinal::BrandOrdinal;
use crate::ordinal_set::OrdinalSet;

/// A group with the brands of its members, which are one row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolvedGroup {
    pub primary: BrandUuid,
    /// The members, starting with the primary.
    pub members: Vec<Brand>,
}

impl ResolvedGroup {
    /// Returns the groups that apply to an entity, with their brands.
    pub fn applying_to(id: &EntityId, groups: &[Group], known: &BTreeMap<BrandUuid, Brand>) -> Vec<Self> {
        let applicable = groups.iter().filter(|group| group.applies_to(id));
        applicable.map(|group| Self::new(group, known)).collect()
    }

    fn new(group: &Group, known: &BTreeMap<BrandUuid, Brand>) -> Self {
        let others = group.members.iter().filter(|uuid| **uuid != group.primary);
        let members = std::iter::once(&group.primary).chain(others);
        Self {
            primary: group.primary,
            members: members.filter_map(|uuid| known.get(uuid)).cloned().collect(),
        }
    }

    /// Returns whether the brand is a member.
    pub fn has(&self, brand: BrandUuid) -> bool {
        self.members.iter().any(|member| member.uuid == brand)
    }

    /// Returns the domains of the members that have one, starting with the primary's.
    pub fn domains(&self) -> impl Iterator<Item = &str> {
        self.members.iter().filter_map(|brand| brand.domain.as_deref())
    }

    /// Returns the domain of the row: the primary's, or that of the first member with a domain.
    pub fn row_domain(&self) -> Option<&str> {
        self.domains().next()
    }
}

/// Returns the domains of the groups' rows.
pub fn row_domains(groups: &[ResolvedGroup]) -> Vec<&str> {
    groups.iter().filter_map(ResolvedGroup::row_domain).collect()
}

/// Maps the ordinal of each member of a group to the ordinal of the first member, under which it is counted.
pub fn counted_as(groups: &[ResolvedGroup]) -> BTreeMap<BrandOrdinal, BrandOrdinal> {
    let of_group = |group: &ResolvedGroup| -> Vec<(BrandOrdinal, BrandOrdinal)> {
        let first = group.members.first().map(|first| first.ordinal);
        let members = group.members.iter().map(|member| member.ordinal);
        members.zip(first.into_iter().cycle()).collect()
    };
    groups.iter().flat_map(of_group).collect()
}

/// Returns whether the workspace tracks a brand that does not count as the entity.
pub fn tracks_rivals(own: &OrdinalSet<BrandOrdinal>, known: &BTreeMap<BrandUuid, Brand>) -> bool {
    known
        .values()
        .any(|brand| brand.is_tracked() && !own.contains(brand.ordinal))
}

/// Returns the domains of the brands that count as the entity.
pub fn own_domains<'a>(
    own: &OrdinalSet<BrandOrdinal>,
    known: &'a BTreeMap<BrandUuid, Brand>,
) -> Vec<&'a str> {
    let own = known.values().filter(|brand| own.contains(brand.ordinal));
    own.filter_map(|brand| brand.domain.as_deref()).collect()
}
