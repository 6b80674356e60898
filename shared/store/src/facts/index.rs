//! The index of a month: which segments there are.
//!
//! An attribute `d<day>c<check>` per check, one short text each: a month of many checks has to fit an item.

use std::collections::BTreeMap;

use aws_sdk_dynamodb::types::AttributeValue;
use domain::facts::Family;
use domain::id::EntityId;
use domain::period::Range;
use domain::time::{Day, Month};

use super::{Slot, segment_expiry};
use crate::expression::{n, s};
use crate::items::Item;
use crate::table::TTL_ATTRIBUTE;
use crate::{Store, StoreError, Tenant, keys};

/// One family's segment of one check, as the index names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SegmentRef {
    /// A hash of the content: writing it twice changes nothing.
    pub rev: String,
    /// Of links: buckets.
    pub parts: usize,
    pub kb: usize,
}

/// The segments of one check, by family.
pub type CheckSegments = BTreeMap<Family, SegmentRef>;

/// Where the segments of a range are: by day and check.
#[derive(Debug, Clone, Default)]
pub struct FactIndex(BTreeMap<Slot, CheckSegments>);

impl FactIndex {
    pub fn has(&self, day: Day, check: u32) -> bool {
        self.0.contains_key(&(day, check))
    }

    /// Every check, by day.
    pub fn checks(&self) -> impl Iterator<Item = (Slot, &CheckSegments)> {
        self.0.iter().map(|(slot, segments)| (*slot, segments))
    }

    /// The segments of one family, by day and check.
    pub fn of(&self, family: Family) -> impl Iterator<Item = (Slot, &SegmentRef)> {
        self.checks()
            .filter_map(move |(slot, segments)| Some((slot, segments.get(&family)?)))
    }
}

impl Store {
    /// Names the segments of a check in the month's index, in place of any that were named before.
    pub async fn index_segments(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        slot: Slot,
        segments: &CheckSegments,
    ) -> Result<(), StoreError> {
        let update = format!("SET #{} = :entry, #{TTL_ATTRIBUTE} = :expires", index_name(slot));
        // The month's last segment may be a month younger than this one.
        let expires = segment_expiry(slot.0.plus(31));
        let bound = vec![
            (":entry", s(entry(segments))),
            (":expires", n(expires.ttl_seconds())),
        ];
        let key = keys::fact_index(tenant, entity, slot.0.month());
        // Always true: an entry may be written again.
        let condition = "attribute_not_exists(PK) OR attribute_exists(PK)";
        let written = self.update_one(&key, &update, condition, bound).await?;
        written
            .map(|_| ())
            .map_err(|_| StoreError::Broken("an index entry was refused".to_owned()))
    }

    /// Names other segments of a check in place of `before`. `false`: those are no longer what is named.
    pub async fn switch_segments(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        slot: Slot,
        before: &CheckSegments,
        after: &CheckSegments,
    ) -> Result<bool, StoreError> {
        let name = index_name(slot);
        let (update, condition) = (
            format!("SET #{name} = :after"),
            format!("#{name} = :before OR #{name} = :after"),
        );
        let bound = vec![(":before", s(entry(before))), (":after", s(entry(after)))];
        let key = keys::fact_index(tenant, entity, slot.0.month());
        Ok(self.update_one(&key, &update, &condition, bound).await?.is_ok())
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
                let segments = match &value {
                    AttributeValue::S(text) => read_entry(text),
                    _ => None,
                };
                let segments = segments.ok_or_else(|| StoreError::unreadable("an index entry", &name))?;
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
        self.get_item(&keys::fact_index(tenant, entity, month), strong)
            .await
    }
}

/// `<family's letter><rev>.<parts>.<kb>`, with a space between families.
fn entry(segments: &CheckSegments) -> String {
    let one = |(family, segment): (&Family, &SegmentRef)| {
        format!(
            "{}{}.{}.{}",
            family.letter(),
            segment.rev,
            segment.parts,
            segment.kb
        )
    };
    segments.iter().map(one).collect::<Vec<_>>().join(" ")
}

fn read_entry(text: &str) -> Option<CheckSegments> {
    let one = |text: &str| {
        let mut characters = text.chars();
        let family = Family::of_letter(characters.next()?)?;
        let mut parts = characters.as_str().splitn(3, '.');
        let segment = SegmentRef {
            rev: parts.next()?.to_owned(),
            parts: parts.next()?.parse().ok()?,
            kb: parts.next()?.parse().ok()?,
        };
        Some((family, segment))
    };
    text.split(' ').filter(|part| !part.is_empty()).map(one).collect()
}

/// The attribute of the month's index that names a check's segments.
fn index_name((day, check): Slot) -> String {
    format!("d{}c{check}", day.0)
}

fn index_slot(name: &str) -> Option<Slot> {
    let (day, check) = name.strip_prefix('d')?.split_once('c')?;
    Some((Day(day.parse().ok()?), check.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_reads_back_and_is_short() {
        let segment = |parts, kb| SegmentRef {
            rev: "0123456789ab".to_owned(),
            parts,
            kb,
        };
        let all: CheckSegments = Family::ALL.map(|family| (family, segment(1, 350))).into();
        let written = entry(&all);
        assert_eq!(read_entry(&written), Some(all));
        assert!(written.len() <= 110, "{written}");
        let one = CheckSegments::from([(Family::Links, segment(16, 0))]);
        assert_eq!(entry(&one), "l0123456789ab.16.0");
        assert_eq!(read_entry(&entry(&one)), Some(one));
        assert_eq!(read_entry(""), Some(CheckSegments::new()));
        for bad in ["x0123.1.1", "v0123.1", "v", "v0123.1.x"] {
            assert_eq!(read_entry(bad), None, "{bad}");
        }
    }
}
