//! The decoded segments of one workspace and family.

use std::sync::{Mutex, MutexGuard, PoisonError};

use domain::check_key::CheckKey;
use domain::facts::{Revision, StringInterner};
use domain::id::EntityId;
use hashbrown::HashMap;

use crate::cached_facts::CachedFacts;

/// The key of a decoded segment of an entity.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct SegmentKey {
    pub(crate) check: CheckKey,
    pub(crate) revision: Revision,
    /// For links: the bucket and the domains whose URLs were decoded; empty for other families.
    pub(crate) bucket_view: String,
}

/// Decoded segments that share one table of texts.
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

impl<F: CachedFacts> WorkspaceCache<F> {
    pub(crate) fn insert(&mut self, entity: &EntityId, key: SegmentKey, segment: F) {
        self.bytes += segment.bytes() + key.bucket_view.len() + size_of::<SegmentKey>();
        self.segments.entry_ref(entity).or_default().insert(key, segment);
    }

    pub(crate) fn get(&self, entity: &EntityId, key: &SegmentKey) -> Option<&F> {
        self.segments.get(entity)?.get(key)
    }

    /// Returns the approximate memory of the segments and their texts, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes + self.texts.bytes()
    }
}

/// Locks a mutex. A poisoned mutex stays in use, because no operation leaves a cache half-changed.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
