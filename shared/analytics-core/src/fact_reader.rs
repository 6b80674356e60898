//! Reads and caches the facts of entities.

use api::ApiError;
use domain::check_key::CheckKey;
use domain::facts::{Family, StringInterner};
use domain::id::EntityId;
use domain::period::DateRange;
use domain::time::Month;
use futures::future::try_join_all;
use store::{SegmentRef, Store, StoreError, Tenant};

use crate::bounded_join::try_join_bounded;
use crate::cached_facts::{CachedFacts, DecodeSegment};
use crate::cached_segment::CachedSegment;
use crate::counted_entity::CountedEntity;
use crate::family_cache::FamilyCache;
use crate::needed_segment::{IndexedSegments, NeededSegment, needed_segments};
use crate::read_plan::ReadPlan;
use crate::workspace_cache::{EntitySegments, SegmentKey, WorkspaceCache, lock};

/// The entities and days whose facts are read.
pub(crate) struct FactReader<'a> {
    pub(crate) store: &'a Store,
    pub(crate) tenant: &'a Tenant,
    /// The ranges of days that are read, ascending.
    pub(crate) ranges: &'a [DateRange],
    pub(crate) entities: &'a [CountedEntity],
}

/// The encoded segments that were read of an entity, by what they hold the facts of.
type ReadSegments<S> = Vec<(S, Vec<u8>)>;

impl<'a> FactReader<'a> {
    /// Reads the segments of a family that are not in the cache, and passes all of them to `aggregate`. The texts `interned` have ids
    /// even if no segment has them.
    pub(crate) async fn query<F: DecodeSegment, R>(
        &self,
        cache: &FamilyCache<F>,
        interned: &[&str],
        aggregate: impl FnOnce(&StringInterner, &[CachedSegment<'_, F>]) -> R,
    ) -> Result<R, ApiError> {
        let cached = cache.workspace(self.tenant.workspace());
        let (indexed, needed) = self.needed(F::FAMILY)?;
        let missing = self.missing(&lock(&cached), &needed);
        let plans = self.plans(F::FAMILY, &indexed, &missing);
        let reads = self.entities.iter().zip(&indexed).zip(&plans);
        let reads =
            reads.map(|((counted, indexed), plan)| self.read_checks(counted, F::FAMILY, indexed, plan));
        let (checks, months) =
            tokio::try_join!(try_join_bounded(reads), self.read_months(F::FAMILY, &plans))?;
        let mut locked = lock(&cached);
        for text in interned {
            locked.texts.intern(text);
        }
        let read = checks.into_iter().zip(months);
        for ((counted, plan), (checks, months)) in self.entities.iter().zip(&plans).zip(read) {
            let (texts, mut decoded) = (&mut locked.texts, Vec::with_capacity(plan.missing().len()));
            for (check, encoded) in checks {
                decoded.push((check, F::decode(&encoded, texts).map_err(ApiError::internal)?));
            }
            for (_, encoded) in months {
                let is_missing = |check| plan.missing_key(check).is_some();
                decoded.extend(F::decode_month(&encoded, texts, is_missing).map_err(ApiError::internal)?);
            }
            let decoded = decoded
                .into_iter()
                .filter_map(|(check, segment)| Some((plan.missing_key(check)?.clone(), segment)));
            locked.insert(&counted.entity.id, decoded);
        }
        let result = aggregate(&locked.texts, &self.select(&locked, &needed)?);
        drop(locked);
        cache.keep(self.tenant.workspace(), &cached);
        Ok(result)
    }

    /// Returns the size of the segments that [`Self::query`] would read, in KB.
    pub(crate) fn unread_kb<F: DecodeSegment>(&self, cache: &FamilyCache<F>) -> Result<usize, StoreError> {
        let cached = cache.workspace(self.tenant.workspace());
        let (indexed, needed) = self.needed(F::FAMILY)?;
        let missing = self.missing(&lock(&cached), &needed);
        let plans = self.plans(F::FAMILY, &indexed, &missing);
        let sizes = plans.iter().zip(&indexed).map(|(plan, indexed)| plan.kb(indexed));
        Ok(sizes.sum())
    }

    /// Returns the segments of a family that the index names, one list per entity, all of which are needed.
    fn needed(&self, family: Family) -> Result<(Vec<IndexedSegments>, Vec<NeededSegment>), StoreError> {
        let indexed = self.indexed(family)?;
        let needed = needed_segments(&indexed, |(check, segment)| {
            std::iter::once(SegmentKey {
                check: *check,
                revision: segment.rev,
                bucket_view: String::new(),
            })
        });
        Ok((indexed, needed))
    }

    /// Returns how the missing segments of each entity are read.
    fn plans<'m>(
        &self,
        family: Family,
        indexed: &[IndexedSegments],
        missing: &'m [Vec<SegmentKey>],
    ) -> Vec<ReadPlan<'m>> {
        let plans = self.entities.iter().zip(indexed).zip(missing);
        let plans = plans.map(|((counted, indexed), missing)| {
            ReadPlan::new(missing, indexed, counted.index.merged_segments_of(family))
        });
        plans.collect()
    }

