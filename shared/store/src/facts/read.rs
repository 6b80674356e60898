//! Reads segments with few requests, which run concurrently.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;
use domain::check_key::CheckKey;
use domain::facts::codec::join_parts;
use domain::facts::{Family, Revision};
use domain::id::EntityId;
use futures::future::try_join_all;

use super::{BYTES, PARTS, SegmentRef};
use crate::items::{EVENTUAL, Item, MAX_BATCH_KEYS, ReadOptions, STRONG, SortKeys};
use crate::keys::Key;
use crate::table::{PARTITION_KEY, SORT_KEY};
use crate::{Store, StoreError, Tenant, keys};

/// The maximum size that one query reads, in KB. DynamoDB ends a page at 1 MB.
const QUERY_KB: usize = 900;

/// One part of a segment or of a bucket of links.
struct Part {
    bytes: Vec<u8>,
    /// The number of parts of a bucket of links on its first part, and 1 on all other parts.
    part_count: usize,
}

impl Store {
    /// Reads those of the `indexed` segments of checks of one family that `is_wanted` selects, by day and
    /// check. Segments that an eventually consistent read lacks are read again with strong consistency.
    pub async fn segments(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        family: Family,
        indexed: &[(CheckKey, SegmentRef)],
        is_wanted: impl Fn(CheckKey) -> bool,
        strong: bool,
    ) -> Result<Vec<(CheckKey, Vec<u8>)>, StoreError> {
        let runs = group_into_runs(indexed.iter().map(|(check, segment)| {
            let wanted = is_wanted(*check).then_some(*segment);
            (*check, wanted)
        }));
        let runs = runs
            .iter()
            .map(|run| self.read_run(tenant, entity, family, run, strong));
        Ok(try_join_all(runs).await?.into_iter().flatten().collect())
    }

    /// Reads a run of adjacent segments with one query.
    async fn read_run(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        family: Family,
        run: &[(CheckKey, SegmentRef)],
        strong: bool,
    ) -> Result<Vec<(CheckKey, Vec<u8>)>, StoreError> {
        let partition = keys::fact_partition(tenant, entity, family);
        for options in [EVENTUAL, STRONG].into_iter().skip(usize::from(strong)) {
            // The parts, the run and the parts of a segment have the same order.
            let mut found = self.parts_of(&partition, run, options).await?.into_iter();
            let joined = run.iter().map(|(check, segment)| {
                let prefix = keys::segment_prefix(*check);
                let part = |part| {
                    let wanted = keys::segment_sort_key(&prefix, segment.rev, part);
                    let (_, bytes) = found
                        .find(|(sort, _)| *sort >= wanted)
                        .filter(|(sort, _)| *sort == wanted)?;
                    Some(bytes)
                };
                let pieces = (0..segment.parts).map(part).collect::<Option<Vec<_>>>()?;
                Some((*check, join_parts(pieces)))
            });
            if let Some(segments) = joined.collect() {
                return Ok(segments);
            }
        }
        Err(missing())
    }

    /// Reads all parts of a run of adjacent segments, in the order of their sort keys, with these.
    async fn parts_of(
        &self,
        partition: &str,
        run: &[(CheckKey, SegmentRef)],
        options: ReadOptions<'_>,
    ) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        let (Some((first, _)), Some((last, _))) = (run.first(), run.last()) else {
            return Ok(Vec::new());
        };
        let (low, high) = (keys::segment_prefix(*first), keys::segments_until(*last));
        let items = self
            .query(partition, SortKeys::Between(low, high), options)
            .await?;
        let part = |mut item: Item| match (item.remove(SORT_KEY), item.remove(BYTES)) {
            (Some(AttributeValue::S(sort)), Some(AttributeValue::B(bytes))) => {
                Some((sort, bytes.into_inner()))
            }
            _ => None,
        };
        Ok(items.into_iter().filter_map(part).collect())
    }

    /// Reads buckets of links, each of which is given as its check, the revision of the links, and its
    /// number.
    pub async fn link_buckets(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        wanted: Vec<(CheckKey, Revision, usize)>,
        strong: bool,
    ) -> Result<Vec<((CheckKey, usize), Vec<u8>)>, StoreError> {
        let first_part = |(check, revision, bucket)| {
            let key = keys::bucket(tenant, entity, check, revision, bucket, 0);
            ((check, bucket), key)
        };
        let first_parts: Vec<_> = wanted.into_iter().map(first_part).collect();
        let keys = first_parts.iter().map(|(_, key)| key.clone()).collect();
        let mut found = self.parts_by_key(keys, strong).await?;
        let mut buckets = Vec::new();
        for (bucket, key) in first_parts {
            let first = found.remove(&key).ok_or_else(missing)?;
            let rest: Vec<Key> = (1..first.part_count)
                .map(|part| keys::further_part(&key, part))
                .collect();
            let mut pieces = vec![first.bytes];
            if !rest.is_empty() {
                let mut found = self.parts_by_key(rest.clone(), strong).await?;
                for key in rest {
                    pieces.push(found.remove(&key).ok_or_else(missing)?.bytes);
                }
            }
            buckets.push((bucket, join_parts(pieces)));
        }
        Ok(buckets)
    }

    /// Reads parts by key. Parts that an eventually consistent read lacks are read again with strong
    /// consistency.
    async fn parts_by_key(&self, keys: Vec<Key>, strong: bool) -> Result<HashMap<Key, Part>, StoreError> {
        let mut found = HashMap::new();
        let mut wanted = keys;
        for consistent in [false, true].into_iter().skip(usize::from(strong)) {
            let batches = wanted
                .chunks(MAX_BATCH_KEYS)
                .map(|keys| self.batch_items(keys.to_vec(), consistent));
            for item in try_join_all(batches).await?.into_iter().flatten() {
                found.extend(part(item));
            }
            wanted.retain(|key| !found.contains_key(key));
            if wanted.is_empty() {
                break;
            }
        }
        Ok(found)
    }
}

fn missing() -> StoreError {
    StoreError::Internal("a segment that the index names does not exist".to_owned())
}

/// Decodes the item of a part. Returns the part with its key.
fn part(mut item: Item) -> Option<(Key, Part)> {
    let part_count = match item.remove(PARTS) {
        Some(AttributeValue::N(parts)) => parts.parse().ok()?,
        _ => 1,
    };
    match (
        item.remove(PARTITION_KEY)?,
        item.remove(SORT_KEY)?,
        item.remove(BYTES)?,
    ) {
        (AttributeValue::S(pk), AttributeValue::S(sk), AttributeValue::B(bytes)) => {
            let bytes = bytes.into_inner();
            Some((Key { pk, sk }, Part { bytes, part_count }))
        }
        _ => None,
    }
}

/// Groups wanted segments into runs that one query can read. A segment that is not wanted ends a run.
fn group_into_runs(
    segments: impl Iterator<Item = (CheckKey, Option<SegmentRef>)>,
) -> Vec<Vec<(CheckKey, SegmentRef)>> {
    let mut runs: Vec<Vec<(CheckKey, SegmentRef)>> = vec![Vec::new()];
    let mut kb = 0;
    for (check, segment) in segments {
        let is_full = segment.is_none_or(|s| kb + s.kb > QUERY_KB);
        if is_full && runs.last().is_some_and(|run| !run.is_empty()) {
            runs.push(Vec::new());
            kb = 0;
        }
        if let (Some(segment), Some(run)) = (segment, runs.last_mut()) {
            run.push((check, segment));
            kb += segment.kb;
        }
    }
    runs.retain(|run| !run.is_empty());
    runs
}
