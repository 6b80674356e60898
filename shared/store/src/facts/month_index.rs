//! The index of a month's segments as it is changed: entries are written, and merged segments are named.
//!
//! Every change of the entries is conditional on the revision that was read, so that the entries of a day change together.

use std::collections::BTreeMap;
use std::time::Duration;

use aws_sdk_dynamodb::types::AttributeValue;
use domain::check_key::CheckKey;
use domain::facts::{Family, Revision};
use domain::id::EntityId;
use domain::limits::{MERGE_AFTER, MERGE_SPREAD, REMERGE_AFTER};
use domain::time::{Day, Month, Timestamp};
use uuid::Uuid;

use super::FactsKind;
use super::index::{MERGED, REVISION, attribute_name, parse_attribute_name, unreadable};
use super::index_entry::{IndexEntry, format_entry, kind_of, parse_entry};
use super::merged_segment::{EntryLines, MergedSegment, format_merged, parse_merged};
use super::segment_ref::SegmentRef;
use crate::expression::{number_value, string_value};
use crate::items::{Item, STRONG, SortKeys};
use crate::keys::DuePart;
use crate::table::{DUE_PARTITION_KEY, DUE_SORT_KEY, SORT_KEY, TTL_ATTRIBUTE};
use crate::transaction::Transaction;
use crate::{RereadingLease, Store, StoreError, Tenant, keys};

/// The index entries of a month as they were read, from which they can be changed.
#[derive(Debug, Clone, Default)]
pub struct MonthIndex {
    /// The item's revision, which every write changes. `None` if it has none.
    revision: Option<String>,
    pub entries: BTreeMap<CheckKey, IndexEntry>,
    /// Whether the segments of the month are to be merged, now or later.
    is_due: bool,
    /// The merged segments as they are named, whether or not they still count.
    merged: BTreeMap<Family, MergedSegment>,
    /// The digest of each family's segments, those that have expired among them.
    digests: BTreeMap<Family, Revision>,
}

impl MonthIndex {
    /// Returns the entries of a day, by check.
    pub fn of_day(&self, day: Day) -> BTreeMap<CheckKey, IndexEntry> {
        let entries = self.entries.iter().filter(|(check, _)| check.day == day);
        entries.map(|(check, entry)| (*check, entry.clone())).collect()
    }

    /// Returns whether there is nothing to merge, and the month is not due either.
    pub fn is_merged(&self) -> bool {
        !self.is_due && self.unmerged().is_empty()
    }

    /// Returns whether a check of the month still runs.
    pub fn has_interim(&self) -> bool {
        self.entries.values().any(|entry| entry.is_interim)
    }

    /// Returns the families whose segments are to be merged, with these segments: at least two, not all of which are merged already.
    pub fn unmerged(&self) -> Vec<(Family, Vec<(CheckKey, SegmentRef)>)> {
        let is_merged = |family: &Family| {
            let merged = self.merged.get(family).map(|merged| merged.of);
            merged.is_some() && merged == self.digests.get(family).copied()
        };
        let unmerged = Family::MERGED.into_iter().filter(|family| !is_merged(family));
        let with_segments = unmerged.map(|family| {
            let segments = self.entries.iter();
            let segments =
                segments.filter_map(|(check, entry)| Some((*check, *entry.segments.get(&family)?)));
            (family, segments.collect::<Vec<_>>())
        });
        with_segments.filter(|(_, segments)| segments.len() > 1).collect()
    }

    /// Decodes the item of a month. Entries of segments that have expired at `now` are left out.
    fn parse(item: Item, now: Timestamp) -> Result<Self, StoreError> {
        let mut index = Self::default();
        let texts = item.into_iter().filter_map(|(name, value)| match value {
            AttributeValue::S(text) => Some((name, text)),
            _ => None,
        });
        let (entries, others): (Vec<_>, Vec<_>) =
            texts.partition(|(name, _)| parse_attribute_name(name).is_some());
        for (name, text) in others {
            match name.as_str() {
                REVISION => index.revision = Some(text),
                MERGED => index.merged = parse_merged(&text),
                DUE_PARTITION_KEY => index.is_due = true,
                _ => {}
            }
        }
        let mut lines = EntryLines::default();
        for (name, text) in &entries {
            lines.push(name, text);
        }
        let digests = Family::MERGED.into_iter();
        index.digests = digests
            .filter_map(|family| Some((family, lines.digest(family)?)))
            .collect();
        for (name, text) in entries {
            if let Some(check) =
                parse_attribute_name(&name).filter(|check| kind_of(&text).expiry(check.day) > now)
            {
                index
                    .entries
                    .insert(check, parse_entry(&text).ok_or_else(unreadable)?);
            }
        }
        Ok(index)
    }
}

/// Returns when the segments of a month are to be merged after a write at `now`: once no check of the month is expected to write any
/// more, and not at the same time as those of all other entities.
fn merge_due_at(entity: &EntityId, month: Month, now: Timestamp) -> Timestamp {
    let spread = u64::from(crc32fast::hash(entity.as_str().as_bytes())) % MERGE_SPREAD.as_secs();
    let finished = month_is_finished_at(month) + Duration::from_secs(spread);
    finished.max(now + REMERGE_AFTER)
}

