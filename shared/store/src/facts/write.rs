//! Writes segments. Equal contents have equal keys, so writing them again changes nothing.

use aws_sdk_dynamodb::error::SdkError;
use aws_sdk_dynamodb::operation::put_item::PutItemError;
use aws_sdk_dynamodb::types::AttributeValue;
use domain::check_key::CheckKey;
use domain::family::Family;
use domain::id::EntityId;
use domain::revision::Revision;
use domain::time::Day;
use futures::future::try_join_all;
use futures::{StreamExt, TryStreamExt};

use super::{BYTES, CheckSegments, FactsKind, PARTS, SegmentRef};
use crate::expression::number_value;
use crate::items::Item;
use crate::table::TTL_ATTRIBUTE;
use crate::{Store, StoreError, Tenant, keys};

/// The maximum size of a part in bytes, which fits into one stored item beside its keys.
const MAX_PART_BYTES: usize = 350_000;
/// The number of items that are written concurrently.
const CONCURRENCY: usize = 8;

impl Store {
    /// Writes all segments of a check concurrently.
    pub async fn put_facts(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        check: CheckKey,
        segments: [(Family, &[Vec<u8>]); 5],
        kind: FactsKind,
    ) -> Result<CheckSegments, StoreError> {
        let put = |(family, buckets)| async move {
            let segment = self
                .put_segment(tenant, entity, family, check, buckets, kind)
                .await?;
            Ok::<_, StoreError>((family, segment))
        };
        Ok(try_join_all(segments.map(put)).await?.into_iter().collect())
    }

    /// Writes the segment of a check in buckets, which can be read one by one, each in parts.
    pub async fn put_segment(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        family: Family,
        check: CheckKey,
        buckets: &[impl AsRef<[u8]>],
        kind: FactsKind,
    ) -> Result<SegmentRef, StoreError> {
        let buckets: Vec<&[u8]> = buckets.iter().map(AsRef::as_ref).collect();
        let rev = Revision::of(&buckets.concat());
        let mut items = Vec::new();
        for (bucket, encoded) in buckets.iter().enumerate() {
            let first = keys::bucket(tenant, entity, family, check, rev, bucket);
            let part_count = encoded.len().div_ceil(MAX_PART_BYTES);
            for (part, chunk) in encoded.chunks(MAX_PART_BYTES).enumerate() {
                let key = keys::part(&first, part);
                let mut item = part_item(key.attributes(), chunk, check.day, kind);
                if part == 0 && part_count > 1 {
                    item.insert(PARTS.to_owned(), number_value(part_count));
                }
                items.push(item);
            }
        }
        self.put_all(items, kind).await?;
        Ok(SegmentRef {
            rev,
            buckets: buckets.len(),
            kb: buckets
                .iter()
                .map(|bucket| bucket.len())
                .sum::<usize>()
                .div_ceil(1024),
        })
    }

    async fn put_all(&self, items: Vec<Item>, kind: FactsKind) -> Result<(), StoreError> {
        futures::stream::iter(items)
            .map(|item| self.put_part(item, kind))
            .buffer_unordered(CONCURRENCY)
            .try_collect()
            .await
    }

    /// Writes a part. If the same part is there already, interim facts leave it as it is, because it can be a
    /// part of final facts, which are kept longer.
    async fn put_part(&self, item: Item, kind: FactsKind) -> Result<(), StoreError> {
        let put = self.db.put_item().table_name(&self.table).set_item(Some(item));
        if kind == FactsKind::Final {
            put.send().await?;
            return Ok(());
        }
        let put = put.condition_expression("attribute_not_exists(PK)").send().await;
        match put.as_ref().map_err(SdkError::as_service_error) {
            Ok(_) | Err(Some(PutItemError::ConditionalCheckFailedException(_))) => Ok(()),
            Err(_) => Ok(put.map(|_| ())?),
        }
    }
}

fn part_item(key: Item, chunk: &[u8], day: Day, kind: FactsKind) -> Item {
    let mut item = key;
    item.insert(BYTES.to_owned(), AttributeValue::B(chunk.to_vec().into()));
    item.insert(
        TTL_ATTRIBUTE.to_owned(),
        number_value(kind.expiry(day).ttl_seconds()),
    );
    item
}
