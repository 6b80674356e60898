//! Brands as a workspace knows them. A brand keeps its number for ever, because facts store it.

use std::collections::BTreeMap;

use domain::check::PlanBrand;
use domain::entity::Entity;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Store, StoreError, Tenant, keys};

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Brand {
    pub(crate) uuid: Uuid,
    pub(crate) ordinal: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) domain: Option<String>,
    /// Ids of the entities that track it here.
    #[serde(default)]
    pub(crate) trackings: Vec<String>,
}

impl Store {
    pub(crate) async fn brand(&self, tenant: &Tenant, brand: Uuid) -> Result<Option<Brand>, StoreError> {
        self.get(&keys::brand(tenant, brand), true).await
    }
}

/// The brands that a check of this workspace knows: those it tracks. The oldest tracking gives the name;
/// names and aliases of the others are aliases.
pub(crate) fn known_brands(entities: &[Entity]) -> Vec<PlanBrand> {
    let mut brands: BTreeMap<u32, PlanBrand> = BTreeMap::new();
    for entity in entities {
        let brand = brands.entry(entity.brand_ordinal).or_insert_with(|| PlanBrand {
            ordinal: entity.brand_ordinal,
            name: entity.name.clone(),
            aliases: Vec::new(),
            domain: entity.domain.clone(),
        });
        for name in std::iter::once(&entity.name).chain(&entity.aliases) {
            if *name != brand.name && !brand.aliases.contains(name) {
                brand.aliases.push(name.clone());
            }
        }
    }
    brands.into_values().collect()
}
