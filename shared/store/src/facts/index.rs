//! The index of a month's segments.
//!
//! It is one item with an attribute `d<day>c<check>` for each check. The values are short texts, so that a month with many checks
//! fits.

use std::collections::BTreeMap;

use aws_sdk_dynamodb::types::AttributeValue;
use domain::check_key::CheckKey;
use domain::facts::{Family, Revision};
use domain::id::EntityId;
use domain::ordinal::CheckNumber;
use domain::period::DateRange;
use domain::time::{Day, Month};

use super::segment_expiry;
use crate::expression::{number_value, string_value};
use crate::items::{Item, Updated};
use crate::table::TTL_ATTRIBUTE;
use crate::{Store, StoreError, Tenant, keys};

/// The index entry of one family's segment of one check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SegmentRef {
    pub rev: Revision,
    /// The number of parts; for links, the number of buckets.
    pub parts: usize,
    /// The size in KB.
    pub kb: usize,
}

/// The segments of one check, by family.
pub type CheckSegments = BTreeMap<Family, SegmentRef>;

/// The index entries of a date range, by day and check. An entry is decoded when it is accessed.
#[derive(Debug, Clone, Default)]
pub struct FactIndex(BTreeMap<CheckKey, String>);

impl FactIndex {
    pub fn contains(&self, check: CheckKey) -> bool {
        self.0.contains_key(&check)
    }

    /// Decodes the segments of every check, by day and check.
    pub fn checks(&self) -> Result<Vec<(CheckKey, CheckSegments)>, StoreError> {
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
}

impl Store {
    /// Adds a check's segments to the index of their month. They replace those that the index has of the check.
    pub async fn index_segments(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        check: CheckKey,
        segments: &CheckSegments,
    ) -> Result<(), StoreError> {
        let update = format!(
            "SET #{} = :entry, #{TTL_ATTRIBUTE} = :expires",
            attribute_name(check)
        );
        // The last segment of the month can be a month younger than this one.
        let expires = segment_expiry(check.day.plus_days(31));
        let bound = vec![
            (":entry", string_value(format_entry(segments))),
            (":expires", number_value(expires.ttl_seconds())),
        ];
        let key = keys::fact_index(tenant, entity, check.day.month());
        // The condition is always true, because an entry can be written again.
        let condition = "attribute_not_exists(PK) OR attribute_exists(PK)";
        match self.update_one(&key, &update, condition, bound).await? {
            Updated::Item(_) => Ok(()),
            Updated::ConditionFailed(_) => Err(StoreError::Internal("an index entry was refused".to_owned())),
        }
    }

    /// Replaces a check's segments in the index. Returns `false` if the index does not contain `before`.
    pub async fn replace_segments(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        check: CheckKey,
        before: &CheckSegments,
        after: &CheckSegments,
    ) -> Result<bool, StoreError> {
        let name = attribute_name(check);
        let (update, condition) = (
            format!("SET #{name} = :after"),
            format!("#{name} = :before OR #{name} = :after"),
        );
        let bound = vec![
            (":before", string_value(format_entry(before))),
            (":after", string_value(format_entry(after))),
        ];
        let key = keys::fact_index(tenant, entity, check.day.month());
        Ok(self
            .update_one(&key, &update, &condition, bound)
            .await?
            .item()
            .is_some())
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
            .map(|month| self.month_index(tenant, entity, month, strong));
        let now = self.clock.now();
        let mut index = FactIndex::default();
        for item in futures::future::try_join_all(months).await?.into_iter().flatten() {
            for (name, value) in item {
                // The month's item outlives the segments of its first days.
                let live = |day: Day| range.contains(day) && segment_expiry(day) > now;
                let Some(check) = parse_attribute_name(&name).filter(|check| live(check.day)) else {
                    continue;
                };
                let AttributeValue::S(text) = value else {
                    return Err(unreadable());
                };
                index.0.insert(check, text);
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

/// Encodes an entry. Each family is `<family's letter><rev>.<parts>.<kb>`, and a space separates the families.
fn format_entry(segments: &CheckSegments) -> String {
    let format_segment = |(family, segment): (&Family, &SegmentRef)| {
        format!(
            "{}{}.{}.{}",
            family.letter(),
            segment.rev,
            segment.parts,
            segment.kb
        )
    };
    segments.iter().map(format_segment).collect::<Vec<_>>().join(" ")
}

fn parse_entry(text: &str) -> Option<CheckSegments> {
    text.split(' ')
        .filter(|segment| !segment.is_empty())
        .map(parse_segment)
        .collect()
}

fn parse_segment(text: &str) -> Option<(Family, SegmentRef)> {
    let mut characters = text.chars();
    let family = Family::from_letter(characters.next()?)?;
    let mut parts = characters.as_str().splitn(3, '.');
    let segment = SegmentRef {
        rev: parts.next()?.parse().ok()?,
        parts: parts.next()?.parse().ok()?,
        kb: parts.next()?.parse().ok()?,
    };
    Some((family, segment))
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
    fn an_entry_reads_back_and_is_short() {
        let segment = |parts, kb| SegmentRef {
            rev: "0123456789ab".parse().unwrap(),
            parts,
            kb,
        };
        let all: CheckSegments = Family::ALL.map(|family| (family, segment(1, 350))).into();
        let written = format_entry(&all);
        assert_eq!(parse_entry(&written), Some(all));
        assert!(written.len() <= 110, "{written}");
        let one = CheckSegments::from([(Family::Links, segment(16, 0))]);
        assert_eq!(format_entry(&one), "l0123456789ab.16.0");
        assert_eq!(parse_entry(&format_entry(&one)), Some(one));
        assert_eq!(parse_entry(""), Some(CheckSegments::new()));
        let bad = [
            "x0123456789ab.1.1",
            "v0123.1.1",
            "v0123456789ab.1",
            "v",
            "v0123456789ab.1.x",
        ];
        for bad in bad {
            assert_eq!(parse_entry(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_family_is_found_among_others_and_a_damaged_entry_is_an_error() {
        let key = |check: u32| CheckKey {
            day: Day(20_000),
            check: check.into(),
        };
        let entries = [
            "v0123456789ab.1.2 f0123456789ac.3.4",
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
    }
}
