//! The decoded segments that an instance keeps: a segment never changes, so what was read once need not be read again.

use api::ApiError;
use domain::facts::families::Citations;
use domain::facts::families::Fanouts;
use domain::facts::families::Responses;
use domain::facts::families::Visibility;
use domain::facts::families::{Links, bucket_of};
use domain::facts::{Family, Selection, StringInterner};
use domain::time::Day;
use futures::future::try_join_all;
use store::{SegmentRef, Slot, Store, StoreError, Tenant};

use crate::scope::CountedEntity;
use crate::shelf::{DecodedSegment, FamilyCache, SegmentKey, WorkspaceCache, lock};

/// What each family may take of an instance's memory, in bytes.
const VISIBILITY_BYTES: usize = 16 << 20;
const CITATIONS_BYTES: usize = 48 << 20;
const LINKS_BYTES: usize = 16 << 20;
const FANOUTS_BYTES: usize = 128 << 20;
const RESPONSES_BYTES: usize = 48 << 20;

/// The segments kept by family.
pub struct FactCache {
    visibility: FamilyCache<Visibility>,
    citations: FamilyCache<Citations>,
    links: FamilyCache<Links>,
    fanouts: FamilyCache<Fanouts>,
    responses: FamilyCache<Responses>,
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

/// A decoded segment of a tracking.
pub struct CachedSegment<'a, F> {
    pub day: Day,
    pub check: u32,
    pub segment: &'a F,
    /// The tracking's place among those asked for.
    pub place: usize,
    /// Which of its responses count.
    pub selection: &'a Selection,
}

/// What is to be on a shelf, and the place of the tracking that it is of.
struct Wanted {
    key: SegmentKey,
    place: usize,
}

/// A tracking's segments of one family, as the index names them.
type Named = Vec<(Slot, SegmentRef)>;

