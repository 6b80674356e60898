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
pub(crate) fn needed_segments(
    indexed: &[IndexedSegments],
    keys: impl Fn(&(CheckKey, SegmentRef)) -> Vec<SegmentKey>,
) -> Vec<NeededSegment> {
    let of_entity = |(entity_index, segments): (usize, &IndexedSegments)| -> Vec<NeededSegment> {
        let keys = segments.iter().flat_map(&keys);
        keys.map(|key| NeededSegment { key, entity_index }).collect()
    };
    indexed.iter().enumerate().flat_map(of_entity).collect()
}