/// Returns the instant from which on no check of a month is expected to write facts any more.
fn month_is_finished_at(month: Month) -> Timestamp {
    month.last_day().plus_days(1).start() + MERGE_AFTER
}

impl Store {
    /// Writes index entries of one day in one update, after which the month's segments are to be merged again. Returns `false` if the month's index is not as it was read, or if the
    /// lease of the rereading that the entries result from is lost.
    pub async fn index_segments(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        day: Day,
        seen: &MonthIndex,
        entries: &BTreeMap<CheckKey, IndexEntry>,
        lease: Option<&RereadingLease>,
    ) -> Result<bool, StoreError> {
        let mut update = format!(
            "SET #{TTL_ATTRIBUTE} = :expires, #revision = :next, #{DUE_PARTITION_KEY} = :duePartition, #{DUE_SORT_KEY} = :dueSort"
        );
        // The last segment of the month can be a month younger than this one.
        let due = merge_due_at(entity, day.month(), self.clock.now());
        let expires = FactsKind::Final.expiry(day.plus_days(31));
        let mut bound = vec![
            (":expires".to_owned(), number_value(expires.ttl_seconds())),
            (":next".to_owned(), string_value(Uuid::new_v4())),
            (
                ":duePartition".to_owned(),
                string_value(DuePart::Months.partition(entity.as_str())),
            ),
            (
                ":dueSort".to_owned(),
                string_value(keys::due_sort(due, entity.as_str())),
            ),
        ];
        for (index, (check, entry)) in entries.iter().enumerate() {
            let name = attribute_name(*check);
            update.push_str(&format!(", #{name} = :e{index}"));
            bound.push((format!(":e{index}"), string_value(format_entry(entry))));
        }
        let condition = match &seen.revision {
            Some(revision) => {
                bound.push((":seen".to_owned(), string_value(revision)));
                "#revision = :seen OR #revision = :next"
            }
            None => "attribute_not_exists(#revision) OR #revision = :next",
        };
        let key = keys::fact_index(tenant, entity, day.month());
        let Some(lease) = lease else {
            let updated = self.update_one(&key, &update, condition, bound).await?;
            return Ok(updated.item().is_some());
        };
        let mut transaction = Transaction::default();
        transaction.update_bound(key, update, condition, bound);
        lease.require(&mut transaction);
        Ok(self.transact(transaction).await?.is_committed())
    }

    /// Reads the index entries of a month, strongly consistent. Those of segments that have expired are left out.
    pub async fn month_index(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        month: Month,
    ) -> Result<MonthIndex, StoreError> {
        let item = self.month_item(tenant, entity, month, true).await?;
        MonthIndex::parse(item.unwrap_or_default(), self.clock.now())
    }

    /// Reads the indexes of all months of an entity that are finished, the oldest first, as [`Self::month_index`] reads that of one.
    pub async fn finished_months(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
    ) -> Result<Vec<(Month, MonthIndex)>, StoreError> {
        let now = self.clock.now();
        let partition = keys::fact_index_partition(tenant, entity);
        let prefix = SortKeys::Prefix(keys::FACT_INDEX.to_owned());
        let items = self.query(&partition, prefix, STRONG).await?;
        let mut months = Vec::with_capacity(items.len());
        for item in items {
            let sort = item.get(SORT_KEY).and_then(|sort| sort.as_s().ok());
            let month = sort.and_then(|sort| Month::parse(sort.strip_prefix(keys::FACT_INDEX)?));
            if let Some(month) = month.filter(|month| month_is_finished_at(*month) <= now) {
                months.push((month, MonthIndex::parse(item, now)?));
            }
        }
        Ok(months)
    }

    /// Names merged segments in the index of a month, beside those that are named already, and the month is not due any more.
    /// Returns `false` if the index is not as it was read.
    pub async fn index_merged(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        month: Month,
        seen: &MonthIndex,
        merged: &BTreeMap<Family, SegmentRef>,
    ) -> Result<bool, StoreError> {
        let Some(revision) = &seen.revision else {
            return Ok(false);
        };
        let named = merged.iter().filter_map(|(family, segment)| {
            let (segment, of) = (*segment, *seen.digests.get(family)?);
            Some((*family, MergedSegment { segment, of }))
        });
        let all = seen.merged.clone().into_iter().chain(named).collect();
        let update = format!("SET #{MERGED} = :merged REMOVE #{DUE_PARTITION_KEY}, #{DUE_SORT_KEY}");
        let bound = vec![
            (":merged", string_value(format_merged(&all))),
            (":seen", string_value(revision)),
        ];
        let key = keys::fact_index(tenant, entity, month);
        let updated = self.update_one(&key, &update, "#revision = :seen", bound).await?;
        Ok(updated.item().is_some())
    }

    /// Postpones the merge of a month that is due.
    pub async fn postpone_merge(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        month: Month,
        until: Timestamp,
    ) -> Result<(), StoreError> {
        let key = keys::fact_index(tenant, entity, month);
        let update = format!("SET #{DUE_SORT_KEY} = :dueSort");
        let condition = format!("attribute_exists(#{DUE_PARTITION_KEY})");
        let bound = vec![(":dueSort", string_value(keys::due_sort(until, entity.as_str())))];
        self.update_one(&key, &update, &condition, bound).await?;
        Ok(())
    }
}
