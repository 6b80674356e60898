//! Brands as a workspace knows them. A brand keeps its number for ever, because facts store it.

use std::collections::BTreeMap;

use domain::check::PlanBrand;
use domain::entity::Entity;
use domain::id::GroupId;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::expression::n;
use crate::items::to_item;
use crate::transaction::Transaction;
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
    /// The group that the brand is a member of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) group: Option<GroupId>,
    /// Counts towards the workspace's entities without being tracked: a non-primary member of a group.
    #[serde(default)]
    pub(crate) counts_as_used: bool,
    /// Counts the changes of this record; 0 is a brand that is not there yet.
    #[serde(default)]
    pub(crate) revision: u32,
}

impl Brand {
    /// A brand that the workspace does not know yet.
    pub(crate) fn new(uuid: Uuid, ordinal: u32, domain: Option<String>) -> Self {
        Self {
            uuid,
            ordinal,
            domain,
            trackings: Vec::new(),
            group: None,
            counts_as_used: false,
            revision: 0,
        }
    }
}

impl Store {
    pub(crate) async fn brand(&self, tenant: &Tenant, brand: Uuid) -> Result<Option<Brand>, StoreError> {
        self.get(&keys::brand(tenant, brand), true).await
    }

    /// The brands that a check of this workspace knows, `new` among them.
    pub(crate) async fn brands_to_match(
        &self,
        tenant: &Tenant,
        new: Option<&Entity>,
    ) -> Result<Vec<PlanBrand>, StoreError> {
        let mut entities = self.entities(tenant).await?;
        entities.extend(new.cloned());
        Ok(known_brands(&entities))
    }
}

/// Adds a new or changed brand to a transaction; it fails if the item is no longer at the revision that was read.
pub(crate) fn replace_brand(
    transaction: &mut Transaction,
    tenant: &Tenant,
    mut brand: Brand,
) -> Result<usize, StoreError> {
    let (seen, key) = (brand.revision, keys::brand(tenant, brand.uuid));
    brand.revision += 1;
    let item = to_item(&key, &brand)?;
    Ok(match seen {
        0 => transaction.create(item),
        seen => transaction.put(item, "#revision = :seen", vec![(":seen", n(seen))]),
    })
}

/// The brands that a check of this workspace knows: those it tracks. The oldest tracking gives the name;
/// names and aliases of the others are aliases.
fn known_brands(entities: &[Entity]) -> Vec<PlanBrand> {
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
