//! The segments that an instance keeps, as they are stored. A segment never changes, so a cached one is never
//! stale.

use std::sync::Arc;

use domain::check_key::CheckKey;
use domain::family::Family;
use domain::id::{EntityId, WorkspaceId};
use domain::number::to_u64;
use domain::revision::Revision;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

/// The maximum size of the cache, in bytes.
const MAX_BYTES: u64 = 64 << 20;
/// The number of segments that the cache has space for at first. It grows.
const EXPECTED_SEGMENTS: usize = 1_000;

/// The key of a segment. A segment of links is cached by bucket, and the bucket of others is 0.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SegmentKey {
    pub(crate) entity: Arc<(WorkspaceId, EntityId)>,
    pub(crate) family: Family,
    pub(crate) check: CheckKey,
    pub(crate) revision: Revision,
    pub(crate) bucket: usize,
}

/// Weighs a segment by its bytes in memory.
#[derive(Debug, Clone)]
pub struct ByteWeight;

impl Weighter<SegmentKey, Arc<[u8]>> for ByteWeight {
    fn weight(&self, _: &SegmentKey, encoded: &Arc<[u8]>) -> u64 {
        to_u64(encoded.len() + size_of::<SegmentKey>())
    }
}

/// The segments of all workspaces. Those that are used rarely are evicted when all of them exceed their
/// bytes.
pub type SegmentCache = Cache<SegmentKey, Arc<[u8]>, ByteWeight>;

/// Creates an empty cache.
pub fn segment_cache() -> SegmentCache {
    Cache::with_weighter(EXPECTED_SEGMENTS, MAX_BYTES, ByteWeight)
}

#[cfg(test)]
mod tests {
    use domain::time::Timestamp;
    use uuid::Uuid;

    use super::*;

    fn workspace(number: u128) -> WorkspaceId {
        WorkspaceId::from_random(Uuid::from_u128(number))
    }

    fn entity(number: u128) -> EntityId {
        EntityId::from_random(Uuid::from_u128(number))
    }

    fn key(entity: &Arc<(WorkspaceId, EntityId)>, bucket: usize) -> SegmentKey {
        SegmentKey {
            entity: entity.clone(),
            family: Family::Links,
            check: CheckKey {
                day: Timestamp::from_millis(0).day(),
                check: 1.into(),
            },
            revision: Revision::of(b"the same content"),
            bucket,
        }
    }

    #[test]
    fn a_segment_is_found_by_the_workspace_and_the_entity_that_it_belongs_to_alone() {
        let cache = segment_cache();
        cache.insert(key(&Arc::new((workspace(1), entity(1))), 0), Arc::from([1]));
        let found = |workspace, entity, bucket| cache.get(&key(&Arc::new((workspace, entity)), bucket));
        assert_eq!(found(workspace(1), entity(1), 0).as_deref(), Some(&[1][..]));
        assert!(found(workspace(2), entity(1), 0).is_none());
        assert!(found(workspace(1), entity(2), 0).is_none());
        assert!(found(workspace(1), entity(1), 1).is_none());
    }

    #[test]
    fn the_cache_never_holds_more_than_its_maximum_size() {
        let entity = Arc::new((workspace(1), entity(1)));
        let cache = segment_cache();
        for bucket in 0..200 {
            cache.insert(key(&entity, bucket), Arc::from(vec![0; 1 << 20]));
            assert!(cache.weight() <= MAX_BYTES);
        }
        assert!(cache.weight() > MAX_BYTES / 2);
    }
}
