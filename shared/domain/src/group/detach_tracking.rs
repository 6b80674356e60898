//! The removal of a deleted tracking from the groups of a workspace.

use std::collections::BTreeMap;

use super::{Group, assign_group};
use crate::brand::{Brand, BrandUuid};
use crate::id::EntityId;
use crate::limits::MIN_GROUP_MEMBERS;

/// The changes to brands and groups that the deletion of a tracking causes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DetachedTracking {
    /// The changed brands, including the tracking's own.
    pub brands: Vec<Brand>,
    /// The group that loses the tracking's brand and remains.
    pub reduced_group: Option<Group>,
    /// The deleted groups: those with fewer than two members left, without their primary, or scoped to the
    /// tracking.
    pub deleted_groups: Vec<Group>,
    /// The number by which the workspace's used entities decrease, including the tracking itself.
    pub freed_entities: i64,
}

/// Computes the changes from the workspace's groups, and its brands as they were read after the groups.
///
/// Returns `None` if the brands and groups are inconsistent with the tracking or with each other.
pub fn detach_tracking(
    tracking: &EntityId,
    brand: BrandUuid,
    groups: &[Group],
    known: &BTreeMap<BrandUuid, Brand>,
) -> Option<DetachedTracking> {
    let mut own = known.get(&brand)?.clone();
    own.trackings.retain(|id| id != tracking);
    if own.trackings.len() == known.get(&brand)?.trackings.len() {
        return None;
    }
    let brand_leaves = !own.is_tracked();
    let is_own = |group: &&Group| group.members.contains(&brand);
    if own.group.as_ref() != groups.iter().find(is_own).map(|group| &group.id) {
        return None;
    }
    let mut changed = BTreeMap::from([(brand, own)]);
    let mut detached = DetachedTracking {
        freed_entities: 1,
        ..DetachedTracking::default()
    };
    for group in groups {
        let remains = |uuid: &&BrandUuid| !(brand_leaves && **uuid == brand);
        let rest: Vec<BrandUuid> = group.members.iter().filter(remains).copied().collect();
        let is_deleted = group.scope.as_ref() == Some(tracking)
            || rest.len() < MIN_GROUP_MEMBERS
            || !rest.contains(&group.primary);
        let loses_member = rest.len() < group.members.len();
        let leavers = match (is_deleted, loses_member) {
            (true, _) => group.members.as_slice(),
            (false, true) => &[brand],
            (false, false) => continue,
        };
        for uuid in leavers {
            let member = known.get(uuid)?;
            detached.freed_entities -=
                assign_group(changed.entry(*uuid).or_insert_with(|| member.clone()), None);
        }
        if is_deleted {
            detached.deleted_groups.push(group.clone());
        } else {
            detached.reduced_group = Some(Group {
                members: rest,
                ..group.clone()
            });
        }
    }
    detached.brands = changed.into_values().collect();
    Some(detached)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::test_data::{Market, brand_uuid as uuid, entity_id, group, market};
    use super::*;

    fn ids(groups: &[Group]) -> Vec<u32> {
        groups.iter().map(|g| g.created_at.as_millis() as u32).collect()
    }

    #[test]
    fn a_brands_last_tracking_leaves_its_group() {
        let mut market = Market::of(&[&[1], &[2], &[]]);
        market.add(group(1, 1, &[1, 2, 3], None));
        let detached = detach_tracking(&entity_id(2), uuid(2), &market.groups, &market.brands).unwrap();
        assert_eq!(detached.reduced_group.unwrap().members, [1, 3].map(uuid));
        assert_eq!(
            (
                detached.deleted_groups.len(),
                detached.freed_entities,
                detached.brands.len()
            ),
            (0, 1, 1)
        );
        assert_eq!(
            (detached.brands[0].uuid, &detached.brands[0].group),
            (uuid(2), &None)
        );
    }

    #[test]
    fn one_of_several_trackings_changes_no_group() {
        let mut market = Market::of(&[&[1, 4], &[2]]);
        market.add(group(1, 1, &[1, 2], None));
        let detached = detach_tracking(&entity_id(1), uuid(1), &market.groups, &market.brands).unwrap();
        assert_eq!(detached.brands[0].trackings, [entity_id(4)]);
        assert!(detached.brands[0].group.is_some());
        assert_eq!(
            (
                detached.reduced_group,
                detached.deleted_groups.len(),
                detached.freed_entities
            ),
            (None, 0, 1)
        );
    }

    #[test]
    fn a_group_is_deleted_without_its_primary_or_a_second_member_or_its_scope() {
        for (tracking, members, scope, gone) in [
            (1, vec![1, 2, 3], None, true),
            (2, vec![1, 2], None, true),
            (2, vec![1, 2, 3], None, false),
            (2, vec![1, 3, 4], Some(2), true),
            (2, vec![1, 2, 3], Some(2), true),
            (2, vec![1, 3, 4], Some(1), false),
        ] {
            let mut market = Market::of(&[&[1], &[2], &[], &[]]);
            market.add(group(7, 1, &members, scope));
            let used = market.used;
            let brand = uuid(tracking);
            let detached =
                detach_tracking(&entity_id(tracking), brand, &market.groups, &market.brands).unwrap();
            let expected: &[u32] = if gone { &[7] } else { &[] };
            assert_eq!(
                ids(&detached.deleted_groups),
                expected,
                "{tracking} {members:?} {scope:?}"
            );
            market.detach(&detached);
            market.assert_consistent();
            assert_eq!(market.used, used - detached.freed_entities);
        }
    }

    #[test]
    fn an_unknown_tracking_cannot_be_detached() {
        let market = Market::of(&[&[1], &[]]);
        for (tracking, brand) in [(2, 1), (1, 2), (1, 9)] {
            assert_eq!(
                detach_tracking(&entity_id(tracking), uuid(brand), &market.groups, &market.brands),
                None
            );
        }
    }

    #[test]
    fn a_group_created_after_the_groups_were_read_is_detected() {
        let mut market = Market::of(&[&[1], &[2]]);
        market.add(group(1, 1, &[1, 2], None));
        assert_eq!(detach_tracking(&entity_id(2), uuid(2), &[], &market.brands), None);
        market.brands.remove(&uuid(1));
        assert_eq!(
            detach_tracking(&entity_id(2), uuid(2), &market.groups, &market.brands),
            None
        );
    }

    proptest! {
        #[test]
        fn deleting_all_trackings_one_by_one_keeps_the_counts_consistent(market in market(), order in any::<u64>()) {
            let mut market: Market = market;
            market.assert_consistent();
            let mut left: Vec<(EntityId, BrandUuid)> = market.trackings();
            while !left.is_empty() {
                let index = usize::try_from(order % 1_000_003).unwrap() % left.len();
                let (tracking, brand) = left.remove(index);
                let detached = detach_tracking(&tracking, brand, &market.groups, &market.brands).unwrap();
                market.detach(&detached);
                market.assert_consistent();
                prop_assert!(market.groups.iter().all(|g| g.scope.as_ref() != Some(&tracking)));
                prop_assert!(market.brands[&brand].is_tracked() || market.brands[&brand].group.is_none());
            }
            prop_assert!(market.used >= 0);
        }
    }
}
