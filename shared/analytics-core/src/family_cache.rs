//! The decoded segments of one family, by workspace, within a limit of memory.

use std::sync::{Arc, Mutex};

use domain::id::WorkspaceId;

use crate::cached_facts::CachedFacts;
use crate::workspace_cache::{WorkspaceCache, lock};

type SharedCache<F> = Arc<Mutex<WorkspaceCache<F>>>;

/// A workspace's cache, and its size when it was last used.
struct Entry<F> {
    workspace: WorkspaceId,
    cache: SharedCache<F>,
    bytes: usize,
}

/// The caches of all workspaces. The least recently used ones are evicted when they exceed `max_bytes` together.
pub(crate) struct FamilyCache<F> {
    max_bytes: usize,
    /// The entries of the workspaces, the least recently used one first.
    entries: Mutex<Vec<Entry<F>>>,
}

impl<F: CachedFacts> FamilyCache<F> {
    pub(crate) fn new(max_bytes: usize) -> Self {
        Self {
            max_bytes,
            entries: Mutex::default(),
        }
    }

    /// Returns the workspace's cache, or an empty one if there is none.
    pub(crate) fn workspace(&self, workspace: &WorkspaceId) -> SharedCache<F> {
        let cached = lock(&self.entries)
            .iter()
            .find_map(|entry| (entry.workspace == *workspace).then(|| entry.cache.clone()));
        cached.unwrap_or_default()
    }

    /// Keeps a workspace's cache after its use, and evicts the least recently used ones.
    pub(crate) fn keep(&self, workspace: &WorkspaceId, cache: &SharedCache<F>) {
        let bytes = lock(cache).bytes();
        let mut entries = lock(&self.entries);
        entries.retain(|entry| entry.workspace != *workspace);
        entries.push(Entry {
            workspace: workspace.clone(),
            cache: cache.clone(),
            bytes,
        });
        let mut total: usize = entries.iter().map(|entry| entry.bytes).sum();
        while total > self.max_bytes && !entries.is_empty() {
            total -= entries.remove(0).bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::facts::{Family, Revision};
    use domain::id::EntityId;
    use uuid::Uuid;

    use super::*;
    use crate::workspace_cache::SegmentKey;

    /// A segment of the given number of bytes.
    struct Block(usize);

    impl CachedFacts for Block {
        const FAMILY: Family = Family::Visibility;

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
        SegmentKey {
            check: domain::check_key::CheckKey {
                day: domain::time::Day(1),
                check: 1.into(),
            },
            revision: Revision::of(name.as_bytes()),
            bucket_view: String::new(),
        }
    }

    fn put(family: &FamilyCache<Block>, of: &WorkspaceId, name: &str, bytes: usize) {
        let cache = family.workspace(of);
        lock(&cache).insert(&entity(), std::iter::once((key(name), Block(bytes))));
        family.keep(of, &cache);
    }

    fn has(family: &FamilyCache<Block>, of: &WorkspaceId, name: &str) -> bool {
        let cache = family.workspace(of);
        let cache = lock(&cache);
        let segments = cache.of_entity(&entity());
        segments.is_some_and(|segments| segments.contains_key(&key(name)))
    }

    #[test]
    fn the_least_recently_used_workspace_is_evicted_when_the_family_exceeds_its_bytes() {
        let family = FamilyCache::new(10_000);
        let [a, b, c] = [1, 2, 3].map(workspace);
        put(&family, &a, "1", 4_000);
        put(&family, &b, "1", 4_000);
        assert!(has(&family, &a, "1") && has(&family, &b, "1"));
        // `a` is used again, so that `b` is the least recently used workspace.
        family.keep(&a, &family.workspace(&a));
        put(&family, &c, "1", 4_000);
        assert!(has(&family, &a, "1") && !has(&family, &b, "1") && has(&family, &c, "1"));
    }

    #[test]
    fn a_workspace_that_alone_exceeds_the_bytes_of_its_family_is_not_kept() {
        let family = FamilyCache::new(10_000);
        let a = workspace(1);
        put(&family, &a, "1", 6_000);
        put(&family, &a, "2", 6_000);
        assert!(!has(&family, &a, "1") && !has(&family, &a, "2"));
        put(&family, &a, "3", 6_000);
        assert!(has(&family, &a, "3"));
    }

    #[test]
    fn a_workspace_does_not_get_the_segments_of_another() {
        let family = FamilyCache::new(10_000);
        put(&family, &workspace(1), "1", 10);
        assert!(!has(&family, &workspace(2), "1"));
    }
}
