//! An entity whose responses count in a request.

use domain::entity::Entity;
use domain::facts::Selection;
use domain::id::EntityId;
use domain::period::DateRange;
use store::{FactIndex, Store, StoreError, Tenant};

use crate::filters::Filters;

/// An entity, the index of its facts in the range, and the responses that count.
pub struct CountedEntity {
    pub entity: Entity,
    /// The prompts and models whose responses count.
    pub selection: Selection,
    pub(crate) index: FactIndex,
    /// Whether segments are read with strong consistency, because a replica can lack some that the index names.
    pub(crate) read_strongly: bool,
}

impl CountedEntity {
    /// Reads an entity and its index, and its prompts if the filters need them. Returns `None` if there is no such
    /// entity.
    pub(crate) async fn load(
        store: &Store,
        tenant: &Tenant,
        id: &EntityId,
        range: &DateRange,
        filters: &Filters,
    ) -> Result<Option<Self>, StoreError> {
        let prompts = async {
            if filters.need_prompts() {
                store.tagged_prompts(tenant, id).await
            } else {
                Ok(Vec::new())
            }
        };
        let (entity, index, prompts) = tokio::try_join!(
            store.entity(tenant, id),
            store.fact_index(tenant, id, range, false),
            prompts,
        )?;
        let Some(entity) = entity else { return Ok(None) };
        // The read of the entity is strongly consistent. If the index lacks the final facts of the entity's last check, the
        // index is stale.
        let is_stale = entity
            .last_check
            .as_ref()
            .is_some_and(|check| range.contains(check.day) && !index.contains_final(check.key()));
        let index = if is_stale {
            store.fact_index(tenant, id, range, true).await?
        } else {
            index
        };
        Ok(Some(Self {
            selection: filters.selection(&entity, &prompts),
            entity,
            index,
            read_strongly: is_stale,
        }))
    }
}
