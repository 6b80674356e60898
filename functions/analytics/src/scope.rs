//! What counts as the entity that is asked about: its group's brands, and the responses of whose trackings.

use api::ApiError;
use domain::entity::Entity;
use domain::facts::{Family, Ordinals};
use domain::group::merged;
use domain::id::EntityId;
use domain::period::Range;
use domain::prompt::Prompt;
use domain::time::Day;
use futures::future::try_join_all;
use store::{FactIndex, Store, StoreError, Tenant};

use crate::filters::Filters;

pub(crate) struct Scope {
    /// The brands whose mentions count: the entity's own, and the other members of its group.
    pub(crate) brands: Ordinals,
    /// Whose responses are counted: the entity itself, and those that its group unites with it.
    pub(crate) trackings: Vec<Tracking>,
}

/// A tracking and where the facts of its responses are.
pub(crate) struct Tracking {
    pub(crate) entity: Entity,
    /// Its prompts, deleted ones included, where a filter wants them.
    pub(crate) prompts: Vec<Prompt>,
    index: FactIndex,
    /// Replicas may lack what the index names.
    behind: bool,
}

impl Scope {
    /// Reads it by the groups as they are now. 404 if there is no such entity.
    pub(crate) async fn read(
        store: &Store,
        tenant: &Tenant,
        id: &EntityId,
        range: &Range,
        filters: &Filters,
    ) -> Result<Self, ApiError> {
        let (own, groups, brands) = tokio::try_join!(
            Tracking::read(store, tenant, id, range, filters),
            store.groups(tenant),
            store.brands(tenant),
        )?;
        let own = own.ok_or_else(|| ApiError::not_found("Entity"))?;
        let merged = merged(&own.entity, &groups, &brands);
        let others = merged.others.iter().filter(|_| filters.unites());
        let others = others.map(|id| Tracking::read(store, tenant, id, range, filters));
        let others = try_join_all(others).await?;
        Ok(Self {
            brands: merged.brands,
            trackings: std::iter::once(own).chain(others.into_iter().flatten()).collect(),
        })
    }
}

impl Tracking {
    async fn read(
        store: &Store,
        tenant: &Tenant,
        id: &EntityId,
        range: &Range,
        filters: &Filters,
    ) -> Result<Option<Self>, StoreError> {
        let known = async {
            if filters.by_tags() {
                store.tagged_prompts(tenant, id).await
            } else {
                Ok(Vec::new())
            }
        };
        let (entity, index, prompts) = tokio::try_join!(
            store.entity(tenant, id),
            store.fact_index(tenant, id, range, false),
            known,
        )?;
        let Some(entity) = entity else { return Ok(None) };
        // The entity is read strongly: facts of its last check that the index lacks are there by now.
        let behind = entity
            .last_check
            .as_ref()
            .is_some_and(|c| range.contains(c.day) && !index.has(c.day, c.check));
        let index = if behind {
            store.fact_index(tenant, id, range, true).await?
        } else {
            index
        };
        Ok(Some(Self {
            entity,
            prompts,
            index,
            behind,
        }))
    }

    /// The sealed segments of one family, by day and check.
    pub(crate) async fn segments(
        &self,
        store: &Store,
        tenant: &Tenant,
        family: Family,
        range: &Range,
    ) -> Result<Vec<(Day, Vec<u8>)>, StoreError> {
        store
            .segments(tenant, &self.entity.id, family, range, &self.index, self.behind)
            .await
    }
}
