//! Writes groups, on the condition of their revision.

use std::collections::BTreeMap;

use domain::brand::{Brand, BrandUuid};
use domain::entity::Entity;
use domain::group::{Group, MembershipChange};
use domain::time::Timestamp;
use domain::workspace::Workspace;

use crate::brands::replace_brand;
use crate::expression::{Values, number_value};
use crate::items::to_item;
use crate::transaction::Transaction;
use crate::{StoreError, Tenant, keys};

/// Adds a new or changed group to a transaction. Its condition fails if the revision is not the one that was
/// read.
pub(super) fn replace_group(
    transaction: &mut Transaction,
    tenant: &Tenant,
    mut group: Group,
) -> Result<(), StoreError> {
    let read = group.revision;
    group.revision += 1;
    transaction.replace(to_item(&keys::group(tenant, &group.id), &group)?, read);
    Ok(())
}

pub(super) fn remove_group(transaction: &mut Transaction, tenant: &Tenant, group: &Group) {
    transaction.delete_revision(&keys::group(tenant, &group.id), group.revision);
}

/// Adds the changed brands and the update of the counters to a transaction. New brands get their ordinals.
pub(super) fn write_members(
    transaction: &mut Transaction,
    tenant: &Tenant,
    workspace: &Workspace,
    change: MembershipChange,
) -> Result<(), StoreError> {
    let mut last = workspace.brand_seq;
    for mut brand in change.brands {
        if brand.revision == 0 {
            last = last.next();
            brand.ordinal = last;
        }
        replace_brand(transaction, tenant, brand)?;
    }
    let mut update = "SET #entitiesUsed = #entitiesUsed + :used".to_owned();
    let mut condition = "attribute_exists(PK)".to_owned();
    let mut bound: Values = vec![(":used", number_value(change.usage_change))];
    if change.usage_change > 0 {
        condition.push_str(" AND #entitiesUsed <= :max AND #entitiesLimit = :limit");
        bound.push((
            ":max",
            number_value(i64::from(workspace.entities_limit) - change.usage_change),
        ));
        bound.push((":limit", number_value(workspace.entities_limit)));
    }
    if last > workspace.brand_seq {
        update.push_str(", #brandSeq = :lastOrdinal");
        condition.push_str(" AND #brandSeq = :brandSeq");
        bound.push((":lastOrdinal", number_value(last)));
        bound.push((":brandSeq", number_value(workspace.brand_seq)));
    }
    transaction.update_workspace(tenant, &update, &condition, bound);
    Ok(())
}

/// Removes an entity that is being deleted from its brand. If it was the brand's last one, the brand leaves
/// its group, and groups that are no longer valid are deleted. Adds every changed BRAND and GROUP to the
/// transaction, at most 96 actions: 50 for the groups scoped to the entity and 46 for a group of 45 members.
///
/// Returns by how much the number of entities in use decreases, including the entity itself, or `None` if the
/// brands do not fit the entity because another write came between the reads.
pub(crate) fn detach_tracking(
    transaction: &mut Transaction,
    tenant: &Tenant,
    tracking: &Entity,
    groups: &[Group],
    brands: &BTreeMap<BrandUuid, Brand>,
    now: Timestamp,
) -> Result<Option<i64>, StoreError> {
    let Some(detached) = domain::group::detach_tracking(&tracking.id, tracking.brand, groups, brands) else {
        return Ok(None);
    };
    for brand in detached.brands {
        replace_brand(transaction, tenant, brand)?;
    }
    for group in &detached.deleted_groups {
        remove_group(transaction, tenant, group);
    }
    if let Some(mut group) = detached.reduced_group {
        group.updated_at = now;
        replace_group(transaction, tenant, group)?;
    }
    Ok(Some(detached.freed_entities))
}
