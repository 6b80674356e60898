//! Reads segments with few requests, which run concurrently.
//!
//! Parts that an eventually consistent read lacks, because a replica can lack some that the index names, are
//! read again with strong consistency.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;
use domain::check_key::CheckKey;
use domain::family::Family;
use domain::id::EntityId;
use domain::revision::Revision;
use futures::future::try_join_all;

use super::{BYTES, PARTS, SegmentRef};
use crate::items::{Consistency, Item, MAX_BATCH_KEYS, SortKeys};
use crate::keys::Key;
use crate::table::{PARTITION_KEY, SORT_KEY};
use crate::{Store, StoreError, Tenant, keys};

/// The maximum size that one query reads, in KB. DynamoDB ends a page at 1 MB.
const QUERY_KB: usize = 900;

/// One part of a bucket.
struct Part {
    bytes: Vec<u8>,
    /// The number of parts of the bucket on its first part, and 1 on all other parts.
    part_count: usize,
}

impl Store {
    /// Reads segments of one family that have one bucket each. They must be adjacent: those of checks between
    /// them are read as well.
    pub async fn segments(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        family: Family,
        segments: &[(CheckKey, SegmentRef)],
    ) -> Result<Vec<(CheckKey, Vec<u8>)>, StoreError> {
        let runs = runs_of_a_query(segments);
        let runs = runs.map(|run| self.read_run(tenant, entity, family, run));
        Ok(try_join_all(runs).await?.into_iter().flatten().collect())
    }

    /// Reads a run of adjacent segments with one query.
    async fn read_run(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        family: Family,
        run: &[(CheckKey, SegmentRef)],
    ) -> Result<Vec<(CheckKey, Vec<u8>)>, StoreError> {
        let (Some((first, _)), Some((last, _))) = (run.first(), run.last()) else {
            return Ok(Vec::new());
        };
        let partition = keys::fact_partition(tenant, entity, family);
        for consistency in [Consistency::Eventual, Consistency::Strong] {
            let between = SortKeys::Between(keys::segment_prefix(*first), keys::segments_until(*last));
            let items = self.query(&partition, between, consistency.into()).await?;
            let mut found: HashMap<Key, Part> = items.into_iter().filter_map(part).collect();
            let joined = run.iter().map(|(check, segment)| {
                let first = keys::bucket(tenant, entity, family, *check, segment.rev, 0);
                Some((*check, join_parts(&mut found, &first)?))
            });
            if let Some(segments) = joined.collect() {
                return Ok(segments);
            }
        }
        Err(missing())
    }

    /// Reads buckets of a family, each of which is given as its check, the revision of its segment, and its
    /// number.
    pub async fn buckets(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        family: Family,
        wanted: Vec<(CheckKey, Revision, usize)>,
    ) -> Result<Vec<((CheckKey, usize), Vec<u8>)>, StoreError> {
        let first_part = |(check, revision, bucket)| {
            let key = keys::bucket(tenant, entity, family, check, revision, bucket);
            ((check, bucket), key)
        };
        let first_parts: Vec<_> = wanted.into_iter().map(first_part).collect();
        let keys = first_parts.iter().map(|(_, key)| key.clone()).collect();
        let mut found = self.parts_by_key(keys).await?;
        let further = |(first, part): (&Key, &Part)| -> Vec<Key> {
            (1..part.part_count).map(|part| keys::part(first, part)).collect()
        };
        let further: Vec<Key> = found.iter().flat_map(further).collect();
        found.extend(self.parts_by_key(further).await?);
        let joined = first_parts.into_iter();
        let joined = joined.map(|(bucket, first)| Some((bucket, join_parts(&mut found, &first)?)));
        joined.collect::<Option<_>>().ok_or_else(missing)
    }

    /// Reads parts by key.
    async fn parts_by_key(&self, mut wanted: Vec<Key>) -> Result<HashMap<Key, Part>, StoreError> {
        let mut found = HashMap::new();
        for consistency in [Consistency::Eventual, Consistency::Strong] {
            let batches = wanted
                .chunks(MAX_BATCH_KEYS)
                .map(|keys| self.batch_items(keys.to_vec(), consistency));
            for item in try_join_all(batches).await?.into_iter().flatten() {
                found.extend(part(item));
            }
            wanted.retain(|key| !found.contains_key(key));
        }
        Ok(found)
    }
}

fn missing() -> StoreError {
    StoreError::Internal("a segment that the index names does not exist".to_owned())
}

/// Takes the parts of a bucket and joins them. Returns `None` if one is missing.
fn join_parts(found: &mut HashMap<Key, Part>, first: &Key) -> Option<Vec<u8>> {
    let Part {
        mut bytes,
        part_count,
    } = found.remove(first)?;
    for part in 1..part_count {
        bytes.extend(found.remove(&keys::part(first, part))?.bytes);
    }
    Some(bytes)
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

/// Returns the runs of adjacent segments that one query each can read.
fn runs_of_a_query(segments: &[(CheckKey, SegmentRef)]) -> impl Iterator<Item = &[(CheckKey, SegmentRef)]> {
    let mut kb = segments.first().map_or(0, |(_, first)| first.kb);
    segments.chunk_by(move |_, (_, next)| {
        kb += next.kb;
        let fits = kb <= QUERY_KB;
        if !fits {
            kb = next.kb;
        }
        fits
    })
}
