//! The rows that groups make in a tracking's analytics: all of a group's brands are shown as its primary.

use std::collections::BTreeMap;

use super::domain_group::Group;
use crate::brand::{Brand, BrandUuid};
use crate::facts::{OrdinalSet, StringInterner};
use crate::id::EntityId;

/// The brands of a group, which are shown as its primary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergedBrands {
    pub primary: BrandUuid,
    /// The primary first.
    pub members: Vec<Brand>,
}

impl MergedBrands {
    /// The groups whose members are one row or key in a tracking's analytics.
    pub fn of_tracking(id: &EntityId, groups: &[Group], known: &BTreeMap<BrandUuid, Brand>) -> Vec<Self> {
        let concern = groups.iter().filter(|group| group.applies_to(id));
        concern.map(|group| Self::new(group, known)).collect()
    }

    fn new(group: &Group, known: &BTreeMap<BrandUuid, Brand>) -> Self {
        let others = group.members.iter().filter(|uuid| **uuid != group.primary);
        let members = std::iter::once(&group.primary).chain(others);
        Self {
            primary: group.primary,
            members: members.filter_map(|uuid| known.get(uuid)).cloned().collect(),
        }
    }

    pub fn has(&self, brand: BrandUuid) -> bool {
        self.members.iter().any(|member| member.uuid == brand)
    }

    pub fn domains(&self) -> impl Iterator<Item = &str> {
        self.members.iter().filter_map(|brand| brand.domain.as_deref())
    }

    /// The domain that the row is shown with: the primary's, or that of the first member that has one.
    pub fn row_domain(&self) -> Option<&str> {
        self.domains().next()
    }
}

/// Which domains are in the row of another: those of a group's members in that of the domain that the row is shown
/// with, cited or not, so that rows with equal counts are in the order of the domains that are shown.
pub fn merged_domains(merged: &[MergedBrands], texts: &StringInterner) -> Vec<(u32, u32)> {
    let of_group = |merged: &MergedBrands| -> Vec<(u32, u32)> {
        let Some(row) = merged.row_domain().and_then(|domain| texts.find(domain)) else {
            return Vec::new();
        };
        let numbers = merged.domains().filter_map(|domain| texts.find(domain));
        numbers.map(|domain| (domain, row)).collect()
    };
    merged.iter().flat_map(of_group).collect()
}

/// The domains that rows of groups are shown with.
pub fn row_domains(merged: &[MergedBrands]) -> Vec<&str> {
    merged.iter().filter_map(MergedBrands::row_domain).collect()
}

/// Which brand each member of a group counts as: the first one. By ordinals.
pub fn merged_brands(merged: &[MergedBrands]) -> BTreeMap<u32, u32> {
    let of_group = |merged: &MergedBrands| -> Vec<(u32, u32)> {
        let first = merged.members.first().map(|first| first.ordinal);
        let members = merged.members.iter().map(|member| member.ordinal);
        members.zip(first.into_iter().cycle()).collect()
    };
    merged.iter().flat_map(of_group).collect()
}

/// The domains of the brands that count as the entity.
pub fn own_domains<'a>(own: &OrdinalSet, known: &'a BTreeMap<BrandUuid, Brand>) -> Vec<&'a str> {
    let own = known.values().filter(|brand| own.contains(brand.ordinal));
    own.filter_map(|brand| brand.domain.as_deref()).collect()
}
