//! Decoded segments of one family, a shelf for each workspace, bounded in bytes.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use domain::facts::families::Citations;
use domain::facts::families::Fanouts;
use domain::facts::families::Links;
use domain::facts::families::Responses;
use domain::facts::families::Visibility;
use domain::facts::{Family, Revision, SegmentError, StringInterner};
use domain::id::{EntityId, WorkspaceId};
use hashbrown::HashMap;
use store::Slot;

/// A family's decoded segment.
pub trait DecodedSegment: Sized + Send + 'static {
    const FAMILY: Family;

    /// Its texts are numbered in `texts`.
    fn decode(sealed: &[u8], texts: &mut StringInterner) -> Result<Self, SegmentError>;

    /// Bytes of memory, about.
    fn bytes(&self) -> usize;
}

/// What names a segment of an entity for ever: its check, its content's hash, and which part of it was decoded.
pub(crate) type SegmentKey = (Slot, Revision, String);

/// Segments of one workspace, their texts numbered together.
#[derive(Debug)]
pub(crate) struct WorkspaceCache<F> {
    pub(crate) texts: StringInterner,
    segments: HashMap<EntityId, HashMap<SegmentKey, F>>,
    bytes: usize,
}

impl<F> Default for WorkspaceCache<F> {
    fn default() -> Self {
        Self {
            texts: StringInterner::default(),
            segments: HashMap::new(),
            bytes: 0,
        }
    }
}

impl<F: DecodedSegment> WorkspaceCache<F> {
    pub(crate) fn put(&mut self, entity: &EntityId, key: SegmentKey, segment: F) {
        self.bytes += segment.bytes() + key.2.len() + size_of::<SegmentKey>();
        self.segments.entry_ref(entity).or_default().insert(key, segment);
    }

    pub(crate) fn get(&self, entity: &EntityId, key: &SegmentKey) -> Option<&F> {
        self.segments.get(entity)?.get(key)
    }

    fn bytes(&self) -> usize {
        self.bytes + self.texts.bytes()
    }
}

type Shared<F> = Arc<Mutex<WorkspaceCache<F>>>;

/// The shelves, the one longest unused first.
pub(crate) struct FamilyCache<F> {
    most_bytes: usize,
    shelves: Mutex<Vec<(WorkspaceId, Shared<F>, usize)>>,
}

impl<F: DecodedSegment> FamilyCache<F> {
    pub(crate) fn new(most_bytes: usize) -> Self {
        Self {
            most_bytes,
            shelves: Mutex::default(),
        }
    }

    /// The workspace's shelf, a new one if it has none.
    pub(crate) fn of(&self, workspace: &WorkspaceId) -> Shared<F> {
        let known = lock(&self.shelves)
            .iter()
            .find_map(|(of, shelf, _)| (of == workspace).then(|| shelf.clone()));
        known.unwrap_or_default()
    }

    /// Keeps a shelf after its use. Those that are longest unused go where all of them are too many bytes.
    pub(crate) fn keep(&self, workspace: &WorkspaceId, shelf: &Shared<F>) {
        let bytes = lock(shelf).bytes();
        let mut shelves = lock(&self.shelves);
        shelves.retain(|(of, _, _)| of != workspace);
        shelves.push((workspace.clone(), shelf.clone(), bytes));
        let mut total: usize = shelves.iter().map(|(_, _, bytes)| bytes).sum();
        while total > self.most_bytes && !shelves.is_empty() {
            total -= shelves.remove(0).2;
        }
    }
}

/// A panic while it was held is no reason to stop: what is on a shelf is whole.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl DecodedSegment for Visibility {
    const FAMILY: Family = Family::Visibility;

    fn decode(sealed: &[u8], _: &mut StringInterner) -> Result<Self, SegmentError> {
        Self::decode(sealed)
    }

    fn bytes(&self) -> usize {
        self.bytes()
    }
}

impl DecodedSegment for Citations {
    const FAMILY: Family = Family::Citations;

