//! Adds to recommendations the URLs that answers cite. Only the links of the recommendations' domains are read.

use std::collections::{BTreeMap, BTreeSet};

use domain::board::{Actionable, Board, Fingerprint};
use domain::check_key::CheckKey;
use domain::facts::families::{Links, bucket_of};
use domain::facts::{Family, StringInterner};
use domain::id::EntityId;
use domain::ordinal::ActionableOrdinal;
use domain::period::DateRange;
use domain::recommend::{CheckFindings, update_board};
use domain::time::Day;
use store::{FactIndex, SegmentRef, Tenant};

use crate::{Checker, CheckerError};

/// The buckets of links that were read, by check and bucket.
type LinkBuckets = BTreeMap<(CheckKey, usize), LinkBucket>;

/// One bucket of a check's links.
struct LinkBucket {
    /// The number of buckets that the check's links are split into.
    buckets: usize,
    encoded: Vec<u8>,
}

impl Checker {
    /// Adds the cited URLs to each cause that is about a cited domain and that the board will show.
    pub(super) async fn add_urls(
        &self,
        tenant: &Tenant,
        id: &EntityId,
        index: &FactIndex,
        today: Day,
        board: &Board,
        findings: &mut CheckFindings,
    ) -> Result<(), CheckerError> {
        let plan = update_board(
            &board.actionables,
            findings,
            ActionableOrdinal::new(1),
            self.clock.now(),
        );
        let planned = plan.changed.iter().chain(&plan.created);
        let shown: BTreeSet<&Fingerprint> = planned
            .filter(|actionable| actionable.is_active())
            .map(|actionable: &Actionable| &actionable.fingerprint)
            .collect();
        let candidates = findings.candidates.iter_mut();
        let mut candidates: Vec<_> = candidates
            .filter(|candidate| shown.contains(&candidate.fingerprint) && candidate.cited_domain().is_some())
            .collect();
        let domains = candidates.iter().filter_map(|candidate| candidate.cited_domain());
        let domains: BTreeSet<String> = domains.map(str::to_owned).collect();
        if domains.is_empty() {
            return Ok(());
        }
        let read = self.link_buckets(tenant, id, index, today, &domains).await?;
        for candidate in &mut candidates {
            let Some(domain) = candidate.cited_domain().map(str::to_owned) else {
                continue;
            };
            let (mut texts, mut links) = (StringInterner::default(), Vec::new());
            for ((check, bucket), LinkBucket { buckets, encoded }) in &read {
                if bucket_of(&domain, *buckets) == *bucket {
                    let decoded = Links::decode(encoded, &[&domain], &mut texts);
                    links.push((
                        check.day,
                        decoded.map_err(|e| CheckerError::Facts(e.to_string()))?,
                    ));
                }
            }
            candidate.add_urls(&links, &texts);
        }
        Ok(())
    }

    /// Reads the buckets that contain the domains' links.
    async fn link_buckets(
        &self,
        tenant: &Tenant,
        id: &EntityId,
        index: &FactIndex,
        today: Day,
        domains: &BTreeSet<String>,
    ) -> Result<LinkBuckets, CheckerError> {
        let window = DateRange::recommendations(today);
        let mut indexed = index.segments_of(Family::Links)?;
        indexed.retain(|(check, _)| window.contains(check.day));
        let wanted = |_, buckets| buckets_of(domains, buckets);
        let read = self
            .store
            .link_buckets(tenant, id, &indexed, wanted, false)
            .await?;
        let keys = indexed.iter().flat_map(|(check, SegmentRef { parts, .. })| {
            let buckets = buckets_of(domains, *parts).into_iter();
            buckets.map(|bucket| (*check, bucket, *parts))
        });
        // Both are sorted by day, check and bucket.
        Ok(keys
            .zip(read)
            .map(|((check, bucket, buckets), (_, encoded))| {
                ((check, bucket), LinkBucket { buckets, encoded })
            })
            .collect())
    }
}

/// Returns the buckets that contain the domains' links, in ascending order and without duplicates.
fn buckets_of(domains: &BTreeSet<String>, buckets: usize) -> Vec<usize> {
    let of_domains: BTreeSet<usize> = domains.iter().map(|domain| bucket_of(domain, buckets)).collect();
    of_domains.into_iter().collect()
}
