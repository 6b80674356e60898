//! The decoded segments that an instance keeps: a segment never changes, so what was read once need not be read again.

use api::ApiError;
use domain::facts::citations::Citations;
use domain::facts::fanouts::Fanouts;
use domain::facts::links::{Links, bucket_of};
use domain::facts::responses::Responses;
use domain::facts::visibility::Visibility;
use domain::facts::{Selection, Texts};
use domain::time::Day;
use futures::future::try_join_all;
use store::{Slot, Store, Tenant};

use crate::scope::Tracking;
use crate::shelf::{Facts, SegmentKey, Shelf, Shelves, lock};

/// What each family may take of an instance's memory, in bytes.
const VISIBILITY_BYTES: usize = 16 << 20;
const CITATIONS_BYTES: usize = 48 << 20;
const LINKS_BYTES: usize = 16 << 20;
const FANOUTS_BYTES: usize = 128 << 20;
const RESPONSES_BYTES: usize = 48 << 20;

/// The segments kept by family.
pub struct FactCache {
    visibility: Shelves<Visibility>,
    citations: Shelves<Citations>,
    links: Shelves<Links>,
    fanouts: Shelves<Fanouts>,
    responses: Shelves<Responses>,
}

impl Default for FactCache {
    fn default() -> Self {
        Self {
            visibility: Shelves::new(VISIBILITY_BYTES),
            citations: Shelves::new(CITATIONS_BYTES),
            links: Shelves::new(LINKS_BYTES),
            fanouts: Shelves::new(FANOUTS_BYTES),
            responses: Shelves::new(RESPONSES_BYTES),
        }
    }
}

/// A decoded segment of a tracking.
pub struct Held<'a, F> {
    pub day: Day,
    pub check: u32,
    pub segment: &'a F,
    /// The tracking's place among those asked for.
    pub place: usize,
    /// Which of its responses count.
    pub selection: &'a Selection,
}

/// What is to be on a shelf: its key, whose it is, and which check's.
struct Wanted {
    key: SegmentKey,
    place: usize,
    slot: Slot,
}

