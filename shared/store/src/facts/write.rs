//! Writes segments. Equal contents have equal keys, so writing them again changes nothing.

use aws_sdk_dynamodb::error::SdkError;
use aws_sdk_dynamodb::operation::put_item::PutItemError;
use aws_sdk_dynamodb::types::AttributeValue;
use domain::check_key::CheckKey;
use domain::facts::codec::split_into_parts;
use domain::facts::families::EncodedCheck;
use domain::facts::{Family, Revision};
use domain::id::EntityId;
use domain::time::Day;
use futures::{StreamExt, TryStreamExt};

use super::{BYTES, CheckSegments, FactsKind, PARTS, SegmentRef};
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
        kind: FactsKind,
    ) -> Result<CheckSegments, StoreError> {
        let put = |family, encoded| async move {
            let segment = self
                .put_segment(tenant, entity, family, check, encoded, kind)
                .await?;
            Ok((family, segment))
        };
        let (visibility, citations, fanouts, responses, links) = tokio::try_join!(
            put(Family::Visibility, &facts.visibility),
            put(Family::Citations, &facts.citations),
            put(Family::Fanouts, &facts.fanouts),
            put(Family::Responses, &facts.responses),
            self.put_buckets(tenant, entity, check, &facts.links, kind),
        )?;
        let links = (Family::Links, links);
        Ok([visibility, citations, fanouts, responses, links].into())
    }

    /// Writes an encoded segment of a check in parts.
    pub async fn put_segment(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        family: Family,
        check: CheckKey,
        encoded: &[u8],
        kind: FactsKind,
    ) -> Result<SegmentRef, StoreError> {
        let partition = keys::fact_partition(tenant, entity, family);
        let (rev, prefix) = (Revision::of(encoded), keys::segment_prefix(check));
        let items: Vec<Item> = split_into_parts(encoded)
            .enumerate()
            .map(|(part, chunk)| {
                let key = keys::segment(partition.clone(), &prefix, rev, part);
                part_item(key.attributes(), chunk, check.day, kind)
            })
            .collect();
        let count = items.len();
        self.put_all(items, kind).await?;
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
        kind: FactsKind,
    ) -> Result<SegmentRef, StoreError> {
        let rev = Revision::of(&buckets.concat());
        let mut items = Vec::new();
        for (bucket, encoded) in buckets.iter().enumerate() {
            let part_count = split_into_parts(encoded).len();
            for (part, chunk) in split_into_parts(encoded).enumerate() {
                let key = keys::bucket(tenant, entity, check, rev, bucket, part);
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
            parts: buckets.len(),
            kb: buckets.iter().map(Vec::len).sum::<usize>().div_ceil(1024),
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
