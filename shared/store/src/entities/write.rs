//! Writes an entity as a whole, on the condition of its revision.

use domain::entity::Entity;
use domain::time::Timestamp;

use crate::expression::string_value;
use crate::items::{Item, to_expiring_item, to_item};
use crate::keys::DuePart;
use crate::table::{DUE_PARTITION_KEY, DUE_SORT_KEY};
use crate::transaction::Transaction;
use crate::{StoreError, Tenant, keys};

/// Returns the entity's item with its keys in the due index, which follow from its state.
pub(crate) fn entity_item(tenant: &Tenant, entity: &Entity) -> Result<Item, StoreError> {
    let mut item = to_item(&keys::entity(tenant, &entity.id), entity)?;
    if let Some((part, sort)) = due_key(entity) {
        item.insert(
            DUE_PARTITION_KEY.to_owned(),
            string_value(part.partition(entity.id.as_str())),
        );
        item.insert(DUE_SORT_KEY.to_owned(), string_value(sort));
    }
    Ok(item)
}

/// Returns the part of the due index that contains the entity, and its sort key. An inactive entity without a
/// running check is in none.
fn due_key(entity: &Entity) -> Option<(DuePart, String)> {
    let (id, due) = (entity.id.as_str(), entity.due_at()?);
    Some(match &entity.running {
        _ if entity.deleted_at.is_some() => (DuePart::Work, keys::due_sort(due, id)),
        Some(running) => {
            let part = if running.is_idle {
                DuePart::Idle
            } else {
                DuePart::Work
            };
            (part, keys::running_sort(due, id, running.check))
        }
        None => (DuePart::Slots, keys::due_sort(due, id)),
    })
}

/// Returns the item of a deleted entity that expires at `expires`.
pub(crate) fn expiring_entity(
    tenant: &Tenant,
    mut entity: Entity,
    expires: Timestamp,
) -> Result<Item, StoreError> {
    entity.revision += 1;
    to_expiring_item(&keys::entity(tenant, &entity.id), &entity, expires)
}

/// Adds the changed entity to a transaction. Its condition fails if the revision is not the one that was
/// read.
pub(crate) fn replace_entity(
    transaction: &mut Transaction,
    tenant: &Tenant,
    mut entity: Entity,
) -> Result<usize, StoreError> {
    let read = entity.revision;
    entity.revision += 1;
    Ok(transaction.replace_existing(entity_item(tenant, &entity)?, read))
}
