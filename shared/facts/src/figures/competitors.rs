//! An entity and the brands that answers name beside it.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use domain::brand::{Brand, BrandUuid};
use domain::entity::Entity;
use domain::group::{BrandLabel, BrandLabels};
use uuid::Uuid;

use crate::figures::BrandMentions;

/// A brand with its counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Competitor {
    pub label: BrandLabel,
    pub mentions: u64,
    pub citations: u64,
    /// Whether the row is the entity itself.
    pub is_own: bool,
}

/// Returns a row for the entity and for each other brand that is mentioned.
///
/// Rows are sorted by mentions and citations, highest first, then by domain and name. `known` contains the
/// workspace's brands, and `cited` the registrable domains with their numbers of citations, of which those of
/// other sites are left out.
pub fn competitors(
    entity: &Entity,
    names: &BrandLabels,
    known: &BTreeMap<BrandUuid, Brand>,
    mentions: &BrandMentions,
    cited: &[(String, u64)],
) -> Vec<Competitor> {
    let own = names.of_brand(entity.brand, entity.domain.as_deref());
    let own_uuid = own.uuid;
    let mut rows: BTreeMap<BrandUuid, Competitor> = BTreeMap::new();
    let mut add = |label: BrandLabel, mentions: u64| {
        let is_own = label.uuid == own_uuid;
        let row = rows.entry(label.uuid).or_insert(Competitor {
            label,
            mentions: 0,
            citations: 0,
            is_own,
        });
        row.mentions += mentions;
    };
    add(own, mentions.own);
    for brand in known.values() {
        if let Some(count) = mentions.others.get(&brand.ordinal) {
            add(names.of_brand(brand.uuid, brand.domain.as_deref()), *count);
        }
    }
    for (domain, count) in cited {
        if let Some(row) = rows.get_mut(&names.of_domain(domain).uuid) {
            row.citations += count;
        }
    }
    let mut rows: Vec<Competitor> = rows.into_values().collect();
    rows.sort_by(|a, b| sort_key(a).cmp(&sort_key(b)));
    rows
}

fn sort_key(row: &Competitor) -> (Reverse<u64>, Reverse<u64>, &str, &str, Uuid) {
    let BrandLabel {
        domain, name, uuid, ..
    } = &row.label;
    (Reverse(row.mentions), Reverse(row.citations), domain, name, *uuid)
}
