//! The merging of a group's brands into one row of a tracking's analytics, which has the label of the primary.

use std::collections::BTreeMap;

use super::domain_group::Group;
use crate::brand::{Brand, BrandUuid};
use crate::facts::questions::MergedDomain;
use crate::facts::{OrdinalSet, StringInterner};
use crate::id::EntityId;
use crate::ordinal::BrandOrdinal;

/// The brands of a group, which are merged into one row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergedBrands {
    pub primary: BrandUuid,
    /// The members, starting with the primary.
    pub members: Vec<Brand>,
}

impl MergedBrands {
    /// Returns the merged brands of the groups that apply to a tracking.
    pub fn of_tracking(id: &EntityId, groups: &[Group], known: &BTreeMap<BrandUuid, Brand>) -> Vec<Self> {
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

/// Returns the domain of each member of a group with the domain of the group's row, as interned in `texts`.
///
/// Rows with equal counts are sorted by the row's domain, even if that domain itself is not cited.
pub fn merged_domains(merged: &[MergedBrands], texts: &StringInterner) -> Vec<MergedDomain> {
    let of_group = |merged: &MergedBrands| -> Vec<MergedDomain> {
        let Some(row) = merged.row_domain().and_then(|domain| texts.find(domain)) else {
            return Vec::new();
        };
        let domains = merged.domains().filter_map(|domain| texts.find(domain));
        domains.map(|domain| MergedDomain { domain, row }).collect()
    };
    merged.iter().flat_map(of_group).collect()
}

/// Returns the domains of the groups' rows.
pub fn row_domains(merged: &[MergedBrands]) -> Vec<&str> {
    merged.iter().filter_map(MergedBrands::row_domain).collect()
}

/// Maps the ordinal of each member of a group to the ordinal of the first member, under which it is counted.
pub fn merged_brands(merged: &[MergedBrands]) -> BTreeMap<BrandOrdinal, BrandOrdinal> {
    let of_group = |merged: &MergedBrands| -> Vec<(BrandOrdinal, BrandOrdinal)> {
        let first = merged.members.first().map(|first| first.ordinal);
        let members = merged.members.iter().map(|member| member.ordinal);
        members.zip(first.into_iter().cycle()).collect()
    };
    merged.iter().flat_map(of_group).collect()
}

/// Returns the domains of the brands that count as the entity.
pub fn own_domains<'a>(
    own: &OrdinalSet<BrandOrdinal>,
    known: &'a BTreeMap<BrandUuid, Brand>,
) -> Vec<&'a str> {
    let own = known.values().filter(|brand| own.contains(brand.ordinal));
    own.filter_map(|brand| brand.domain.as_deref()).collect()
}
