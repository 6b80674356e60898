//! The members of a group, and the changes that a new membership causes.

use std::collections::{BTreeMap, BTreeSet};

use uuid::Uuid;

use super::{Group, assign_group};
use crate::brand::{Brand, BrandUuid};
use crate::error::InvalidField;
use crate::id::EntityId;
use crate::limits::{MAX_GROUP_MEMBERS, MIN_GROUP_MEMBERS};

/// A brand as a client refers to it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum BrandReference {
    /// The id of an entity that tracks the brand.
    Tracking(EntityId),
    /// The UUID of the brand.
    Brand(BrandUuid),
    /// A text that is neither an id nor a UUID.
    Unknown,
}

impl BrandReference {
    /// Parses an entity id or a UUID, ignoring whitespace around it.
    pub fn parse(text: &str) -> Self {
        let text = text.trim();
        match (text.parse(), Uuid::try_parse(text)) {
            (Ok(tracking), _) => Self::Tracking(tracking),
            (_, Ok(brand)) => Self::Brand(brand),
            _ => Self::Unknown,
        }
    }
}

/// Returns the brands without duplicates, in their order. Fails if `primary` is missing or their number is
/// out of range.
pub fn validate_members(primary: BrandUuid, uuids: &[BrandUuid]) -> Result<Vec<BrandUuid>, InvalidField> {
    let mut seen = BTreeSet::new();
    let members: Vec<BrandUuid> = uuids.iter().copied().filter(|uuid| seen.insert(*uuid)).collect();
    if !members.contains(&primary) {
        return Err(InvalidField::new("primaryEntity", "must be one of entities"));
    }
    if !(MIN_GROUP_MEMBERS..=MAX_GROUP_MEMBERS).contains(&members.len()) {
        let rule = format!("must be {MIN_GROUP_MEMBERS} to {MAX_GROUP_MEMBERS} different entities");
        return Err(InvalidField::new("entities", rule));
    }
    Ok(members)
}

/// The changes to brands that a new membership causes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MembershipChange {
    /// The changed brands.
    pub brands: Vec<Brand>,
    /// The change in the number of entities that the workspace uses.
    pub usage_change: i64,
}

/// Computes the changes when the members of a group become those of `after`, or when it is deleted if `after`
/// is `None`.
///
/// `known` must contain all members as they were read after the group. Fails with the first member that is in
/// another group.
pub fn change_membership(
    before: &[BrandUuid],
    after: Option<&Group>,
    known: &BTreeMap<BrandUuid, Brand>,
) -> Result<MembershipChange, BrandUuid> {
    let members = after.map_or(&[][..], |group| &group.members);
    let is_member: BTreeSet<&BrandUuid> = members.iter().collect();
    let removed = before.iter().filter(|uuid| !is_member.contains(uuid));
    let assigned = members.iter().map(|uuid| (uuid, after));
    let mut change = MembershipChange::default();
    for (uuid, group) in assigned.chain(removed.map(|uuid| (uuid, None))) {
        let Some(brand) = known.get(uuid) else { continue };
        let is_in_another = |own: &Group| brand.group.as_ref().is_some_and(|id| *id != own.id);
        if group.is_some_and(is_in_another) {
            return Err(*uuid);
        }
        let mut changed = brand.clone();
        change.usage_change += assign_group(&mut changed, group);
        if changed != *brand {
            change.brands.push(changed);
        }
    }
    Ok(change)
}

/// Returns the number of items of the groups with this scope: one for each group and one for each member.
pub fn count_scoped_items<'a>(groups: impl IntoIterator<Item = &'a Group>, scope: &EntityId) -> usize {
    let scoped = groups
        .into_iter()
        .filter(|group| group.scope.as_ref() == Some(scope));
    scoped.map(|group| 1 + group.members.len()).sum()
}

#[cfg(test)]
mod tests {
    use super::super::test_data::{Market, brand_uuid as uuid, entity_id, group};
    use super::*;

