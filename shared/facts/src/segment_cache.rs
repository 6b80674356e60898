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
