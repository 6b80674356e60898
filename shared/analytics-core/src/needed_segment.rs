//! The segments that a query needs.

use domain::check_key::CheckKey;
use store::SegmentRef;

use crate::workspace_cache::SegmentKey;

/// The segments of one family in the range that the index of an entity names.
pub(crate) type IndexedSegments = Vec<(CheckKey, SegmentRef)>;

/// A segment that a query needs, and the index of its entity in the scope.
pub(crate) struct NeededSegment {
    pub(crate) key: SegmentKey,
    pub(crate) entity_index: usize,
}

/// Lists the needed segments in the order of `indexed`, which has one list per entity. `keys` returns the keys of
/// a segment: one, or for links one per needed bucket.
pub(crate) fn needed_segments<K: IntoIterator<Item = SegmentKey>>(
    indexed: &[IndexedSegments],
    keys: impl Fn(&(CheckKey, SegmentRef)) -> K,
) -> Vec<NeededSegment> {
    let mut needed = Vec::with_capacity(indexed.iter().map(Vec::len).sum());
    for (entity_index, segments) in indexed.iter().enumerate() {
        let keys = segments.iter().flat_map(&keys);
        needed.extend(keys.map(|key| NeededSegment { key, entity_index }));
    }
    needed
}
