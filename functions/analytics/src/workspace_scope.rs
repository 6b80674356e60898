//! The scope of a request about many entities of a workspace.

use std::collections::BTreeMap;

use domain::brand::{Brand, BrandUuid};
use domain::entity::Entity;
use domain::group::{Group, ResolvedGroup, group_effect, tracks_rivals};
use domain::id::EntityId;
use domain::key_scope::KeyScope;
use domain::ordinal::BrandOrdinal;
use domain::ordinal_set::OrdinalSet;
use domain::page::Page;
use domain::period::DateRange;
use domain::time::Day;
use facts::{CountedEntity, FactReader, counted_since};
use store::{StoreError, Tenant};

use crate::state::AnalyticsState;

/// The entities of a workspace, and what decides whose responses count for which of them.
pub(crate) struct WorkspaceEntities<'a> {
    state: &'a AnalyticsState,
    tenant: &'a Tenant,
    /// The entities that the key reaches, oldest first.
    pub(crate) entities: Vec<Entity>,
    groups: Vec<Group>,
    known_brands: BTreeMap<BrandUuid, Brand>,
}

/// Entities and those whose responses count for them, with the indexes of their facts. Each index is read
/// once.
pub(crate) struct WorkspaceScope<'a> {
    state: &'a AnalyticsState,
    tenant: &'a Tenant,
    /// The ranges of days that are read, ascending.
    ranges: Vec<DateRange>,
    /// The requested entities.
    pub(crate) entities: Vec<EntityScope>,
    /// The entities whose responses count for any of the requested ones.
    pub(crate) counted: Vec<CountedEntity>,
}

/// The brands and entities that count as an entity, by the current groups.
pub(crate) struct EntityScope {
    /// The brands whose mentions count: the entity's own, and the other members of its group.
    pub(crate) brands: OrdinalSet<BrandOrdinal>,
    /// The groups whose members are one row in the entity's analytics, among them its own group.
    pub(crate) groups: Vec<ResolvedGroup>,
    /// Whether the workspace tracks a brand that does not count as the entity.
    pub(crate) tracks_rivals: bool,
    /// The indexes in [`WorkspaceScope::counted`] of the entities whose responses count: first the entity
    /// itself, then the others of its group that the key reaches.
    pub(crate) counted: Vec<usize>,
}

impl<'a> WorkspaceEntities<'a> {
    /// Loads the entities, groups and brands of a workspace.
    pub(crate) async fn load(
        state: &'a AnalyticsState,
        tenant: &'a Tenant,
        key_scope: &KeyScope,
    ) -> Result<Self, StoreError> {
        let store = &state.api.store;
        let (mut entities, groups, known_brands) =
            tokio::try_join!(store.entities(tenant), store.groups(tenant), store.brands(tenant))?;
        entities.retain(|entity| key_scope.reaches(&entity.id));
        Ok(Self {
            state,
            tenant,
            entities,
            groups,
            known_brands,
        })
    }

    /// Returns the entities of a page.
    pub(crate) fn page(&self, page: &Page) -> Vec<&Entity> {
        page.select_rows(self.entities.iter().collect())
    }

    /// Loads the scopes of some of the entities, in their order.
    pub(crate) async fn load_scope(
        &self,
        requested: &[&Entity],
        ranges: Vec<DateRange>,
    ) -> Result<WorkspaceScope<'a>, StoreError> {
        let by_id: BTreeMap<&EntityId, &Entity> =
            self.entities.iter().map(|entity| (&entity.id, entity)).collect();
        let mut counted = CountedEntities::default();
        let scope_of = |entity: &Entity| {
            let effect = group_effect(entity, &self.groups, &self.known_brands);
            let all = std::iter::once(&entity.id).chain(&effect.other_entities);
            let all = all.filter_map(|id| by_id.get(id).copied());
            EntityScope {
                tracks_rivals: tracks_rivals(&effect.brands, &self.known_brands),
                brands: effect.brands,
                groups: ResolvedGroup::applying_to(&entity.id, &self.groups, &self.known_brands),
                counted: all.map(|entity| counted.index_of(entity)).collect(),
            }
        };
        let entities = requested.iter().copied().map(scope_of).collect();
        let (store, tenant) = (&self.state.api.store, self.tenant);
        let counted = counted.entities.into_iter().cloned().collect();
        let counted = CountedEntity::load_all(store, tenant, counted, &ranges).await?;
        Ok(WorkspaceScope {
            state: self.state,
            tenant,
            ranges,
            entities,
            counted,
        })
    }
}

/// Distinct entities in the order in which they were added.
#[derive(Default)]
struct CountedEntities<'e> {
    entities: Vec<&'e Entity>,
    indexes: BTreeMap<&'e EntityId, usize>,
}

impl<'e> CountedEntities<'e> {
    /// Returns the index of an entity, which is added if it is new.
    fn index_of(&mut self, entity: &'e Entity) -> usize {
        *self.indexes.entry(&entity.id).or_insert_with(|| {
            self.entities.push(entity);
            self.entities.len() - 1
        })
    }
}

impl WorkspaceScope<'_> {
    /// Returns the reader of the facts of all counted entities. The entity index of a segment is that in
    /// [`Self::counted`].
    pub(crate) fn facts(&self) -> FactReader<'_> {
        FactReader {
            store: &self.state.api.store,
            tenant: self.tenant,
            cache: &self.state.cache,
            ranges: &self.ranges,
            entities: &self.counted,
        }
    }

    /// Returns the first day of the ranges from which on all answers that count for an entity were read for
    /// the same names and by the same rules as those of its latest day.
    pub(crate) fn counted_since(&self, scope: &EntityScope) -> Option<Day> {
        let counted = scope.counted.iter().filter_map(|index| self.counted.get(*index));
        counted_since(self.ranges.first()?.first, counted)
    }
}
