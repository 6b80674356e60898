//! Tracked targets. Each has an item of its own, so that it is tracked once.

use domain::entity::Entity;
use domain::id::EntityId;
use domain::target::Target;
use serde::{Deserialize, Serialize};

use super::write::replace_entity;
use crate::items::{Consistency, to_item};
use crate::rereading::names_changed;
use crate::transaction::{Outcome, Transaction};
use crate::{Store, StoreError, Tenant, keys};

#[derive(Serialize, Deserialize)]
struct TrackedTarget {
    entity: EntityId,
}

pub(crate) enum EntityWrite {
    Done,
    /// Another entity tracks the new target.
    TargetTaken,
    /// Another write changed what had been read.
    Stale,
}

impl Store {
    /// Finds the entity that tracks a target, strongly consistent.
    pub async fn tracking_of(
        &self,
        tenant: &Tenant,
        target: &Target,
    ) -> Result<Option<EntityId>, StoreError> {
        let key = keys::target(tenant, &target.uniqueness_key());
        let tracked: Option<TrackedTarget> = self.get(&key, Consistency::Strong).await?;
        Ok(tracked.map(|tracked| tracked.entity))
    }

    /// Adds the changed entity to a transaction and runs it. If the target changes, the item of the old one
    /// is deleted and that of the new one is created. If its names change, the answers of the workspace are
    /// read again.
    pub(crate) async fn write_entity(
        &self,
        mut transaction: Transaction,
        tenant: &Tenant,
        before: &Entity,
        after: Entity,
    ) -> Result<EntityWrite, StoreError> {
        let (old, new) = (uniqueness_key(before)?, uniqueness_key(&after)?);
        let new_target = if old == new {
            None
        } else {
            transaction.delete(&keys::target(tenant, &old));
            Some(track_target(&mut transaction, tenant, &new, &after.id)?)
        };
        if names(before) != names(&after) {
            names_changed(&mut transaction, tenant, self.clock.now());
        }
        let replaced = replace_entity(&mut transaction, tenant, after)?;
        Ok(match self.transact(transaction).await? {
            Outcome::Committed => EntityWrite::Done,
            // The entity has not changed since it was read, so the target belongs to another one.
            Outcome::Rejected(failed)
                if !failed.contains(replaced) && new_target.is_some_and(|index| failed.contains(index)) =>
            {
                EntityWrite::TargetTaken
            }
            Outcome::Rejected(_) => EntityWrite::Stale,
        })
    }
}

/// Adds a target to a transaction. Its condition fails if the target is tracked already.
pub(crate) fn track_target(
    transaction: &mut Transaction,
    tenant: &Tenant,
    uniqueness_key: &str,
    entity: &EntityId,
) -> Result<usize, StoreError> {
    let tracked = TrackedTarget { entity: *entity };
    Ok(transaction.create(to_item(&keys::target(tenant, uniqueness_key), &tracked)?))
}

/// Returns the names by which answers can mention the entity's brand.
fn names(entity: &Entity) -> (&str, &[String], Option<&str>) {
    (&entity.name, &entity.aliases, entity.domain.as_deref())
}

/// Returns the uniqueness key of the entity's target.
pub(super) fn uniqueness_key(entity: &Entity) -> Result<String, StoreError> {
    let target = entity.parse_stored_target();
    Ok(target
        .map_err(|e| StoreError::internal("decoding an entity's target", e))?
        .uniqueness_key())
}