impl FactCache {
    /// Asks the visibility facts of some trackings.
    pub async fn visibility<R>(
        &self,
        (store, tenant): (&Store, &Tenant),
        trackings: &[Tracking],
        question: impl FnOnce(&[Held<'_, Visibility>]) -> R,
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
        trackings: &[Tracking],
        named: &[&str],
        question: impl FnOnce(&Texts, &[Held<'_, Citations>]) -> R,
    ) -> Result<R, ApiError> {
        ask(&self.citations, store, tenant, trackings, named, question).await
    }

    /// Asks the web searches of some trackings.
    pub async fn fanouts<R>(
        &self,
        (store, tenant): (&Store, &Tenant),
        trackings: &[Tracking],
        question: impl FnOnce(&Texts, &[Held<'_, Fanouts>]) -> R,
    ) -> Result<R, ApiError> {
        ask(&self.fanouts, store, tenant, trackings, &[], question).await
    }

    /// Asks the listed responses of some trackings.
    pub async fn responses<R>(
        &self,
        (store, tenant): (&Store, &Tenant),
        trackings: &[Tracking],
        question: impl FnOnce(&[Held<'_, Responses>]) -> R,
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
        trackings: &[Tracking],
        domains: &[&str],
        question: impl FnOnce(&Texts, &[Held<'_, Links>]) -> R,
    ) -> Result<R, ApiError> {
        let buckets = |count: usize| {
            let mut buckets: Vec<usize> = domains.iter().map(|domain| bucket_of(domain, count)).collect();
            buckets.sort_unstable();
            buckets.dedup();
            buckets
        };
        let what = |bucket: usize| format!("{bucket} {}", domains.join(" "));
        let wanted = |tracking: &Tracking, place: usize| -> Vec<Wanted> {
            let id = &tracking.entity.id;
            let named = tracking.index.of(Links::FAMILY);
            named
                .flat_map(|(slot, segment)| {
                    buckets(segment.parts).into_iter().map(move |bucket| Wanted {
                        key: (id.clone(), slot, segment.rev.clone(), what(bucket)),
                        place,
                        slot,
                    })
                })
                .collect()
        };
        let wanted: Vec<Wanted> = each(trackings, wanted);
        let shelf = self.links.of(tenant.workspace());
        let lacks = lacking(&lock(&shelf), &wanted, trackings.len());
        let reads = trackings.iter().zip(&lacks).map(|(tracking, lacks)| async {
            let is_lacking = |slot: Slot, bucket: usize| {
                lacks
                    .iter()
                    .any(|lack| lack.slot == slot && lack.key.3 == what(bucket))
            };
            let of_check = |slot: Slot, count: usize| -> Vec<usize> {
                let mut wanted = buckets(count);
                wanted.retain(|bucket| is_lacking(slot, *bucket));
                wanted
            };
            let (index, strong) = (&tracking.index, tracking.behind);
            store
                .link_buckets(tenant, &tracking.entity.id, index, of_check, strong)
                .await
        });
        let read = try_join_all(reads).await?;
        let mut shelf_now = lock(&shelf);
        for (lacks, read) in lacks.iter().zip(read) {
            // Both by day, check and bucket.
            for (lack, (_, sealed)) in lacks.iter().zip(read) {
                let segment = Links::decode(&sealed, domains, &mut shelf_now.texts);
                shelf_now.put(lack.key.clone(), segment.map_err(ApiError::internal)?);
            }
        }
        let answer = question(&shelf_now.texts, &held(&shelf_now, &wanted, trackings)?);
        drop(shelf_now);
        self.links.keep(tenant.workspace(), &shelf);
        Ok(answer)
    }
}

/// Reads what the shelf lacks, and asks.
async fn ask<F: Facts, R>(
    shelves: &Shelves<F>,
    store: &Store,
    tenant: &Tenant,
    trackings: &[Tracking],
    named: &[&str],
    question: impl FnOnce(&Texts, &[Held<'_, F>]) -> R,
) -> Result<R, ApiError> {
    let wanted = |tracking: &Tracking, place: usize| -> Vec<Wanted> {
        let named = tracking.index.of(F::FAMILY);
        named
            .map(|(slot, segment)| Wanted {
                key: (
                    tracking.entity.id.clone(),
                    slot,
                    segment.rev.clone(),
                    String::new(),
                ),
                place,
                slot,
            })
            .collect()
    };
    let wanted = each(trackings, wanted);
    let shelf = shelves.of(tenant.workspace());
    let lacks = lacking(&lock(&shelf), &wanted, trackings.len());
    let reads = trackings.iter().zip(&lacks).map(|(tracking, lacks)| async {
        let is_lacking = |slot: Slot| lacks.binary_search_by_key(&slot, |lack| lack.slot).is_ok();
        let (index, strong) = (&tracking.index, tracking.behind);
        store
            .segments(
                tenant,
                &tracking.entity.id,
                F::FAMILY,
                index,
                |slot, _| is_lacking(slot),
                strong,
            )
            .await
    });
    let read = try_join_all(reads).await?;
    let mut shelf_now = lock(&shelf);
    for named in named {
        shelf_now.texts.number(named);
    }
    for (lacks, read) in lacks.iter().zip(read) {
        // Both by day and check.
        for (lack, (_, sealed)) in lacks.iter().zip(read) {
            let segment = F::decode(&sealed, &mut shelf_now.texts).map_err(ApiError::internal)?;
            shelf_now.put(lack.key.clone(), segment);
        }
    }
    let answer = question(&shelf_now.texts, &held(&shelf_now, &wanted, trackings)?);
    drop(shelf_now);
    shelves.keep(tenant.workspace(), &shelf);
    Ok(answer)
}

fn each(trackings: &[Tracking], wanted: impl Fn(&Tracking, usize) -> Vec<Wanted>) -> Vec<Wanted> {
    trackings
        .iter()
        .enumerate()
        .flat_map(|(place, tracking)| wanted(tracking, place))
        .collect()
}

/// What the shelf lacks, by tracking.
fn lacking<'w, F>(shelf: &Shelf<F>, wanted: &'w [Wanted], trackings: usize) -> Vec<Vec<&'w Wanted>> {
    let mut lacks: Vec<Vec<&Wanted>> = (0..trackings).map(|_| Vec::new()).collect();
    for wanted in wanted
        .iter()
        .filter(|wanted| !shelf.segments.contains_key(&wanted.key))
    {
        if let Some(lacks) = lacks.get_mut(wanted.place) {
            lacks.push(wanted);
        }
    }
    lacks
}

/// The wanted segments. Nothing is taken from a shelf, so that what was put there is there.
fn held<'a, F>(
    shelf: &'a Shelf<F>,
    wanted: &[Wanted],
    trackings: &'a [Tracking],
) -> Result<Vec<Held<'a, F>>, ApiError> {
    let held = |wanted: &Wanted| {
        Some(Held {
            day: wanted.slot.0,
            check: wanted.slot.1,
            segment: shelf.segments.get(&wanted.key)?,
            place: wanted.place,
            selection: &trackings.get(wanted.place)?.selection,
        })
    };
    let found: Option<Vec<_>> = wanted.iter().map(held).collect();
    found.ok_or_else(|| ApiError::internal("a segment was read and is not there"))
}
