//! Queries of the facts in a scope. Segments that are not in the cache are read first.

use api::ApiError;
use domain::check_key::CheckKey;
use domain::facts::families::{Citations, Fanouts, Responses, Visibility};
use domain::facts::{Family, StringInterner};
use domain::group::row_domains;
use futures::future::try_join_all;
use store::StoreError;

use crate::cached_facts::{CachedFacts, DecodeSegment};
use crate::cached_segment::CachedSegment;
use crate::family_cache::FamilyCache;
use crate::needed_segment::{IndexedSegments, NeededSegment, needed_segments};
use crate::scope::Scope;
use crate::workspace_cache::{SegmentKey, WorkspaceCache, lock};

impl Scope<'_> {
    /// Queries the visibility facts.
    pub async fn query_visibility<R>(
        &self,
        aggregate: impl FnOnce(&[CachedSegment<'_, Visibility>]) -> R,
    ) -> Result<R, ApiError> {
        let aggregate = |_: &StringInterner, segments: &[CachedSegment<'_, Visibility>]| aggregate(segments);
        self.query(&self.cache.visibility, &[], aggregate).await
    }

    /// Queries the cited domains. The domains of the groups' rows have ids even if they are not cited.
    pub async fn query_citations<R>(
        &self,
        aggregate: impl FnOnce(&StringInterner, &[CachedSegment<'_, Citations>]) -> R,
    ) -> Result<R, ApiError> {
        self.query(&self.cache.citations, &row_domains(&self.groups), aggregate)
            .await
    }

    /// Queries the query fanouts.
    pub async fn query_fanouts<R>(
        &self,
        aggregate: impl FnOnce(&StringInterner, &[CachedSegment<'_, Fanouts>]) -> R,
    ) -> Result<R, ApiError> {
        self.query(&self.cache.fanouts, &[], aggregate).await
    }

    /// Queries the listed responses.
    pub async fn query_responses<R>(
        &self,
        aggregate: impl FnOnce(&[CachedSegment<'_, Responses>]) -> R,
    ) -> Result<R, ApiError> {
        let aggregate = |_: &StringInterner, segments: &[CachedSegment<'_, Responses>]| aggregate(segments);
        self.query(&self.cache.responses, &[], aggregate).await
    }

    async fn query<F: DecodeSegment, R>(
        &self,
        cache: &FamilyCache<F>,
        interned: &[&str],
        aggregate: impl FnOnce(&StringInterner, &[CachedSegment<'_, F>]) -> R,
    ) -> Result<R, ApiError> {
        let indexed = self.indexed(F::FAMILY)?;
        let needed = needed_segments(&indexed, |(check, segment)| {
            vec![SegmentKey {
                check: *check,
                revision: segment.rev,
                bucket_view: String::new(),
            }]
        });
        let cached = cache.workspace(self.tenant.workspace());
        let missing = self.missing(&lock(&cached), &needed);
        let reads = self.entities.iter().zip(&indexed).zip(&missing);
        let reads = reads.map(|((counted, indexed), missing)| async {
            let is_missing = |check: CheckKey| missing.binary_search_by_key(&check, |key| key.check).is_ok();
            let (id, strong) = (&counted.entity.id, counted.read_strongly);
            // What is between two ranges is not read.
            let reads = self.ranges.iter().map(|range| {
                let start = indexed.partition_point(|(check, _)| check.day < range.first);
                let end = indexed.partition_point(|(check, _)| check.day <= range.last);
                self.store.segments(
                    self.tenant,
                    id,
                    F::FAMILY,
                    &indexed[start..end],
                    is_missing,
                    strong,
                )
            });
            let read = try_join_all(reads).await?;
            Ok::<_, StoreError>(read.into_iter().flatten().collect::<Vec<_>>())
        });
        let read = try_join_all(reads).await?;
        let mut locked = lock(&cached);
        for text in interned {
            locked.texts.intern(text);
        }
        for ((counted, missing), read) in self.entities.iter().zip(missing).zip(read) {
            // Both are ordered by day and check.
            for (key, (_, encoded)) in missing.into_iter().zip(read) {
                let segment = F::decode(&encoded, &mut locked.texts).map_err(ApiError::internal)?;
                locked.insert(&counted.entity.id, key, segment);
            }
        }
        let result = aggregate(&locked.texts, &self.select(&locked, &needed)?);
        drop(locked);
        cache.keep(self.tenant.workspace(), &cached);
        Ok(result)
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
        let mut missing: Vec<Vec<SegmentKey>> = vec![Vec::new(); self.entities.len()];
        for needed in needed {
            let of_entity = missing.get_mut(needed.entity_index);
            if let (Some(counted), Some(of_entity)) = (self.entities.get(needed.entity_index), of_entity)
                && cache.get(&counted.entity.id, &needed.key).is_none()
            {
                of_entity.push(needed.key.clone());
            }
        }
        missing
    }

    /// Returns the needed segments from the cache. Nothing is removed from the cache of a workspace, so it contains all of
    /// them once the missing ones are inserted.
    pub(crate) fn select<'c, F: CachedFacts>(
        &'c self,
        cache: &'c WorkspaceCache<F>,
        needed: &[NeededSegment],
    ) -> Result<Vec<CachedSegment<'c, F>>, ApiError> {
        let select = |needed: &NeededSegment| {
            let counted = self.entities.get(needed.entity_index)?;
            Some(CachedSegment {
                check: needed.key.check,
                segment: cache.get(&counted.entity.id, &needed.key)?,
                entity_index: needed.entity_index,
                selection: &counted.selection,
            })
        };
        let found: Option<Vec<_>> = needed.iter().map(select).collect();
        found.ok_or_else(|| ApiError::internal("a segment that was read is not in the cache"))
    }
}
