//! Writing an entity: always the whole item, on the condition that it is still as it was read.

use domain::entity::Entity;
use domain::time::Timestamp;

use crate::expression::{n, s};
use crate::items::{Item, to_expiring_item, to_item};
use crate::table::{DUE_PARTITION_KEY, DUE_SORT_KEY};
use crate::transaction::Transaction;
use crate::{StoreError, Tenant, keys};

/// The entity's item. Its place in the due index follows from its state.
pub(crate) fn entity_item(tenant: &Tenant, entity: &Entity) -> Result<Item, StoreError> {
    let mut item = to_item(&keys::entity(tenant, &entity.id), entity)?;
    if let Some(due) = entity.due_at() {
        item.insert(DUE_PARTITION_KEY.to_owned(), s(keys::due_partition(&entity.id)));
        item.insert(DUE_SORT_KEY.to_owned(), s(keys::due_sort(due, &entity.id)));
    }
    Ok(item)
}

/// The item of an entity that is gone, absent from `expires` on.
pub(crate) fn expiring_entity(
    tenant: &Tenant,
    mut entity: Entity,
    expires: Timestamp,
) -> Result<Item, StoreError> {
    entity.revision += 1;
    to_expiring_item(&keys::entity(tenant, &entity.id), &entity, expires)
}

/// Adds the changed entity to a transaction; it fails if the item is no longer at the revision that was read.
pub(crate) fn replace_entity(
    transaction: &mut Transaction,
    tenant: &Tenant,
    mut entity: Entity,
) -> Result<usize, StoreError> {
    let seen = entity.revision;
    entity.revision += 1;
    Ok(transaction.put(
        entity_item(tenant, &entity)?,
        "#revision = :seen",
        vec![(":seen", n(seen))],
    ))
}
