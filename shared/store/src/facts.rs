//! Fact segments and their index.

use std::collections::{BTreeMap, HashMap};

use aws_sdk_dynamodb::types::AttributeValue;
use domain::facts::Family;
use domain::facts::frame::{join, parts, revision};
use domain::id::EntityId;
use domain::limits::FACTS_KEPT;
use domain::period::Range;
use domain::time::{Day, Millis, Month};
use serde::{Deserialize, Serialize};

use crate::expression::n;
use crate::items::{EVENTUAL, Item, Reading, STRONG, Sort};
use crate::keys::Key;
use crate::table::{SORT_KEY, TTL_ATTRIBUTE};
use crate::{Store, StoreError, Tenant, keys};

const BYTES: &str = "bytes";

/// One family's segment of one check, as the index names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SegmentRef {
    /// A hash of the content: writing it twice changes nothing.
    pub rev: String,
    pub parts: usize,
    pub kb: usize,
}

/// The segments of one check, by family.
pub type CheckSegments = BTreeMap<String, SegmentRef>;

/// Where the segments of a range are: by day and check.
#[derive(Debug, Clone, Default)]
pub struct FactIndex(BTreeMap<(Day, u32), CheckSegments>);

impl FactIndex {
    pub fn has(&self, day: Day, check: u32) -> bool {
        self.0.contains_key(&(day, check))
    }
}

impl Store {
    /// Writes a sealed segment in parts. The same content gives the same items.
    pub async fn put_segment(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        family: Family,
        slot: (Day, u32),
        bytes: &[u8],
    ) -> Result<SegmentRef, StoreError> {
        let rev = revision(bytes);
        let expires = segment_expiry(slot.0);
        let mut count = 0;
        for (part, chunk) in parts(bytes).enumerate() {
            let mut item: Item = keys::segment(tenant, entity, family, slot, &rev, part).attributes();
            item.insert(BYTES.to_owned(), AttributeValue::B(chunk.to_vec().into()));
            item.insert(TTL_ATTRIBUTE.to_owned(), n(expires.ttl_seconds()));
            self.db
                .put_item()
                .table_name(&self.table)
                .set_item(Some(item))
                .send()
                .await?;
            count = part + 1;
        }
        Ok(SegmentRef {
            rev,
            parts: count,
            kb: bytes.len().div_ceil(1024),
        })
    }

    /// Names the segments of a check in the month's index, in place of any that were named before.
    pub async fn index_segments(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        slot: (Day, u32),
        segments: &CheckSegments,
    ) -> Result<(), StoreError> {
        let entry = serde_dynamo::aws_sdk_dynamodb_1::to_attribute_value(segments)
            .map_err(|e| StoreError::unreadable("an index entry", e))?;
        let update = format!("SET #{} = :entry, #{TTL_ATTRIBUTE} = :expires", index_name(slot));
        // The month's last segment may be a month younger than this one.
        let expires = segment_expiry(slot.0.plus(31));
        let bound = vec![(":entry", entry), (":expires", n(expires.ttl_seconds()))];
        let key = keys::fact_index(tenant, entity, slot.0.month());
        // Always true: an entry may be written again.
        let condition = "attribute_not_exists(PK) OR attribute_exists(PK)";
        let written = self.update_one(&key, &update, condition, bound).await?;
        written
            .map(|_| ())
            .map_err(|_| StoreError::Broken("an index entry was refused".to_owned()))
    }

    /// The index of a range's months, read side by side.
    pub async fn fact_index(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        range: &Range,
        strong: bool,
    ) -> Result<FactIndex, StoreError> {
        let months = range
            .months()
            .map(|month| self.month_index(tenant, entity, month, strong));
        let now = self.clock.now();
        let mut index = FactIndex::default();
        for item in futures::future::try_join_all(months).await?.into_iter().flatten() {
            for (name, value) in item {
                // The month's item lives longer than the segments of its first days.
                let live = |day: Day| range.contains(day) && segment_expiry(day) > now;
                let Some(slot) = index_slot(&name).filter(|(day, _)| live(*day)) else {
                    continue;
                };
                let segments = serde_dynamo::aws_sdk_dynamodb_1::from_attribute_value(value)
                    .map_err(|e| StoreError::unreadable("an index entry", e))?;
                index.0.insert(slot, segments);
            }
        }
        Ok(index)
    }

    async fn month_index(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        month: Month,
        strong: bool,
    ) -> Result<Option<Item>, StoreError> {
        let key: Key = keys::fact_index(tenant, entity, month);
        self.get_item(&key, strong).await
    }

    /// The sealed segments of one family that the index names in a range, by day and check. Where a replica
    /// does not have all of them yet, they are read again strongly.
    pub async fn segments(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        family: Family,
        range: &Range,
        index: &FactIndex,
        strong: bool,
    ) -> Result<Vec<(Day, Vec<u8>)>, StoreError> {
        let named: Vec<_> = index
            .0
            .iter()
            .filter_map(|(slot, families)| families.get(family.name()).map(|segment| (*slot, segment)))
            .collect();
        if named.is_empty() {
            return Ok(Vec::new());
        }
        for reading in [EVENTUAL, STRONG].into_iter().skip(usize::from(strong)) {
            let mut found = self.parts_of(tenant, entity, family, range, reading).await?;
            let whole = named.iter().map(|(slot, segment)| {
                let part =
                    |part| found.remove(&keys::segment(tenant, entity, family, *slot, &segment.rev, part).sk);
                let pieces = (0..segment.parts).map(part).collect::<Option<Vec<_>>>()?;
                Some((slot.0, join(pieces)))
            });
            if let Some(segments) = whole.collect() {
                return Ok(segments);
            }
        }
        Err(StoreError::Broken(
            "a segment that the index names does not exist".to_owned(),
        ))
    }

    /// All parts of a family's segments in a range, by sort key.
    async fn parts_of(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        family: Family,
        range: &Range,
        reading: Reading<'_>,
    ) -> Result<HashMap<String, Vec<u8>>, StoreError> {
        let partition = keys::fact_partition(tenant, entity, family);
        let between = Sort::Between(format!("{}#", range.first), format!("{}$", range.last));
        let items = self.query(&partition, between, reading).await?;
        let part = |mut item: Item| match (item.remove(SORT_KEY), item.remove(BYTES)) {
            (Some(AttributeValue::S(sort)), Some(AttributeValue::B(bytes))) => {
                Some((sort, bytes.into_inner()))
            }
            _ => None,
        };
        Ok(items.into_iter().filter_map(part).collect())
    }
}

fn segment_expiry(day: Day) -> Millis {
    day.start().plus(FACTS_KEPT)
}

/// The attribute of the month's index that names a check's segments.
fn index_name((day, check): (Day, u32)) -> String {
    format!("d{}c{check}", day.0)
}

fn index_slot(name: &str) -> Option<(Day, u32)> {
    let (day, check) = name.strip_prefix('d')?.split_once('c')?;
    Some((Day(day.parse().ok()?), check.parse().ok()?))
}
