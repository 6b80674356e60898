//! The index of a month's segments.
//!
//! It is one item with an attribute `d<day>c<check>` for each check. The values are short texts, so that a
//! month with many checks fits.

use std::collections::{BTreeSet, HashMap};

use aws_sdk_dynamodb::types::AttributeValue;
use domain::check_key::CheckKey;
use domain::family::Family;
use domain::id::EntityId;
use domain::ordinal::CheckNumber;
use domain::period::DateRange;
use domain::reading::Reading;
use domain::time::{Day, Month};
use futures::future::try_join_all;

use super::FactsKind;
use super::index_entry::{IndexEntry, kind_of, parse_entry, parse_reading, parse_segment, parts};
use super::segment_ref::SegmentRef;
use crate::items::{Consistency, Item, MAX_BATCH_KEYS};
use crate::keys::Key;
use crate::table::{PARTITION_KEY, SORT_KEY};
use crate::{Store, StoreError, Tenant, keys};

/// The attribute with the revision of the entries.
pub(super) const REVISION: &str = "revision";

/// The index entries of a date range, by day and check. An entry is decoded when it is accessed.
#[derive(Debug, Clone, Default)]
pub struct FactIndex {
    /// Ascending and distinct.
    entries: Vec<(CheckKey, String)>,
}

impl FactIndex {
    pub fn contains(&self, check: CheckKey) -> bool {
        self.entry(check).is_some()
    }

    /// Returns whether the index names the final facts of a check.
    pub fn contains_final(&self, check: CheckKey) -> bool {
        self.entry(check)
            .is_some_and(|text| kind_of(text) == FactsKind::Final)
    }

    fn entry(&self, check: CheckKey) -> Option<&String> {
        let index = self.entries.binary_search_by_key(&check, |(check, _)| *check);
        self.entries.get(index.ok()?).map(|(_, text)| text)
    }

    /// Removes the entries of checks that still run.
    #[must_use]
    pub fn without_interim(mut self) -> Self {
        self.entries.retain(|(_, text)| kind_of(text) == FactsKind::Final);
        self
    }

    /// Decodes the entries of every check, by day and check.
    pub fn checks(&self) -> Result<Vec<(CheckKey, IndexEntry)>, StoreError> {
        let decode = |(check, text): &(CheckKey, String)| Some((*check, parse_entry(text)?));
        self.entries
            .iter()
            .map(decode)
            .collect::<Option<_>>()
            .ok_or_else(unreadable)
    }

    /// Decodes the segments of one family, by day and check.
    pub fn segments_of(&self, family: Family) -> Result<Vec<(CheckKey, SegmentRef)>, StoreError> {
        let mut found = Vec::with_capacity(self.entries.len());
        for (check, text) in &self.entries {
            let segment = parts(text).find(|part| part.starts_with(family.letter()));
            if let Some(entry) = segment {
                let (_, segment) = parse_segment(entry).ok_or_else(unreadable)?;
                found.push((*check, segment));
            }
        }
        Ok(found)
    }

    /// Decodes how the answers of each check were read, by day and check.
    pub fn readings(&self) -> impl Iterator<Item = (CheckKey, Option<Reading>)> {
        // The segments come first.
        let reading_in = |text: &str| parts(text).rev().find_map(parse_reading);
        self.entries
            .iter()
            .map(move |(check, text)| (*check, reading_in(text)))
    }
}

impl Store {
    /// Reads the index entries of date ranges. The months are read concurrently.
    pub async fn fact_index(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        ranges: &[DateRange],
        consistency: Consistency,
    ) -> Result<FactIndex, StoreError> {
        let months = months_of(ranges).into_iter();
        let months = months.map(|month| self.month_item(tenant, entity, month, consistency));
        let mut index = FactIndex::default();
        for item in try_join_all(months).await?.into_iter().flatten() {
            self.add_entries(&mut index, item, ranges)?;
        }
        Ok(index)
    }

    /// Reads the index entries of several entities, each in its own date ranges, eventually consistent. The
    /// items are read in batches. The indexes have the order of `wanted`.
    pub async fn fact_indexes(
        &self,
        tenant: &Tenant,
        wanted: &[(&EntityId, Vec<DateRange>)],
    ) -> Result<Vec<FactIndex>, StoreError> {
        let key_of = |entity: &EntityId, month: Month| keys::fact_index(tenant, entity, month);
        let keys = wanted.iter().flat_map(|(entity, ranges)| {
            let months = months_of(ranges).into_iter();
            months.map(|month| key_of(entity, month)).collect::<Vec<Key>>()
        });
        let keys: Vec<Key> = keys.collect();
        let batches = keys.chunks(MAX_BATCH_KEYS);
        let batches = batches.map(|batch| self.batch_items(batch.to_vec(), Consistency::Eventual));
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
        let named = item
            .into_iter()
            .filter_map(|(name, value)| Some((parse_attribute_name(&name).filter(is_wanted)?, value)));
        let mut entries = Vec::new();
        for (check, value) in named {
            let AttributeValue::S(text) = value else {
                return Err(unreadable());
            };
            // The month's item outlives the segments of its first days, and interim segments.
            if kind_of(&text).expiry(check.day) > now {
                entries.push((check, text));
            }
        }
        // An item that no version writes can name a check twice, such as with a leading zero, or a check of
        // another month.
        index.entries.append(&mut entries);
        index.entries.sort_by_key(|(check, _)| *check);
        index.entries.dedup_by_key(|(check, _)| *check);
        Ok(())
    }

    pub(super) async fn month_item(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        month: Month,
        consistency: Consistency,
    ) -> Result<Option<Item>, StoreError> {
        self.get_item(&keys::fact_index(tenant, entity, month), consistency)
            .await
    }
}

fn months_of(ranges: &[DateRange]) -> BTreeSet<Month> {
    ranges.iter().flat_map(DateRange::months).collect()
}

pub(super) fn unreadable() -> StoreError {
    StoreError::Internal("an index entry cannot be read".to_owned())
}

/// Returns the name of a check's attribute in the index.
pub(super) fn attribute_name(CheckKey { day, check }: CheckKey) -> String {
    format!("d{}c{check}", day.0)
}

pub(super) fn parse_attribute_name(name: &str) -> Option<CheckKey> {
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
        let index = FactIndex {
            entries: [(key(1), ended), (key(2), running)].into(),
        };
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
            FactIndex {
                entries: entries
                    .map(|(text, check)| (key(check), (*text).to_owned()))
                    .collect(),
            }
        };
        let found = index(&entries[..2]).segments_of(Family::Fanouts).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].0, found[0].1.buckets, found[0].1.kb), (key(1), 3, 4));
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
