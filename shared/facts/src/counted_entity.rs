//! An entity whose responses count in a request.

use domain::entity::Entity;
use domain::id::EntityId;
use domain::period::DateRange;
use domain::prompt::Prompt;
use domain::time::Day;
use store::{Consistency, FactIndex, Store, StoreError, Tenant};

use crate::bounded_join::try_join_bounded;
use crate::codec::Selection;

/// An entity, the index of its facts in some ranges, and the responses that count.
pub struct CountedEntity {
    pub entity: Entity,
    /// The prompts and models whose responses count.
    pub selection: Selection,
    /// All prompts with their tags, including deleted ones. Empty unless they were asked for.
    pub prompts: Vec<Prompt>,
    pub(crate) index: FactIndex,
}

impl CountedEntity {
    /// Reads an entity, all of whose responses count, and its index, and its prompts `with_prompts`. Returns
    /// `None` if there is no such entity.
    pub async fn load(
        store: &Store,
        tenant: &Tenant,
        id: &EntityId,
        ranges: &[DateRange],
        with_prompts: bool,
    ) -> Result<Option<Self>, StoreError> {
        let prompts = async {
            if with_prompts {
                store.tagged_prompts(tenant, id).await
            } else {
                Ok(Vec::new())
            }
        };
        let (entity, index, prompts) = tokio::try_join!(
            store.entity(tenant, id),
            store.fact_index(tenant, id, ranges, Consistency::Eventual),
            prompts,
        )?;
        let Some(entity) = entity else { return Ok(None) };
        let counted = Self::with_current_index(store, tenant, entity, ranges, index).await?;
        Ok(Some(Self { prompts, ..counted }))
    }

    /// Reads the indexes of entities, all of whose responses count. The entities must have been read with
    /// strong consistency.
    pub async fn load_all(
        store: &Store,
        tenant: &Tenant,
        entities: Vec<Entity>,
        ranges: &[DateRange],
    ) -> Result<Vec<Self>, StoreError> {
        let with_facts = |entity: &Entity| -> Vec<DateRange> {
            // No check is claimed before its entity is created. The clocks of two functions can disagree
            // about the day.
            let first = entity.created_at.day().plus_days(-1);
            ranges
                .iter()
                .filter_map(|range| range.not_before(first))
                .collect()
        };
        let wanted: Vec<_> = entities
            .iter()
            .map(|entity| (&entity.id, with_facts(entity)))
            .collect();
        let indexes = store.fact_indexes(tenant, &wanted).await?;
        let loads = entities.into_iter().zip(indexes);
        let loads =
            loads.map(|(entity, index)| Self::with_current_index(store, tenant, entity, ranges, index));
        try_join_bounded(loads).await
    }

    /// Reads the index again if it lacks the final facts of the entity's last check, and is therefore stale.
    async fn with_current_index(
        store: &Store,
        tenant: &Tenant,
        entity: Entity,
        ranges: &[DateRange],
        index: FactIndex,
    ) -> Result<Self, StoreError> {
        let is_stale = entity
            .last_check
            .as_ref()
            .filter(|check| ranges.iter().any(|range| range.contains(check.day)))
            .is_some_and(|check| !index.contains_final(check.key()));
        let index = if is_stale {
            store
                .fact_index(tenant, &entity.id, ranges, Consistency::Strong)
                .await?
        } else {
            index
        };
        Ok(Self {
            entity,
            selection: Selection::default(),
            prompts: Vec::new(),
            index,
        })
    }
}

/// Returns the first day from `first` on from which on all answers of the entities were read for the same
/// names and by the same rules as those of their latest day.
pub fn counted_since<'a>(first: Day, entities: impl IntoIterator<Item = &'a CountedEntity>) -> Option<Day> {
    let readings = entities.into_iter().flat_map(|counted| counted.index.readings());
    domain::reading::counted_since(first, readings.map(|(check, reading)| (check.day, reading)))
}
