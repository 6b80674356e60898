//! Updates groups when an entity is deleted.

use std::collections::BTreeMap;

use domain::brand::{Brand, BrandUuid};
use domain::entity::Entity;
use domain::group::Group;
use domain::time::Timestamp;

use super::write::{remove_group, replace_group};
use crate::brands::replace_brand;
use crate::transaction::Transaction;
use crate::{StoreError, Tenant};

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