    #[test]
    fn a_reference_is_an_entity_id_or_a_brand_uuid_or_unknown() {
        let id = entity_id(1);
        assert_eq!(
            BrandReference::parse(&format!(" {id} ")),
            BrandReference::Tracking(id)
        );
        assert_eq!(
            BrandReference::parse(&uuid(1).to_string()),
            BrandReference::Brand(uuid(1))
        );
        assert_eq!(
            BrandReference::parse(&uuid(1).to_string().to_uppercase()),
            BrandReference::Brand(uuid(1))
        );
        for text in ["", "x", "acme.com", "\u{0}", "0000000000000000-p1"] {
            assert_eq!(BrandReference::parse(text), BrandReference::Unknown, "{text}");
        }
    }

    #[test]
    fn members_keep_their_order_and_are_each_once() {
        let given = [3, 1, 3, 2, 1].map(uuid);
        assert_eq!(
            validate_members(uuid(2), &given),
            Ok([3, 1, 2].map(uuid).to_vec())
        );
    }

    #[test]
    fn a_group_has_2_to_45_members_and_the_primary_is_one_of_them() {
        let error = |primary, given: &[BrandUuid]| validate_members(primary, given).unwrap_err().to_string();
        let many: Vec<BrandUuid> = (1..=46).map(uuid).collect();
        let rule = "entities must be 2 to 45 different entities";
        assert_eq!(error(uuid(1), &[uuid(1), uuid(1)]), rule);
        assert_eq!(error(uuid(1), &many), rule);
        assert_eq!(validate_members(uuid(45), &many[..45]).unwrap().len(), 45);
        assert_eq!(
            error(uuid(9), &[uuid(1), uuid(2)]),
            "primaryEntity must be one of entities"
        );
    }

    #[test]
    fn untracked_members_count_as_used_except_the_primary() {
        let market = Market::of(&[&[1], &[], &[], &[]]);
        let group = group(1, 3, &[1, 2, 3, 4], None);
        let change = change_membership(&[], Some(&group), &market.brands).unwrap();
        assert_eq!(change.usage_change, 2);
        let counted: Vec<bool> = change.brands.iter().map(|b| b.counts_as_used).collect();
        assert_eq!(counted, [false, true, false, true]);
        assert!(change.brands.iter().all(|b| b.group.as_ref() == Some(&group.id)));
    }

    #[test]
    fn only_changed_brands_are_returned() {
        let mut market = Market::of(&[&[1], &[], &[], &[]]);
        market.add(group(1, 1, &[1, 2, 3], None));
        // 2 becomes the primary, 3 leaves, 4 comes, 1 stays as it is.
        let after = group(1, 2, &[1, 2, 4], None);
        let change = change_membership(&[1, 2, 3].map(uuid), Some(&after), &market.brands).unwrap();
        let changed: Vec<BrandUuid> = change.brands.iter().map(|b| b.uuid).collect();
        assert_eq!(changed, [2, 4, 3].map(uuid));
        assert_eq!(change.usage_change, -1);
    }

    #[test]
    fn a_member_of_another_group_is_an_error_and_a_removed_member_can_join_another() {
        let mut market = Market::of(&[&[1], &[2], &[3], &[4]]);
        market.add(group(1, 1, &[1, 2], None));
        let other = group(2, 3, &[3, 2], None);
        assert_eq!(change_membership(&[], Some(&other), &market.brands), Err(uuid(2)));

        market.apply(&change_membership(&[1, 2].map(uuid), None, &market.brands).unwrap());
        market.groups.clear();
        market.assert_consistent();
        assert!(change_membership(&[], Some(&other), &market.brands).is_ok());
    }

    #[test]
    fn the_items_of_a_scope_are_its_groups_and_their_members() {
        let groups = [
            group(1, 1, &[1, 2], Some(7)),
            group(2, 3, &[3, 4, 5], Some(7)),
            group(3, 6, &[6, 7], Some(8)),
            group(4, 8, &[8, 9], None),
        ];
        assert_eq!(count_scoped_items(&groups, &entity_id(7)), 7);
        assert_eq!(count_scoped_items(&groups, &entity_id(9)), 0);
    }
}
