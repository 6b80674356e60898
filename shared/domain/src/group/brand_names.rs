//! What brands and cited domains are called in a workspace.

use std::collections::BTreeMap;

use super::merged_brands::MergedBrands;
use crate::brand::{BrandUuid, of_domain, shown_domain};
use crate::entity::Entity;
use crate::id::EntityId;

/// A brand as a row shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrandLabel {
    /// The oldest tracking here.
    pub entity_id: Option<EntityId>,
    pub uuid: BrandUuid,
    /// The tracking's name, else the domain.
    pub name: String,
    /// In ASCII; empty for an individual without one.
    pub domain: String,
}

/// The names of the workspace's trackings, and the groups whose members are shown as their primary.
#[derive(Debug, Clone)]
pub struct BrandLabels {
    /// The oldest tracking of each brand.
    trackings: BTreeMap<BrandUuid, Entity>,
    /// Each member of a group with the primary and the domain that it is shown as.
    shown_as: BTreeMap<BrandUuid, (BrandUuid, Option<String>)>,
}

impl BrandLabels {
    /// `trackings` are the oldest of each brand.
    pub fn new(trackings: BTreeMap<BrandUuid, Entity>, merged: &[MergedBrands]) -> Self {
        let shown_as = merged.iter().flat_map(|merged| {
            let row = (merged.primary, merged.row_domain().map(str::to_owned));
            merged
                .members
                .iter()
                .map(move |member| (member.uuid, row.clone()))
        });
        Self {
            shown_as: shown_as.collect(),
            trackings,
        }
    }

    /// The oldest tracking of each brand; `entities` are the workspace's, oldest first.
    pub fn oldest(entities: Vec<Entity>) -> BTreeMap<BrandUuid, Entity> {
        let mut trackings = BTreeMap::new();
        for entity in entities {
            trackings.entry(entity.brand).or_insert(entity);
        }
        trackings
    }

    /// The brand that a cited domain is shown as: a member of the group as its primary.
    pub fn of_domain(&self, domain: &str) -> BrandLabel {
        self.of_brand(of_domain(domain), Some(domain))
    }

    /// The same of any brand; `domain` is its registrable domain.
    pub fn of_brand(&self, uuid: BrandUuid, domain: Option<&str>) -> BrandLabel {
        match self.shown_as.get(&uuid) {
            Some((primary, domain)) => BrandLabel::of(&self.trackings, *primary, domain.as_deref()),
            None => BrandLabel::of(&self.trackings, uuid, domain),
        }
    }
}

impl BrandLabel {
    /// A brand by the workspace's trackings, without regard to groups.
    pub fn of(trackings: &BTreeMap<BrandUuid, Entity>, uuid: BrandUuid, domain: Option<&str>) -> Self {
        let tracking = trackings.get(&uuid);
        let domain = domain.unwrap_or_default();
        Self {
            entity_id: tracking.map(|entity| entity.id.clone()),
            uuid,
            name: tracking.map_or_else(|| shown_domain(domain), |entity| entity.name.clone()),
            domain: domain.to_owned(),
        }
    }
}