    fn decode(sealed: &[u8], texts: &mut StringInterner) -> Result<Self, SegmentError> {
        Self::decode(sealed, texts)
    }

    fn bytes(&self) -> usize {
        self.bytes()
    }
}

/// Links are decoded for some domains alone, by [`FactCache::links`](crate::cache::FactCache).
impl DecodedSegment for Links {
    const FAMILY: Family = Family::Links;

    fn decode(sealed: &[u8], texts: &mut StringInterner) -> Result<Self, SegmentError> {
        Self::decode(sealed, &[], texts)
    }

    fn bytes(&self) -> usize {
        self.bytes()
    }
}

impl DecodedSegment for Fanouts {
    const FAMILY: Family = Family::Fanouts;

    fn decode(sealed: &[u8], texts: &mut StringInterner) -> Result<Self, SegmentError> {
        Self::decode(sealed, texts)
    }

    fn bytes(&self) -> usize {
        self.bytes()
    }
}

impl DecodedSegment for Responses {
    const FAMILY: Family = Family::Responses;

    fn decode(sealed: &[u8], _: &mut StringInterner) -> Result<Self, SegmentError> {
        Self::decode(sealed)
    }

    fn bytes(&self) -> usize {
        self.bytes()
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    /// A segment of so many bytes.
    struct Block(usize);

    impl DecodedSegment for Block {
        const FAMILY: Family = Family::Visibility;

        fn decode(sealed: &[u8], _: &mut StringInterner) -> Result<Self, SegmentError> {
            Ok(Self(sealed.len()))
        }

        fn bytes(&self) -> usize {
            self.0
        }
    }

    fn workspace(n: u128) -> WorkspaceId {
        WorkspaceId::from_random(Uuid::from_u128(n))
    }

    fn entity() -> EntityId {
        EntityId::from_random(Uuid::from_u128(1))
    }

    fn key(name: &str) -> SegmentKey {
        let slot = (domain::time::Day(1), 1);
        (slot, Revision::of(name.as_bytes()), String::new())
    }

    fn put(shelves: &FamilyCache<Block>, of: &WorkspaceId, name: &str, bytes: usize) {
        let shelf = shelves.of(of);
        lock(&shelf).put(&entity(), key(name), Block(bytes));
        shelves.keep(of, &shelf);
    }

    fn has(shelves: &FamilyCache<Block>, of: &WorkspaceId, name: &str) -> bool {
        lock(&shelves.of(of)).get(&entity(), &key(name)).is_some()
    }

    #[test]
    fn shelves_longest_unused_go_when_all_of_them_are_too_many_bytes() {
        let shelves = FamilyCache::new(10_000);
        let [a, b, c] = [1, 2, 3].map(workspace);
        put(&shelves, &a, "1", 4_000);
        put(&shelves, &b, "1", 4_000);
        assert!(has(&shelves, &a, "1") && has(&shelves, &b, "1"));
        // Used again: b is the longest unused one now.
        shelves.keep(&a, &shelves.of(&a));
        put(&shelves, &c, "1", 4_000);
        assert!(has(&shelves, &a, "1") && !has(&shelves, &b, "1") && has(&shelves, &c, "1"));
    }

    #[test]
    fn a_shelf_that_alone_is_too_many_bytes_is_not_kept() {
        let shelves = FamilyCache::new(10_000);
        let a = workspace(1);
        put(&shelves, &a, "1", 6_000);
        put(&shelves, &a, "2", 6_000);
        assert!(!has(&shelves, &a, "1") && !has(&shelves, &a, "2"));
        put(&shelves, &a, "3", 6_000);
        assert!(has(&shelves, &a, "3"));
    }

    #[test]
    fn one_workspaces_segments_are_not_on_anothers_shelf() {
        let shelves = FamilyCache::new(10_000);
        put(&shelves, &workspace(1), "1", 10);
        assert!(!has(&shelves, &workspace(2), "1"));
    }
}
