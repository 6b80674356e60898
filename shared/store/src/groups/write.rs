//! Writes groups, on the condition of their revision.

use domain::group::{Group, MembershipChange};
use domain::workspace::{SubscriptionStatus, Workspace};

use crate::brands::replace_brand;
use crate::expression::{Values, number_value, string_value};
use crate::items::to_item;
use crate::transaction::Transaction;
use crate::{StoreError, Tenant, keys};

/// Adds a new or changed group to a transaction. Its condition fails if the revision is not the one that was
/// read.
pub(crate) fn replace_group(
    transaction: &mut Transaction,
    tenant: &Tenant,
    mut group: Group,
) -> Result<(), StoreError> {
    let (expected, key) = (group.revision, keys::group(tenant, &group.id));
    group.revision += 1;
    let item = to_item(&key, &group)?;
    match expected {
        0 => transaction.create(item),
        expected => transaction.put(
            item,
            "#revision = :expected",
            vec![(":expected", number_value(expected))],
        ),
    };
    Ok(())
}

pub(crate) fn remove_group(transaction: &mut Transaction, tenant: &Tenant, group: &Group) {
    transaction.delete_if(
        keys::group(tenant, &group.id),
        "#revision = :expected",
        vec![(":expected", number_value(group.revision))],
    );
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
    let mut condition = "#status <> :canceled".to_owned();
    let mut bound: Values = vec![
        (":used", number_value(change.usage_change)),
        (":canceled", string_value(SubscriptionStatus::Canceled.into_str())),
    ];
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
    transaction.update(keys::workspace(tenant), update, condition, bound);
    Ok(())
}
