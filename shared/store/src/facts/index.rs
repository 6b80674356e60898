//! The index of a month's segments.
//!
//! It is one item with an attribute `d<day>c<check>` for each check. The values are short texts, so that a month with many checks
//! fits. Every change of the item is conditional on the revision that was read, so that the entries of a day change together.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use aws_sdk_dynamodb::types::AttributeValue;
use domain::check_key::CheckKey;
use domain::facts::Family;
use domain::id::EntityId;
use domain::ordinal::CheckNumber;
use domain::period::DateRange;
use domain::reading::Reading;
use domain::time::{Day, Month};
use futures::future::try_join_all;
use uuid::Uuid;

use super::FactsKind;
use super::index_entry::{IndexEntry, format_entry, kind_of, parse_entry, parse_reading, parse_segment};
use super::segment_ref::SegmentRef;
use crate::expression::{number_value, string_value};
use crate::items::{Item, MAX_BATCH_KEYS};
use crate::keys::Key;
use crate::table::{PARTITION_KEY, SORT_KEY, TTL_ATTRIBUTE};
use crate::transaction::Transaction;
use crate::{RereadingLease, Store, StoreError, Tenant, keys};

/// The attribute with the revision of the item.
const REVISION: &str = "revision";
/// The index entries of a date range, by day and check. An entry is decoded when it is accessed.
#[derive(Debug, Clone, Default)]
pub struct FactIndex(BTreeMap<CheckKey, String>);

/// The index entries of a month as they were read, from which they can be changed.
#[derive(Debug, Clone, Default)]
pub struct MonthIndex {
    /// The item's revision, which every write changes. `None` if it has none.
    revision: Option<String>,
    pub entries: BTreeMap<CheckKey, IndexEntry>,
}

impl FactIndex {
    pub fn contains(&self, check: CheckKey) -> bool {
        self.0.contains_key(&check)
    }

    /// Returns whether the index names the final facts of a check.
    pub fn contains_final(&self, check: CheckKey) -> bool {
        self.0
            .get(&check)
            .is_some_and(|text| kind_of(text) == FactsKind::Final)
    }

    /// Adds the entries of another range.
    #[must_use]
    pub fn merge(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// Removes the entries of checks that still run.
    #[must_use]
    pub fn without_interim(mut self) -> Self {
        self.0.retain(|_, text| kind_of(text) == FactsKind::Final);
        self
    }

    /// Decodes the entries of every check, by day and check.
    pub fn checks(&self) -> Result<Vec<(CheckKey, IndexEntry)>, StoreError> {
        let decode = |(check, text): (&CheckKey, &String)| Some((*check, parse_entry(text)?));
        self.0
            .iter()
            .map(decode)
            .collect::<Option<_>>()
            .ok_or_else(unreadable)
    }

    /// Decodes the segments of one family, by day and check.
    pub fn segments_of(&self, family: Family) -> Result<Vec<(CheckKey, SegmentRef)>, StoreError> {
        let mut found = Vec::with_capacity(self.0.len());
        for (check, text) in &self.0 {
            let mut entries = text.split(' ').filter(|entry| entry.starts_with(family.letter()));
            if let Some(entry) = entries.next() {
                let (_, segment) = parse_segment(entry).ok_or_else(unreadable)?;
                found.push((*check, segment));
            }
        }
        Ok(found)
    }

    /// Decodes how the answers of each check were read, by day and check.
    pub fn readings(&self) -> impl Iterator<Item = (CheckKey, Option<Reading>)> {
        let reading_in = |text: &str| text.split(' ').find_map(parse_reading);
        self.0.iter().map(move |(check, text)| (*check, reading_in(text)))
    }
}

impl MonthIndex {
    /// Returns the entries of a day, by check.
    pub fn of_day(&self, day: Day) -> BTreeMap<CheckKey, IndexEntry> {
        let entries = self.entries.iter().filter(|(check, _)| check.day == day);
        entries.map(|(check, entry)| (*check, entry.clone())).collect()
    }
}

impl Store {
    /// Writes index entries of one day in one update. Returns `false` if the month's index is not as it was read, or if the
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
        let mut update = format!("SET #{TTL_ATTRIBUTE} = :expires, #revision = :next");
        // The last segment of the month can be a month younger than this one.
        let expires = FactsKind::Final.expiry(day.plus_days(31));
        let mut bound = vec![
            (":expires".to_owned(), number_value(expires.ttl_seconds())),
            (":next".to_owned(), string_value(Uuid::new_v4())),
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
        let now = self.clock.now();
        let mut index = MonthIndex::default();
        for (name, value) in self
            .month_item(tenant, entity, month, true)
            .await?
            .unwrap_or_default()
        {
            let AttributeValue::S(text) = value else {
                continue;
            };
            if name == REVISION {
                index.revision = Some(text);
            } else if let Some(check) =
                parse_attribute_name(&name).filter(|check| kind_of(&text).expiry(check.day) > now)
            {
                index
                    .entries
                    .insert(check, parse_entry(&text).ok_or_else(unreadable)?);
            }
        }
        Ok(index)
    }

    /// Reads the index entries of a date range. The months are read concurrently.
    pub async fn fact_index(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        range: &DateRange,
        strong: bool,
    ) -> Result<FactIndex, StoreError> {
        let months = range
            .months()
            .map(|month| self.month_item(tenant, entity, month, strong));
        let mut index = FactIndex::default();
        for item in try_join_all(months).await?.into_iter().flatten() {
            self.add_entries(&mut index, item, std::slice::from_ref(range))?;
        }
        Ok(index)
    }

