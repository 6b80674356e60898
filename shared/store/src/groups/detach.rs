//! What the deletion of a tracking does to groups.

use std::collections::BTreeMap;

use domain::brand::{Brand, BrandUuid};
use domain::entity::Entity;
use domain::group::Group;
use domain::time::Timestamp;

use super::write::{remove_group, replace_group};
use crate::brands::replace_brand;
use crate::transaction::Transaction;
use crate::{StoreError, Tenant};

/// Takes a tracking that is being deleted out of its brand, the brand's last one out of its group, and with it the
/// groups that cannot stay: adds every changed BRAND and GROUP, the tracking's own BRAND among them, to the
/// transaction. How many of the workspace's entities in use are free then, the tracking itself included; `None`: the
/// brands as read do not fit the tracking, so look again.
///
/// At most 96 actions: 50 of the groups scoped to the tracking, 46 of a group of 45 members.
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
    for group in &detached.gone {
        remove_group(transaction, tenant, group);
    }
    if let Some(mut group) = detached.smaller {
        group.updated_at = now;
        replace_group(transaction, tenant, group)?;
    }
    Ok(Some(detached.freed))
}
