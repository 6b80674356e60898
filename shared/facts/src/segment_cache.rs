//! The segments that an instance keeps decoded. A segment never changes, so a cached one is never stale.

use std::sync::Arc;

use domain::check_key::CheckKey;
use domain::family::Family;
use domain::id::{EntityId, WorkspaceId};
use domain::number::to_u64;
use domain::revision::Revision;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::codec::{SegmentError, decode_segment};
use crate::families::{DecodedCitations, DecodedFanouts, Responses, Visibility};

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

/// A segment that was decoded once for all requests. Its texts have no ids, because each request counts them
/// anew.
#[derive(Debug, Clone)]
pub(crate) enum DecodedSegment {
    Visibility(Arc<Visibility>),
    Citations(Arc<DecodedCitations>),
    /// The columns, of which a request decodes those of some domains.
    Links(Arc<[u8]>),
    Fanouts(Arc<DecodedFanouts>),
    Responses(Arc<Responses>),
}

/// A segment with its size in memory.
#[derive(Debug, Clone)]
pub struct CachedSegment {
    pub(crate) decoded: DecodedSegment,
    bytes: u64,
}

impl CachedSegment {
    pub(crate) fn decode(family: Family, encoded: &[u8]) -> Result<Self, SegmentError> {
        let decoded = match family {
            Family::Visibility => DecodedSegment::Visibility(Arc::new(Visibility::decode(encoded)?)),
            Family::Citations => DecodedSegment::Citations(Arc::new(DecodedCitations::decode(encoded)?)),
            Family::Links => DecodedSegment::Links(decode_segment(family, encoded)?.into()),
            Family::Fanouts => DecodedSegment::Fanouts(Arc::new(DecodedFanouts::decode(encoded)?)),
            Family::Responses => DecodedSegment::Responses(Arc::new(Responses::decode(encoded)?)),
        };
        // How many times as many bytes a segment of 1,000 answers takes when it is decoded.
        let growth = match family {
            Family::Links => 2,
            Family::Citations | Family::Fanouts => 4,
            Family::Visibility | Family::Responses => 8,
        };
        Ok(Self {
            decoded,
            bytes: growth * to_u64(encoded.len()),
        })
    }
}

/// Weighs a segment by its bytes in memory.
#[derive(Debug, Clone)]
pub struct ByteWeight;

impl Weighter<SegmentKey, CachedSegment> for ByteWeight {
    fn weight(&self, _: &SegmentKey, segment: &CachedSegment) -> u64 {
        segment.bytes + to_u64(size_of::<SegmentKey>())
    }
}

/// The segments of all workspaces. Those that are used rarely are evicted when all of them exceed their
/// bytes.
pub type SegmentCache = Cache<SegmentKey, CachedSegment, ByteWeight>;

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

    /// A segment of this size in memory.
    fn segment(bytes: u64) -> CachedSegment {
        CachedSegment {
            decoded: DecodedSegment::Links(Arc::from([1])),
            bytes,
        }
    }

    #[test]
    fn a_segment_is_found_by_the_workspace_and_the_entity_that_it_belongs_to_alone() {
        let cache = segment_cache();
        cache.insert(key(&Arc::new((workspace(1), entity(1))), 0), segment(1));
        let is_found =
            |workspace, entity, bucket| cache.get(&key(&Arc::new((workspace, entity)), bucket)).is_some();
        assert!(is_found(workspace(1), entity(1), 0));
        assert!(!is_found(workspace(2), entity(1), 0));
        assert!(!is_found(workspace(1), entity(2), 0));
        assert!(!is_found(workspace(1), entity(1), 1));
    }

    #[test]
    fn the_cache_never_holds_more_than_its_maximum_size() {
        let entity = Arc::new((workspace(1), entity(1)));
        let cache = segment_cache();
        for bucket in 0..200 {
            cache.insert(key(&entity, bucket), segment(1 << 20));
            assert!(cache.weight() <= MAX_BYTES);
        }
        assert!(cache.weight() > MAX_BYTES / 2);
    }
}
