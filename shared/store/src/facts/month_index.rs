//! The index of a month's segments as it is changed.
//!
//! Every change of the entries is conditional on the revision that was read, so that the entries of a day
//! change together.

use std::collections::BTreeMap;

use aws_sdk_dynamodb::types::AttributeValue;
use domain::check_key::CheckKey;
use domain::id::EntityId;
use domain::time::{Day, Month, Timestamp};
use uuid::Uuid;

use super::FactsKind;
use super::index::{REVISION, attribute_name, parse_attribute_name, unreadable};
use super::index_entry::{IndexEntry, format_entry, kind_of, parse_entry};
use crate::expression::{number_value, string_value};
use crate::items::{Consistency, Item};
use crate::table::TTL_ATTRIBUTE;
use crate::transaction::Transaction;
use crate::{RereadingLease, Store, StoreError, Tenant, keys};

/// The index entries of a month as they were read, from which they can be changed.
#[derive(Debug, Clone, Default)]
pub struct MonthIndex {
    /// The item's revision, which every write changes. `None` if it has none.
    revision: Option<String>,
    pub entries: BTreeMap<CheckKey, IndexEntry>,
}

impl MonthIndex {
    /// Returns the entries of a day, by check.
    pub fn of_day(&self, day: Day) -> BTreeMap<CheckKey, IndexEntry> {
        let entries = self.entries.iter().filter(|(check, _)| check.day == day);
        entries.map(|(check, entry)| (*check, entry.clone())).collect()
    }

    /// Decodes the item of a month. Entries of segments that have expired at `now` are left out.
    fn parse(item: Item, now: Timestamp) -> Result<Self, StoreError> {
        let mut index = Self::default();
        for (name, value) in item {
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
}

impl Store {
    /// Writes index entries of one day in one update. Returns `false` if the month's index is not as it was
    /// read, or if the lease of the rereading that the entries result from is lost.
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
        transaction.update(&key, update, condition, bound);
        lease.require(&mut transaction);
        Ok(self.transact(transaction).await?.is_committed())
    }

    /// Reads the index entries of a month, strongly consistent. Those of segments that have expired are left
    /// out.
    pub async fn month_index(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        month: Month,
    ) -> Result<MonthIndex, StoreError> {
        let item = self
            .month_item(tenant, entity, month, Consistency::Strong)
            .await?;
        MonthIndex::parse(item.unwrap_or_default(), self.clock.now()) // A month without an item is empty.
    }
}