    /// Reads the segments of an entity's checks that are in the plan.
    async fn read_checks(
        &self,
        counted: &CountedEntity,
        family: Family,
        indexed: &[(CheckKey, SegmentRef)],
        plan: &ReadPlan<'_>,
    ) -> Result<ReadSegments<CheckKey>, StoreError> {
        let (id, strong) = (&counted.entity.id, counted.read_strongly);
        // What is between two ranges is not read.
        let of_ranges = self.ranges.iter().map(|range| {
            let start = indexed.partition_point(|(check, _)| check.day < range.first);
            let end = indexed.partition_point(|(check, _)| check.day <= range.last);
            let is_read = |check| plan.reads_check(check);
            self.store
                .segments(self.tenant, id, family, &indexed[start..end], is_read, strong)
        });
        Ok(try_join_all(of_ranges).await?.into_iter().flatten().collect())
    }

    /// Reads the merged segments that are in the plans, one list per entity.
    async fn read_months(
        &self,
        family: Family,
        plans: &[ReadPlan<'_>],
    ) -> Result<Vec<ReadSegments<Month>>, StoreError> {
        // Read by its key, a single item costs as much as read by a query, and one call reads those of many entities.
        let by_key: Vec<Option<(&EntityId, Month, SegmentRef)>> = self
            .entities
            .iter()
            .zip(plans)
            .map(|(counted, plan)| match plan.months() {
                [(month, segment)] if segment.parts == 1 && !counted.read_strongly => {
                    Some((&counted.entity.id, *month, *segment))
                }
                _ => None,
            })
            .collect();
        let single: Vec<_> = by_key.iter().copied().flatten().collect();
        let others = self.entities.iter().zip(plans).zip(&by_key);
        let others = others.map(|((counted, plan), by_key)| async move {
            let (id, strong) = (&counted.entity.id, counted.read_strongly);
            let months = if by_key.is_none() { plan.months() } else { &[] };
            self.store
                .month_segments(self.tenant, id, family, months, |_| true, strong)
                .await
        });
        let (single, mut read) = tokio::try_join!(
            self.store.month_segments_by_key(self.tenant, family, &single),
            try_join_bounded(others)
        )?;
        let mut single = single.into_iter();
        for (by_key, read) in by_key.iter().zip(&mut read) {
            let month = by_key.map(|(_, month, _)| month);
            read.extend(month.and_then(|month| Some((month, single.next()?))));
        }
        Ok(read)
    }

    /// Returns the segments of one family in the range, one list per entity.
    pub(crate) fn indexed(&self, family: Family) -> Result<Vec<IndexedSegments>, StoreError> {
        self.entities
            .iter()
            .map(|counted| counted.index.segments_of(family))
            .collect()
    }

    /// Returns the needed segments that are not in the cache, one list per entity.
    pub(crate) fn missing<F: CachedFacts>(
        &self,
        cache: &WorkspaceCache<F>,
        needed: &[NeededSegment],
    ) -> Vec<Vec<SegmentKey>> {
        let cached = self.cached(cache);
        let mut missing: Vec<Vec<SegmentKey>> = vec![Vec::new(); self.entities.len()];
        for needed in needed {
            let of_entity = missing.get_mut(needed.entity_index);
            if let (Some(cached), Some(of_entity)) = (cached.get(needed.entity_index), of_entity)
                && cached.is_none_or(|cached| !cached.contains_key(&needed.key))
            {
                of_entity.push(needed.key.clone());
            }
        }
        missing
    }

    /// Returns what the cache has of each entity.
    fn cached<'c, F: CachedFacts>(&self, cache: &'c WorkspaceCache<F>) -> Vec<Option<&'c EntitySegments<F>>> {
        let entities = self.entities.iter();
        entities
            .map(|counted| cache.of_entity(&counted.entity.id))
            .collect()
    }

    /// Returns the needed segments from the cache. Nothing is removed from the cache of a workspace, so it contains all of
    /// them once the missing ones are inserted.
    pub(crate) fn select<'c, F: CachedFacts>(
        &self,
        cache: &'c WorkspaceCache<F>,
        needed: &[NeededSegment],
    ) -> Result<Vec<CachedSegment<'c, F>>, ApiError>
    where
        'a: 'c,
    {
        let cached = self.cached(cache);
        let select = |needed: &NeededSegment| {
            let cached = cached.get(needed.entity_index).copied().flatten()?;
            Some(CachedSegment {
                check: needed.key.check,
                segment: cached.get(&needed.key)?,
                entity_index: needed.entity_index,
                selection: &self.entities.get(needed.entity_index)?.selection,
            })
        };
        let found: Option<Vec<_>> = needed.iter().map(select).collect();
        found.ok_or_else(|| ApiError::internal("a segment that was read is not in the cache"))
    }
}
