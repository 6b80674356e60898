//! Writes segments. Equal contents have equal keys, so writing them again changes nothing.

use aws_sdk_dynamodb::types::AttributeValue;
use domain::check_key::CheckKey;
use domain::facts::codec::split_into_parts;
use domain::facts::families::EncodedCheck;
use domain::facts::{Family, Revision};
use domain::id::EntityId;
use futures::{StreamExt, TryStreamExt};

use super::{BYTES, CheckSegments, PARTS, SegmentRef, segment_expiry};
use crate::expression::number_value;
use crate::items::Item;
use crate::table::TTL_ATTRIBUTE;
use crate::{Store, StoreError, Tenant, keys};

/// The number of items that are written concurrently.
const CONCURRENCY: usize = 8;

impl Store {
    /// Writes all segments of a check concurrently.
    pub async fn put_facts(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        check: CheckKey,
        facts: &EncodedCheck,
    ) -> Result<CheckSegments, StoreError> {
        let put = |family, encoded| async move {
            let segment = self.put_segment(tenant, entity, family, check, encoded).await?;
            Ok((family, segment))
        };
        let (visibility, citations, fanouts, responses, links) = tokio::try_join!(
            put(Family::Visibility, &facts.visibility),
            put(Family::Citations, &facts.citations),
            put(Family::Fanouts, &facts.fanouts),
            put(Family::Responses, &facts.responses),
            self.put_buckets(tenant, entity, check, &facts.links),
        )?;
        let links = (Family::Links, links);
        Ok([visibility, citations, fanouts, responses, links].into())
    }

    /// Writes an encoded segment in parts.
    pub async fn put_segment(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        family: Family,
        check: CheckKey,
        encoded: &[u8],
    ) -> Result<SegmentRef, StoreError> {
        let rev = Revision::of(encoded);
        let items: Vec<Item> = split_into_parts(encoded)
            .enumerate()
            .map(|(part, chunk)| {
                let key = keys::segment(tenant, entity, family, check, rev, part);
                part_item(key.attributes(), chunk, check)
            })
            .collect();
        let count = items.len();
        self.put_all(items).await?;
        Ok(SegmentRef {
            rev,
            parts: count,
            kb: encoded.len().div_ceil(1024),
        })
    }

    /// Writes a segment of links, whose buckets are read one by one.
    pub async fn put_buckets(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        check: CheckKey,
        buckets: &[Vec<u8>],
    ) -> Result<SegmentRef, StoreError> {
        let rev = Revision::of(&buckets.concat());
        let mut items = Vec::new();
        for (bucket, encoded) in buckets.iter().enumerate() {
            let part_count = split_into_parts(encoded).len();
            for (part, chunk) in split_into_parts(encoded).enumerate() {
                let key = keys::bucket(tenant, entity, check, rev, bucket, part);
                let mut item = part_item(key.attributes(), chunk, check);
                if part == 0 && part_count > 1 {
                    item.insert(PARTS.to_owned(), number_value(part_count));
                }
                items.push(item);
            }
        }
        self.put_all(items).await?;
        Ok(SegmentRef {
            rev,
            parts: buckets.len(),
            kb: buckets.iter().map(Vec::len).sum::<usize>().div_ceil(1024),
        })
    }

    async fn put_all(&self, items: Vec<Item>) -> Result<(), StoreError> {
        futures::stream::iter(items)
            .map(|item| async {
                let put = self.db.put_item().table_name(&self.table).set_item(Some(item));
                put.send().await.map(|_| ()).map_err(StoreError::from)
            })
            .buffer_unordered(CONCURRENCY)
            .try_collect()
            .await
    }
}

fn part_item(key: Item, chunk: &[u8], check: CheckKey) -> Item {
    let mut item = key;
    item.insert(BYTES.to_owned(), AttributeValue::B(chunk.to_vec().into()));
    item.insert(
        TTL_ATTRIBUTE.to_owned(),
        number_value(segment_expiry(check.day).ttl_seconds()),
    );
    item
}
