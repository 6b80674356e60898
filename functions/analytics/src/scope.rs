//! The scope of a request: the brands that count as its entity, and the entities whose responses count.

use std::collections::BTreeMap;

use api::ApiError;
use domain::brand::{Brand, BrandUuid};
use domain::entity::Entity;
use domain::group::{ResolvedGroup, group_effect, own_domains, row_domains, tracks_rivals};
use domain::id::EntityId;
use domain::key_scope::KeyScope;
use domain::ordinal::BrandOrdinal;
use domain::ordinal_set::OrdinalSet;
use domain::period::DateRange;
use domain::time::Day;
use facts::families::Citations;
use facts::{CountedEntity, FactReader, SegmentCache, SelectedFacts, counted_since};
use futures::future::try_join_all;
use store::{Store, StoreError, Tenant};

use crate::filters::Filters;
use crate::state::AnalyticsState;

/// The brands and entities that count as the entity of a request, by the current groups.
pub struct Scope<'a> {
    pub(crate) store: &'a Store,
    pub(crate) tenant: &'a Tenant,
    pub(crate) cache: &'a SegmentCache,
    /// The ranges of days that are read, ascending.
    pub(crate) ranges: Vec<DateRange>,
    /// The entity of the request.
    pub entity: Entity,
    /// The brands whose mentions count: the entity's own, and the other members of its group.
    pub brands: OrdinalSet<BrandOrdinal>,
    /// The entities whose responses count: first the entity of the request, then the others of its group that
    /// the key reaches.
    pub entities: Vec<CountedEntity>,
    /// The groups whose members are one row in the entity's analytics, among them its own group.
    pub groups: Vec<ResolvedGroup>,
    /// The brands that the workspace tracks or groups, or has tracked or grouped.
    pub known_brands: BTreeMap<BrandUuid, Brand>,
}

impl<'a> Scope<'a> {
    /// Loads the scope of an entity. Returns 404 if there is no such entity, and 400 if a filter has an
    /// unknown model.
    pub(crate) async fn load(
        state: &'a AnalyticsState,
        tenant: &'a Tenant,
        key_scope: &KeyScope,
        id: &EntityId,
        ranges: &[DateRange],
        filters: &Filters,
    ) -> Result<Self, ApiError> {
        let store = &state.api.store;
        let (own, groups, known_brands) = tokio::try_join!(
            counted_entity(store, tenant, id, ranges, filters),
            store.groups(tenant),
            store.brands(tenant),
        )?;
        let own = own.ok_or_else(|| ApiError::not_found("Entity"))?;
        let entity = own.entity.clone();
        let effect = group_effect(&entity, &groups, &known_brands);
        let others = effect.other_entities.iter();
        let others = others.filter(|id| filters.include_group() && key_scope.reaches(id));
        let others = others.map(|id| counted_entity(store, tenant, id, ranges, filters));
        let others = try_join_all(others).await?;
        let entities: Vec<CountedEntity> = std::iter::once(own).chain(others.into_iter().flatten()).collect();
        let known: Vec<&Entity> = entities.iter().map(|counted| &counted.entity).collect();
        filters.check_models(&state.api.catalogue, &known)?;
        Ok(Self {
            store,
            tenant,
            cache: &state.cache,
            ranges: ranges.to_vec(),
            entity,
            brands: effect.brands,
            groups: ResolvedGroup::applying_to(id, &groups, &known_brands),
            entities,
            known_brands,
        })
    }

    /// Returns the first day of the ranges from which on all answers were read for the same names and by the
    /// same rules as those of its latest day.
    pub fn counted_since(&self) -> Option<Day> {
        counted_since(self.ranges.first()?.first, &self.entities)
    }

    /// Returns whether the workspace tracks a brand that does not count as the entity.
    pub fn tracks_rivals(&self) -> bool {
        tracks_rivals(&self.brands, &self.known_brands)
    }

    /// Returns the domains of the brands whose mentions count.
    pub fn own_domains(&self) -> Vec<&str> {
        own_domains(&self.brands, &self.known_brands)
    }

    /// Reads the cited domains. The domains of the groups' rows have ids even if they are not cited.
    pub async fn citations(&self) -> Result<SelectedFacts<'_, Citations>, StoreError> {
        self.facts().citations(&row_domains(&self.groups)).await
    }

    /// Returns the reader of the facts.
    pub fn facts(&self) -> FactReader<'_> {
        FactReader {
            store: self.store,
            tenant: self.tenant,
            cache: self.cache,
            ranges: &self.ranges,
            entities: &self.entities,
        }
    }
}

/// Reads an entity of which the responses count that match the filters.
async fn counted_entity(
    store: &Store,
    tenant: &Tenant,
    id: &EntityId,
    ranges: &[DateRange],
    filters: &Filters,
) -> Result<Option<CountedEntity>, StoreError> {
    let mut counted = CountedEntity::load(store, tenant, id, ranges, filters.need_prompts()).await?;
    if let Some(counted) = &mut counted {
        counted.selection = filters.selection(&counted.entity, &counted.prompts);
    }
    Ok(counted)
}
