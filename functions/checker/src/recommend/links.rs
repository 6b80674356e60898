//! The URLs that recommendations show: only the links of their domains are read.

use std::collections::{BTreeMap, BTreeSet};

use domain::board::{Actionable, Board, Fingerprint};
use domain::facts::links::{Links, bucket_of};
use domain::facts::{Family, Texts};
use domain::period::Range;
use domain::recommend::{Found, refill};
use domain::time::Day;
use store::{FactIndex, SegmentRef, Slot};

use super::At;
use crate::{Checker, CheckerError};

impl Checker {
    /// Adds to each cause that the board will show and that is about a cited domain which of its URLs are cited.
    pub(super) async fn add_urls(
        &self,
        At { tenant, id }: At<'_>,
        index: &FactIndex,
        today: Day,
        board: &Board,
        found: &mut Found,
    ) -> Result<(), CheckerError> {
        let plan = refill(&board.actionables, found, 1, self.clock.now());
        let planned = plan.changed.iter().chain(&plan.created);
        let shown: BTreeSet<&Fingerprint> = planned
            .filter(|actionable| actionable.is_active())
            .map(|actionable: &Actionable| &actionable.fingerprint)
            .collect();
        let causes = found.causes.iter_mut();
        let mut causes: Vec<_> = causes
            .filter(|cause| shown.contains(&cause.fingerprint) && cause.cited_domain().is_some())
            .collect();
        let domains = causes.iter().filter_map(|cause| cause.cited_domain());
        let domains: BTreeSet<String> = domains.map(str::to_owned).collect();
        if domains.is_empty() {
            return Ok(());
        }

        let window = Range::recommendations(today);
        let mut named = index.of(Family::Links)?;
        named.retain(|((day, _), _)| window.contains(*day));
        let wanted = |_, buckets| buckets_of(&domains, buckets);
        let read = self.store.link_buckets(tenant, id, &named, wanted, false).await?;
        let places = named.iter().flat_map(|(slot, SegmentRef { parts, .. })| {
            let buckets = buckets_of(&domains, *parts).into_iter();
            buckets.map(|bucket| (*slot, bucket, *parts))
        });
        // Both by day, check and bucket.
        let read: BTreeMap<(Slot, usize), (usize, Vec<u8>)> = places
            .zip(read)
            .map(|((slot, bucket, parts), (_, sealed))| ((slot, bucket), (parts, sealed)))
            .collect();
        for cause in &mut causes {
            let Some(domain) = cause.cited_domain().map(str::to_owned) else {
                continue;
            };
            let (mut texts, mut links) = (Texts::default(), Vec::new());
            for (((day, _), bucket), (buckets, sealed)) in &read {
                if bucket_of(&domain, *buckets) == *bucket {
                    let decoded = Links::decode(sealed, &[&domain], &mut texts);
                    links.push((*day, decoded.map_err(|e| CheckerError::Facts(e.to_string()))?));
                }
            }
            cause.add_urls(&links, &texts);
        }
        Ok(())
    }
}

/// The buckets that hold these domains' links, ascending, each once.
fn buckets_of(domains: &BTreeSet<String>, buckets: usize) -> Vec<usize> {
    let of_domains: BTreeSet<usize> = domains.iter().map(|domain| bucket_of(domain, buckets)).collect();
    of_domains.into_iter().collect()
}
