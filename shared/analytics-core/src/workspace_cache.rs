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

/// The decoded segments of an entity.
pub(crate) type EntitySegments<F> = HashMap<SegmentKey, F>;

/// Decoded segments that share one table of texts.
#[derive(Debug)]
pub(crate) struct WorkspaceCache<F> {
    pub(crate) texts: StringInterner,
    segments: HashMap<EntityId, EntitySegments<F>>,
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
    /// Adds segments of an entity. A segment replaces that of the same key.
    pub(crate) fn insert(&mut self, entity: &EntityId, segments: impl Iterator<Item = (SegmentKey, F)>) {
        let of_entity = self.segments.entry_ref(entity).or_default();
        of_entity.reserve(segments.size_hint().1.unwrap_or_default());
        for (key, segment) in segments {
            self.bytes += segment.bytes() + key.bucket_view.len() + size_of::<SegmentKey>();
            of_entity.insert(key, segment);
        }
    }

    /// Returns the segments of an entity, or `None` if it has none.
    pub(crate) fn of_entity(&self, entity: &EntityId) -> Option<&EntitySegments<F>> {
        self.segments.get(entity)
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
