//! Adds to recommendations the URLs that answers cite. Only the links of the recommendations' domains are
//! read.

use std::collections::{BTreeMap, BTreeSet};

use domain::board::{Actionable, Board, CheckFindings, Fingerprint, update_board};
use domain::check_key::CheckKey;
use domain::family::Family;
use domain::id::EntityId;
use domain::ordinal::ActionableOrdinal;
use domain::period::DateRange;
use domain::time::Day;
use facts::StringInterner;
use facts::families::{Links, bucket_of};
use insights::recommend::add_urls;
use store::{FactIndex, SegmentRef, Tenant};

use crate::{Checker, CheckerError};

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
        let window = DateRange::recommendations(today);
        let mut indexed = index.segments_of(Family::Links)?;
        indexed.retain(|(check, _)| window.contains(check.day));
        let of_check = |(check, links): &(CheckKey, SegmentRef)| {
            let (check, links) = (*check, *links);
            let buckets: BTreeSet<usize> = domains
                .iter()
                .map(|domain| bucket_of(domain, links.buckets))
                .collect();
            buckets.into_iter().map(move |bucket| (check, links.rev, bucket))
        };
        let wanted = indexed.iter().flat_map(of_check).collect();
        let read = self.store.buckets(tenant, id, Family::Links, wanted).await?;
        let read: BTreeMap<(CheckKey, usize), Vec<u8>> = read.into_iter().collect();
        for candidate in &mut candidates {
            let Some(domain) = candidate.cited_domain().map(str::to_owned) else {
                continue;
            };
            let (mut texts, mut links) = (StringInterner::default(), Vec::new());
            for (check, segment) in &indexed {
                let bucket = bucket_of(&domain, segment.buckets);
                if let Some(encoded) = read.get(&(*check, bucket)) {
                    let decoded = Links::decode(encoded, &[&domain], &mut texts);
                    links.push((
                        check.day,
                        decoded.map_err(|e| CheckerError::Facts(e.to_string()))?,
                    ));
                }
            }
            add_urls(candidate, &links, &texts);
        }
        Ok(())
    }
}
