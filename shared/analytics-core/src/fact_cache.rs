//! The decoded segments that an instance keeps. A segment never changes, so a cached one is never stale.

use domain::facts::families::{Citations, Fanouts, Links, Responses, Visibility};

use crate::family_cache::FamilyCache;

/// The maximum size of the cache of visibility facts, in bytes.
const VISIBILITY_BYTES: usize = 16 << 20;
const CITATIONS_BYTES: usize = 48 << 20;
const LINKS_BYTES: usize = 16 << 20;
const FANOUTS_BYTES: usize = 128 << 20;
const RESPONSES_BYTES: usize = 48 << 20;

/// The caches of all families.
pub(crate) struct FactCache {
    pub(crate) visibility: FamilyCache<Visibility>,
    pub(crate) citations: FamilyCache<Citations>,
    pub(crate) links: FamilyCache<Links>,
    pub(crate) fanouts: FamilyCache<Fanouts>,
    pub(crate) responses: FamilyCache<Responses>,
}

impl Default for FactCache {
    fn default() -> Self {
        Self {
            visibility: FamilyCache::new(VISIBILITY_BYTES),
            citations: FamilyCache::new(CITATIONS_BYTES),
            links: FamilyCache::new(LINKS_BYTES),
            fanouts: FamilyCache::new(FANOUTS_BYTES),
            responses: FamilyCache::new(RESPONSES_BYTES),
        }
    }
}