impl FactCache {
    /// Asks the visibility facts of some trackings.
    pub async fn visibility<R>(
        &self,
        (store, tenant): (&Store, &Tenant),
        trackings: &[CountedEntity],
        question: impl FnOnce(&[CachedSegment<'_, Visibility>]) -> R,
    ) -> Result<R, ApiError> {
        ask(&self.visibility, store, tenant, trackings, &[], |_, held| {
            question(held)
        })
        .await
    }

    /// Asks the cited domains of some trackings. Those in `named` have numbers even where they are not cited.
    pub async fn citations<R>(
        &self,
        (store, tenant): (&Store, &Tenant),
        trackings: &[CountedEntity],
        named: &[&str],
        question: impl FnOnce(&StringInterner, &[CachedSegment<'_, Citations>]) -> R,
    ) -> Result<R, ApiError> {
        ask(&self.citations, store, tenant, trackings, named, question).await
    }

    /// Asks the web searches of some trackings.
    pub async fn fanouts<R>(
        &self,
        (store, tenant): (&Store, &Tenant),
        trackings: &[CountedEntity],
        question: impl FnOnce(&StringInterner, &[CachedSegment<'_, Fanouts>]) -> R,
    ) -> Result<R, ApiError> {
        ask(&self.fanouts, store, tenant, trackings, &[], question).await
    }

    /// Asks the listed responses of some trackings.
    pub async fn responses<R>(
        &self,
        (store, tenant): (&Store, &Tenant),
        trackings: &[CountedEntity],
        question: impl FnOnce(&[CachedSegment<'_, Responses>]) -> R,
    ) -> Result<R, ApiError> {
        ask(&self.responses, store, tenant, trackings, &[], |_, held| {
            question(held)
        })
        .await
    }

    /// Asks the cited URLs of some domains: only the buckets that they lie in are read, only their URLs decoded.
    pub async fn links<R>(
        &self,
        (store, tenant): (&Store, &Tenant),
        trackings: &[CountedEntity],
        domains: &[&str],
        question: impl FnOnce(&StringInterner, &[CachedSegment<'_, Links>]) -> R,
    ) -> Result<R, ApiError> {
        let buckets = |count: usize| {
            let mut buckets: Vec<usize> = domains.iter().map(|domain| bucket_of(domain, count)).collect();
            buckets.sort_unstable();
            buckets.dedup();
            buckets
        };
        let what = |bucket: usize| format!("{bucket} {}", domains.join(" "));
        let named = named_in(trackings, Links::FAMILY)?;
        let wanted = each(&named, |(slot, segment)| {
            let key = |bucket| (*slot, segment.rev, what(bucket));
            buckets(segment.parts).into_iter().map(key).collect()
        });
        let shelf = self.links.of(tenant.workspace());
        let lacks = lacking(&lock(&shelf), &wanted, trackings);
        let reads = trackings.iter().zip(&named).zip(&lacks);
        let reads = reads.map(|((tracking, named), lacks)| async {
            let is_lacking = |slot: Slot, bucket: usize| {
                lacks
                    .iter()
                    .any(|(of, _, part)| *of == slot && *part == what(bucket))
            };
            let of_check = |slot: Slot, count: usize| -> Vec<usize> {
                let mut wanted = buckets(count);
                wanted.retain(|bucket| is_lacking(slot, *bucket));
                wanted
            };
            let (entity, strong) = (&tracking.entity.id, tracking.behind);
            store.link_buckets(tenant, entity, named, of_check, strong).await
        });
        let read = try_join_all(reads).await?;
        let mut shelf_now = lock(&shelf);
        for ((tracking, lacks), read) in trackings.iter().zip(lacks).zip(read) {
            // Both by day, check and bucket.
            for (key, (_, sealed)) in lacks.into_iter().zip(read) {
                let segment = Links::decode(&sealed, domains, &mut shelf_now.texts);
                shelf_now.put(&tracking.entity.id, key, segment.map_err(ApiError::internal)?);
            }
        }
        let answer = question(&shelf_now.texts, &held(&shelf_now, &wanted, trackings)?);
        drop(shelf_now);
        self.links.keep(tenant.workspace(), &shelf);
        Ok(answer)
    }
}

/// Reads what the shelf lacks, and asks.
async fn ask<F: DecodedSegment, R>(
    shelves: &FamilyCache<F>,
    store: &Store,
    tenant: &Tenant,
    trackings: &[CountedEntity],
    named: &[&str],
    question: impl FnOnce(&StringInterner, &[CachedSegment<'_, F>]) -> R,
) -> Result<R, ApiError> {
    let segments = named_in(trackings, F::FAMILY)?;
    let wanted = each(&segments, |(slot, segment)| {
        vec![(*slot, segment.rev, String::new())]
    });
    let shelf = shelves.of(tenant.workspace());
    let lacks = lacking(&lock(&shelf), &wanted, trackings);
    let reads = trackings.iter().zip(&segments).zip(&lacks);
    let reads = reads.map(|((tracking, segments), lacks)| async {
        let is_lacking = |slot: Slot| lacks.binary_search_by_key(&slot, |lack| lack.0).is_ok();
        let (entity, strong) = (&tracking.entity.id, tracking.behind);
        store
            .segments(tenant, entity, F::FAMILY, segments, is_lacking, strong)
            .await
    });
    let read = try_join_all(reads).await?;
    let mut shelf_now = lock(&shelf);
    for named in named {
        shelf_now.texts.intern(named);
    }
    for ((tracking, lacks), read) in trackings.iter().zip(lacks).zip(read) {
        // Both by day and check.
        for (key, (_, sealed)) in lacks.into_iter().zip(read) {
            let segment = F::decode(&sealed, &mut shelf_now.texts).map_err(ApiError::internal)?;
            shelf_now.put(&tracking.entity.id, key, segment);
        }
    }
    let answer = question(&shelf_now.texts, &held(&shelf_now, &wanted, trackings)?);
    drop(shelf_now);
    shelves.keep(tenant.workspace(), &shelf);
    Ok(answer)
}

/// The segments of one family that each tracking has in the range.
fn named_in(trackings: &[CountedEntity], family: Family) -> Result<Vec<Named>, StoreError> {
    trackings
        .iter()
        .map(|tracking| tracking.index.of(family))
        .collect()
}

/// The keys of what is to be on the shelf, by tracking.
fn each(named: &[Named], keys: impl Fn(&(Slot, SegmentRef)) -> Vec<SegmentKey>) -> Vec<Wanted> {
    let of_tracking = |(place, named): (usize, &Named)| -> Vec<Wanted> {
        let keys = named.iter().flat_map(&keys);
        keys.map(|key| Wanted { key, place }).collect()
    };
    named.iter().enumerate().flat_map(of_tracking).collect()
}

/// What the shelf lacks, by tracking.
fn lacking<F: DecodedSegment>(
    shelf: &WorkspaceCache<F>,
    wanted: &[Wanted],
    trackings: &[CountedEntity],
) -> Vec<Vec<SegmentKey>> {
    let mut lacks: Vec<Vec<SegmentKey>> = vec![Vec::new(); trackings.len()];
    for wanted in wanted {
        let (tracking, lacks) = (trackings.get(wanted.place), lacks.get_mut(wanted.place));
        if let (Some(tracking), Some(lacks)) = (tracking, lacks)
            && shelf.get(&tracking.entity.id, &wanted.key).is_none()
        {
            lacks.push(wanted.key.clone());
        }
    }
    lacks
}

/// The wanted segments. Nothing is taken from a shelf, so that what was put there is there.
fn held<'a, F: DecodedSegment>(
    shelf: &'a WorkspaceCache<F>,
    wanted: &[Wanted],
    trackings: &'a [CountedEntity],
) -> Result<Vec<CachedSegment<'a, F>>, ApiError> {
    let held = |wanted: &Wanted| {
        let tracking = trackings.get(wanted.place)?;
        let (day, check) = wanted.key.0;
        Some(CachedSegment {
            day,
            check,
            segment: shelf.get(&tracking.entity.id, &wanted.key)?,
            place: wanted.place,
            selection: &tracking.selection,
        })
    };
    let found: Option<Vec<_>> = wanted.iter().map(held).collect();
    found.ok_or_else(|| ApiError::internal("a segment was read and is not there"))
}