    /// Reads the index entries of several entities, each in its own date ranges, eventually consistent. The items are read in
    /// batches. The indexes have the order of `wanted`.
    pub async fn fact_indexes(
        &self,
        tenant: &Tenant,
        wanted: &[(&EntityId, Vec<DateRange>)],
    ) -> Result<Vec<FactIndex>, StoreError> {
        let months_of =
            |ranges: &[DateRange]| -> BTreeSet<Month> { ranges.iter().flat_map(DateRange::months).collect() };
        let key_of = |entity: &EntityId, month: Month| keys::fact_index(tenant, entity, month);
        let keys = wanted.iter().flat_map(|(entity, ranges)| {
            let months = months_of(ranges).into_iter();
            months.map(|month| key_of(entity, month)).collect::<Vec<Key>>()
        });
        let keys: Vec<Key> = keys.collect();
        let batches = keys.chunks(MAX_BATCH_KEYS);
        let batches = batches.map(|batch| self.batch_items(batch.to_vec(), false));
        let mut items: HashMap<(String, String), Item> = HashMap::new();
        for item in try_join_all(batches).await?.into_iter().flatten() {
            let key = |name: &str| item.get(name)?.as_s().ok().cloned();
            if let Some(key) = key(PARTITION_KEY).zip(key(SORT_KEY)) {
                items.insert(key, item);
            }
        }
        let index_of = |(entity, ranges): &(&EntityId, Vec<DateRange>)| {
            let mut index = FactIndex::default();
            for month in months_of(ranges) {
                let Key { pk, sk } = key_of(entity, month);
                if let Some(item) = items.remove(&(pk, sk)) {
                    self.add_entries(&mut index, item, ranges)?;
                }
            }
            Ok(index)
        };
        wanted.iter().map(index_of).collect()
    }

    /// Adds those entries of a month's item to an index that are in one of the ranges.
    fn add_entries(&self, index: &mut FactIndex, item: Item, ranges: &[DateRange]) -> Result<(), StoreError> {
        let now = self.clock.now();
        let is_wanted = |check: &CheckKey| ranges.iter().any(|range| range.contains(check.day));
        for (name, value) in item {
            let Some(check) = parse_attribute_name(&name).filter(is_wanted) else {
                continue;
            };
            let AttributeValue::S(text) = value else {
                return Err(unreadable());
            };
            // The month's item outlives the segments of its first days, and interim segments.
            if kind_of(&text).expiry(check.day) > now {
                index.0.insert(check, text);
            }
        }
        Ok(())
    }

    async fn month_item(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        month: Month,
        strong: bool,
    ) -> Result<Option<Item>, StoreError> {
        self.get_item(&keys::fact_index(tenant, entity, month), strong)
            .await
    }
}

fn unreadable() -> StoreError {
    StoreError::Internal("an index entry cannot be read".to_owned())
}

/// Returns the name of a check's attribute in the index.
fn attribute_name(CheckKey { day, check }: CheckKey) -> String {
    format!("d{}c{check}", day.0)
}

fn parse_attribute_name(name: &str) -> Option<CheckKey> {
    let (day, check) = name.strip_prefix('d')?.split_once('c')?;
    Some(CheckKey {
        day: Day(day.parse().ok()?),
        check: CheckNumber::new(check.parse().ok()?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_entry_of_a_running_check_is_told_from_those_of_checks_that_have_ended() {
        let key = |check: u32| CheckKey {
            day: Day(20_000),
            check: check.into(),
        };
        let ended = "v0123456789ab.1.2 @0123456789ae !".to_owned();
        let running = "v0123456789ab.1.2 @0123456789ae ~".to_owned();
        let index = FactIndex([(key(1), ended), (key(2), running)].into());
        assert!(index.contains(key(1)) && index.contains_final(key(1)));
        assert!(index.contains(key(2)) && !index.contains_final(key(2)));
        assert!(!index.contains(key(3)) && !index.contains_final(key(3)));
        let kinds: Vec<FactsKind> = index
            .checks()
            .unwrap()
            .iter()
            .map(|(_, entry)| entry.kind())
            .collect();
        assert_eq!(kinds, [FactsKind::Final, FactsKind::Interim]);
        let ended = index.without_interim();
        assert!(ended.contains(key(1)) && !ended.contains(key(2)));
    }

    #[test]
    fn a_family_is_found_among_others_and_a_damaged_entry_is_an_error() {
        let key = |check: u32| CheckKey {
            day: Day(20_000),
            check: check.into(),
        };
        let entries = [
            "v0123456789ab.1.2 f0123456789ac.3.4 @0123456789ae",
            "v0123456789ad.1.1",
            "f0.1.1",
            "",
        ];
        let index = |entries: &[&str]| {
            let entries = entries.iter().zip(1..);
            FactIndex(
                entries
                    .map(|(text, check)| (key(check), (*text).to_owned()))
                    .collect(),
            )
        };
        let found = index(&entries[..2]).segments_of(Family::Fanouts).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].0, found[0].1.parts, found[0].1.kb), (key(1), 3, 4));
        assert_eq!(
            index(&entries[..2])
                .segments_of(Family::Visibility)
                .unwrap()
                .len(),
            2
        );
        assert!(
            index(&entries[3..])
                .segments_of(Family::Visibility)
                .unwrap()
                .is_empty()
        );
        assert!(index(&entries).segments_of(Family::Visibility).is_ok());
        assert!(index(&entries).segments_of(Family::Fanouts).is_err());
        assert!(index(&entries).checks().is_err());
        assert_eq!(index(&entries[..2]).checks().unwrap().len(), 2);
        let readings: Vec<_> = index(&entries).readings().map(|(_, reading)| reading).collect();
        assert_eq!(
            readings,
            [Some("0123456789ae".parse().unwrap()), None, None, None]
        );
    }
}
