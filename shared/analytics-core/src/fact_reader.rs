//! Reads and caches the facts of entities.

use api::ApiError;
use domain::check_key::CheckKey;
use domain::facts::{Family, StringInterner};
use domain::period::DateRange;
use futures::future::try_join_all;
use store::{SegmentRef, Store, StoreError, Tenant};

use crate::bounded_join::try_join_bounded;
use crate::cached_facts::{CachedFacts, DecodeSegment};
use crate::cached_segment::CachedSegment;
use crate::counted_entity::CountedEntity;
use crate::family_cache::FamilyCache;
use crate::needed_segment::{IndexedSegments, NeededSegment, needed_segments};
use crate::workspace_cache::{EntitySegments, SegmentKey, WorkspaceCache, lock};

/// The entities and days whose facts are read.
pub(crate) struct FactReader<'a> {
    pub(crate) store: &'a Store,
    pub(crate) tenant: &'a Tenant,
    /// The ranges of days that are read, ascending.
    pub(crate) ranges: &'a [DateRange],
    pub(crate) entities: &'a [CountedEntity],
}

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
        let reads = self.entities.iter().zip(&indexed).zip(&missing);
        let reads =
            reads.map(|((counted, indexed), missing)| self.read_checks(counted, F::FAMILY, indexed, missing));
        let read = try_join_bounded(reads).await?;
        let mut locked = lock(&cached);
        for text in interned {
            locked.texts.intern(text);
        }
        for ((counted, missing), read) in self.entities.iter().zip(&missing).zip(read) {
            let mut decoded = Vec::with_capacity(missing.len());
            for (check, encoded) in read {
                let segment = F::decode(&encoded, &mut locked.texts).map_err(ApiError::internal)?;
                decoded.extend(missing_key(missing, check).map(|key| (key.clone(), segment)));
            }
            locked.insert(&counted.entity.id, decoded.into_iter());
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
        let sizes = missing.iter().zip(&indexed).map(|(missing, indexed)| {
            let unread = indexed
                .iter()
                .filter(|(check, _)| missing_key(missing, *check).is_some());
            unread.map(|(_, segment)| segment.kb).sum::<usize>()
        });
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

    /// Reads the missing segments of an entity's checks.
    async fn read_checks(
        &self,
        counted: &CountedEntity,
        family: Family,
        indexed: &[(CheckKey, SegmentRef)],
        missing: &[SegmentKey],
    ) -> Result<Vec<(CheckKey, Vec<u8>)>, StoreError> {
        let (id, strong) = (&counted.entity.id, counted.read_strongly);
        // What is between two ranges is not read.
        let of_ranges = self.ranges.iter().map(|range| {
            let start = indexed.partition_point(|(check, _)| check.day < range.first);
            let end = indexed.partition_point(|(check, _)| check.day <= range.last);
            let is_read = |check| missing_key(missing, check).is_some();
            self.store
                .segments(self.tenant, id, family, &indexed[start..end], is_read, strong)
        });
        Ok(try_join_all(of_ranges).await?.into_iter().flatten().collect())
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

/// Returns the key of a check's segment in a list of missing ones, which is ascending.
fn missing_key(missing: &[SegmentKey], check: CheckKey) -> Option<&SegmentKey> {
    let index = missing.binary_search_by_key(&check, |key| key.check).ok()?;
    missing.get(index)
}
