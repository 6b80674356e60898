//! What counts as the entity that is asked about: its group's brands, and the responses of whose trackings.

use std::collections::BTreeMap;

use api::ApiError;
use domain::brand::{Brand, BrandUuid};
use domain::entity::Entity;
use domain::facts::{OrdinalSet, Selection};
use domain::group::{MergedBrands, merged, own_domains};
use domain::id::EntityId;
use domain::period::Range;
use futures::future::try_join_all;
use store::{FactIndex, Store, StoreError, Tenant};

use crate::filters::Filters;

pub struct Scope {
    /// The brands whose mentions count: the entity's own, and the other members of its group.
    pub brands: OrdinalSet,
    /// Whose responses are counted: the entity itself, and those that its group unites with it.
    pub trackings: Vec<CountedEntity>,
    /// The groups whose members are one row or key in the entity's analytics, its own group among them.
    pub merged: Vec<MergedBrands>,
    /// The brands that the workspace tracks or groups, or once did.
    pub known: BTreeMap<BrandUuid, Brand>,
}

/// A tracking, where the facts of its responses are, and which of them count.
pub struct CountedEntity {
    pub entity: Entity,
    pub selection: Selection,
    pub(crate) index: FactIndex,
    /// Replicas may lack what the index names.
    pub(crate) behind: bool,
}

impl Scope {
    /// Reads it by the groups as they are now. 404 if there is no such entity.
    pub async fn read(
        store: &Store,
        tenant: &Tenant,
        id: &EntityId,
        range: &Range,
        filters: &Filters,
    ) -> Result<Self, ApiError> {
        let (own, groups, known) = tokio::try_join!(
            CountedEntity::read(store, tenant, id, range, filters),
            store.groups(tenant),
            store.brands(tenant),
        )?;
        let own = own.ok_or_else(|| ApiError::not_found("Entity"))?;
        let merged = merged(&own.entity, &groups, &known);
        let others = merged.others.iter().filter(|_| filters.unites());
        let others = others.map(|id| CountedEntity::read(store, tenant, id, range, filters));
        let others = try_join_all(others).await?;
        Ok(Self {
            brands: merged.brands,
            merged: MergedBrands::of_tracking(id, &groups, &known),
            trackings: std::iter::once(own).chain(others.into_iter().flatten()).collect(),
            known,
        })
    }

    /// The domains of the entity's own brands.
    pub fn own_domains(&self) -> Vec<&str> {
        own_domains(&self.brands, &self.known)
    }
}

impl CountedEntity {
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
            selection: filters.selection(&entity, &prompts),
            entity,
            index,
            behind,
        }))
    }
}
