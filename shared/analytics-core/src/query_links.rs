//! Queries of the cited URLs. Only the buckets of the queried domains are read, and only their URLs are decoded.

use api::ApiError;
use domain::check_key::CheckKey;
use domain::facts::families::{Links, bucket_of};
use domain::facts::{SegmentError, StringInterner};
use futures::future::try_join_all;
use store::StoreError;

use crate::cached_facts::CachedFacts;
use crate::cached_segment::CachedSegment;
use crate::needed_segment::{IndexedSegments, NeededSegment, needed_segments};
use crate::scope::Scope;
use crate::workspace_cache::{SegmentKey, lock};

/// The size that an item is rounded up to when its read units are counted, in KB.
const READ_UNIT_KB: usize = 4;

impl Scope<'_> {
    /// Queries the cited URLs of some domains.
    pub async fn query_links<R>(
        &self,
        domains: &[&str],
        aggregate: impl FnOnce(&StringInterner, &[CachedSegment<'_, Links>]) -> R,
    ) -> Result<R, ApiError> {
        let reader = self.reader();
        let (indexed, needed) = self.needed_buckets(domains)?;
        let cached = self.cache.links.workspace(self.tenant.workspace());
        let missing = reader.missing(&lock(&cached), &needed);
        let reads = self.entities.iter().zip(&indexed).zip(&missing);
        let reads = reads.map(|((counted, indexed), missing)| async {
            let is_missing = |check: CheckKey, bucket: usize| {
                let view = bucket_view(bucket, domains);
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
            locked.insert(&counted.entity.id, decoded.into_iter());
        }
        let result = aggregate(&locked.texts, &reader.select(&locked, &needed)?);
        drop(locked);
        self.cache.links.keep(self.tenant.workspace(), &cached);
        Ok(result)
    }

    /// Returns the size of the items that [`Self::query_links`] would read, in KB. Reading an item costs at least as much as 4 KB.
    pub(crate) fn unread_links_kb(&self, domains: &[&str]) -> Result<usize, StoreError> {
        let (indexed, needed) = self.needed_buckets(domains)?;
        let cached = self.cache.links.workspace(self.tenant.workspace());
        let missing = self.reader().missing(&lock(&cached), &needed);
        let mut unread = 0;
        for (indexed, missing) in indexed.iter().zip(&missing) {
            for (check, segment) in indexed {
                let buckets = missing.iter().filter(|key| key.check == *check).count();
                let kb_of_bucket = segment.kb.div_ceil(segment.parts.max(1));
                unread += buckets * kb_of_bucket.next_multiple_of(READ_UNIT_KB);
            }
        }
        Ok(unread)
    }

    /// Returns the segments of links that the index names, one list per entity, and the buckets that contain URLs of the domains.
    fn needed_buckets(
        &self,
        domains: &[&str],
    ) -> Result<(Vec<IndexedSegments>, Vec<NeededSegment>), StoreError> {
        let indexed = self.reader().indexed(Links::FAMILY)?;
        let needed = needed_segments(&indexed, |(check, segment)| {
            let key = |bucket| SegmentKey {
                check: *check,
                revision: segment.rev,
                bucket_view: bucket_view(bucket, domains),
            };
            buckets(domains, segment.parts)
                .into_iter()
                .map(key)
                .collect::<Vec<_>>()
        });
        Ok((indexed, needed))
    }
}

/// Returns which URLs of a bucket are decoded, as the cache distinguishes them.
fn bucket_view(bucket: usize, domains: &[&str]) -> String {
    format!("{bucket} {}", domains.join(" "))
}

/// Returns the buckets that contain the URLs of the domains, in ascending order. `count` is the segment's number of
/// buckets.
fn buckets(domains: &[&str], count: usize) -> Vec<usize> {
    let mut buckets: Vec<usize> = domains.iter().map(|domain| bucket_of(domain, count)).collect();
    buckets.sort_unstable();
    buckets.dedup();
    buckets
}
