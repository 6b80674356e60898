//! Queries of the cited URLs. Only the buckets of the queried domains are read, and only their URLs are decoded.

use api::ApiError;
use domain::check_key::CheckKey;
use domain::facts::families::{Links, bucket_of};
use domain::facts::{SegmentError, StringInterner};
use futures::future::try_join_all;

use crate::cached_facts::CachedFacts;
use crate::cached_segment::CachedSegment;
use crate::needed_segment::needed_segments;
use crate::scope::Scope;
use crate::workspace_cache::{SegmentKey, lock};

impl Scope<'_> {
    /// Queries the cited URLs of some domains.
    pub async fn query_links<R>(
        &self,
        domains: &[&str],
        aggregate: impl FnOnce(&StringInterner, &[CachedSegment<'_, Links>]) -> R,
    ) -> Result<R, ApiError> {
        let bucket_view = |bucket: usize| format!("{bucket} {}", domains.join(" "));
        let reader = self.reader();
        let indexed = reader.indexed(Links::FAMILY)?;
        let needed = needed_segments(&indexed, |(check, segment)| {
            let key = |bucket| SegmentKey {
                check: *check,
                revision: segment.rev,
                bucket_view: bucket_view(bucket),
            };
            buckets(domains, segment.parts)
                .into_iter()
                .map(key)
                .collect::<Vec<_>>()
        });
        let cached = self.cache.links.workspace(self.tenant.workspace());
        let missing = reader.missing(&lock(&cached), &needed);
        let reads = self.entities.iter().zip(&indexed).zip(&missing);
        let reads = reads.map(|((counted, indexed), missing)| async {
            let is_missing = |check: CheckKey, bucket: usize| {
                let view = bucket_view(bucket);
                missing
                    .iter()
                    .any(|key| key.check == check && key.bucket_view == view)
            };
            let of_check = |check: CheckKey, count: usize| -> Vec<usize> {
                let mut needed = buckets(domains, count);
                needed.retain(|bucket| is_missing(check, *bucket));
                needed
            };
            let (id, strong) = (&counted.entity.id, counted.read_strongly);
            self.store
                .link_buckets(self.tenant, id, indexed, of_check, strong)
                .await
        });
        let read = try_join_all(reads).await?;
        let mut locked = lock(&cached);
        for ((counted, missing), read) in self.entities.iter().zip(missing).zip(read) {
            // Both are ordered by day, check and bucket.
            let decode = |(key, (_, encoded)): (SegmentKey, (CheckKey, Vec<u8>))| {
                Ok((key, Links::decode(&encoded, domains, &mut locked.texts)?))
            };
            let decoded = missing.into_iter().zip(read).map(decode);
            let decoded: Vec<_> = decoded
                .collect::<Result<_, SegmentError>>()
                .map_err(ApiError::internal)?;
            locked.insert(&counted.entity.id, decoded);
        }
        let result = aggregate(&locked.texts, &reader.select(&locked, &needed)?);
        drop(locked);
        self.cache.links.keep(self.tenant.workspace(), &cached);
        Ok(result)
    }
}

/// Returns the buckets that contain the URLs of the domains, in ascending order. `count` is the segment's number of
/// buckets.
fn buckets(domains: &[&str], count: usize) -> Vec<usize> {
    let mut buckets: Vec<usize> = domains.iter().map(|domain| bucket_of(domain, count)).collect();
    buckets.sort_unstable();
    buckets.dedup();
    buckets
}
