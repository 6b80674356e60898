//! Workspaces with brands and groups, for tests.

use std::collections::{BTreeMap, BTreeSet};

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use uuid::Uuid;

use super::Group;
use super::detach_tracking::DetachedTracking;
use super::members::{MembershipChange, change_membership};
use crate::brand::{Brand, BrandUuid};
use crate::id::{EntityId, GroupId};
use crate::time::Timestamp;

pub(super) fn brand_uuid(n: u32) -> BrandUuid {
    Uuid::from_u128(u128::from(n))
}

pub(super) fn entity_id(n: u32) -> EntityId {
    EntityId::from_random(Uuid::from_u128(u128::from(n)))
}

pub(super) fn group(n: u32, primary: u32, members: &[u32], scope: Option<u32>) -> Group {
    Group {
        id: GroupId::from_random(Uuid::from_u128(u128::from(n))),
        name: None,
        primary: brand_uuid(primary),
        members: members.iter().copied().map(brand_uuid).collect(),
        scope: scope.map(entity_id),
        created_at: Timestamp::from_millis(i64::from(n)),
        updated_at: Timestamp::from_millis(i64::from(n)),
        revision: 1,
    }
}

/// A workspace with numbered brands, its groups, and the number of entities that it uses.
#[derive(Debug, Clone)]
pub(super) struct Market {
    pub(super) brands: BTreeMap<BrandUuid, Brand>,
    pub(super) groups: Vec<Group>,
    pub(super) used: i64,
}

impl Market {
    /// Creates one brand for each list of trackings.
    pub(super) fn of(trackings: &[&[u32]]) -> Self {
        let brand = |(n, trackings): (u32, &&[u32])| {
            let mut brand = Brand::new(brand_uuid(n), n.into(), Some(format!("brand{n}.com")));
            brand.trackings = trackings.iter().copied().map(entity_id).collect();
            brand.revision = 1;
            (brand.uuid, brand)
        };
        let used: usize = trackings.iter().map(|t| t.len()).sum();
        Self {
            brands: (1..).zip(trackings).map(brand).collect(),
            groups: Vec::new(),
            used: used as i64,
        }
    }

    /// Adds a group whose members are in no other group.
    pub(super) fn add(&mut self, group: Group) {
        let change = change_membership(&[], Some(&group), &self.brands).unwrap();
        self.apply(&change);
        self.groups.push(group);
    }

    pub(super) fn apply(&mut self, change: &MembershipChange) {
        self.used += change.usage_change;
        for brand in &change.brands {
            self.brands.insert(brand.uuid, brand.clone());
        }
    }

    pub(super) fn detach(&mut self, detached: &DetachedTracking) {
        self.used -= detached.freed_entities;
        for brand in &detached.brands {
            self.brands.insert(brand.uuid, brand.clone());
        }
        self.groups
            .retain(|g| detached.deleted_groups.iter().all(|deleted| deleted.id != g.id));
        for group in &mut self.groups {
            if let Some(reduced) = detached.reduced_group.iter().find(|s| s.id == group.id) {
                *group = reduced.clone();
            }
        }
    }

    pub(super) fn trackings(&self) -> Vec<(EntityId, BrandUuid)> {
        let of = |brand: &Brand| {
            let uuid = brand.uuid;
            brand.trackings.clone().into_iter().map(move |t| (t, uuid))
        };
        self.brands.values().flat_map(of).collect()
    }

    /// Asserts that brands, groups and the used entities agree.
    pub(super) fn assert_consistent(&self) {
        let mut grouped = BTreeSet::new();
        for group in &self.groups {
            assert!(group.members.len() >= 2 && group.members.contains(&group.primary));
            for member in &group.members {
                assert!(grouped.insert(*member), "a member of two groups");
                assert_eq!(self.brands[member].group.as_ref(), Some(&group.id));
            }
        }
        let primaries: BTreeSet<_> = self.groups.iter().map(|g| g.primary).collect();
        let mut used = 0;
        for brand in self.brands.values() {
            assert_eq!(brand.group.is_some(), grouped.contains(&brand.uuid));
            let counts = brand.group.is_some() && !brand.is_tracked() && !primaries.contains(&brand.uuid);
            assert_eq!(brand.counts_as_used, counts);
            used += brand.trackings.len() as i64 + i64::from(counts);
        }
        assert_eq!(self.used, used);
    }
}

/// Generates workspaces of 2 to 11 brands with up to 2 trackings each, and up to 3 groups, some of them
/// scoped.
pub(super) fn market() -> impl Strategy<Value = Market> {
    let brands = vec(0usize..3, 2..12);
    let groups = vec((2usize..5, any::<u32>(), option::of(0usize..12)), 0..4);
    (brands, groups).prop_map(|(brands, groups)| {
        let mut next = 0;
        let mut ids = |count: usize| -> Vec<u32> {
            let ids = (next..).take(count).collect();
            next += 100;
            ids
        };
        let trackings: Vec<Vec<u32>> = brands.into_iter().map(&mut ids).collect();
        let lists: Vec<&[u32]> = trackings.iter().map(Vec::as_slice).collect();
        let mut market = Market::of(&lists);
        let all: Vec<u32> = trackings.iter().flatten().copied().collect();
        let mut free: Vec<u32> = (1..=u32::try_from(trackings.len()).unwrap()).collect();
        for (n, (size, primary, scope)) in (1..).zip(groups) {
            if free.len() < size {
                break;
            }
            let members: Vec<u32> = free.drain(..size).collect();
            let primary = members[primary as usize % members.len()];
            let scope = scope.and_then(|index| all.get(index).copied());
            market.add(group(n, primary, &members, scope));
        }
        market
    })
}
