//! The brands of a workspace. The ordinal of a brand never changes, because facts store it.

use std::collections::BTreeMap;

use domain::brand::{Brand, BrandUuid};
use domain::check::PlanBrand;
use domain::entity::Entity;
use domain::ordinal::BrandOrdinal;
use uuid::Uuid;

use crate::items::{Consistency, to_item};
use crate::transaction::Transaction;
use crate::{Store, StoreError, Tenant, keys};

impl Store {
    pub(crate) async fn brand(&self, tenant: &Tenant, brand: Uuid) -> Result<Option<Brand>, StoreError> {
        self.get(&keys::brand(tenant, brand), Consistency::Strong).await
    }

    /// Lists the brands that the workspace tracks or groups, or has done so, strongly consistent.
    pub async fn brands(&self, tenant: &Tenant) -> Result<BTreeMap<BrandUuid, Brand>, StoreError> {
        let partition = keys::workspace_partition(tenant);
        let found: Vec<Brand> = self.list(&partition, keys::BRAND).await?;
        Ok(found.into_iter().map(|brand| (brand.uuid, brand)).collect())
    }

    /// Returns the brands that a check of this workspace would look for now, strongly consistent.
    pub async fn current_brands(&self, tenant: &Tenant) -> Result<Vec<PlanBrand>, StoreError> {
        self.brands_to_match(tenant, None).await
    }

    /// Returns the brands that a check of this workspace looks for, including that of the entity `new`.
    pub(crate) async fn brands_to_match(
        &self,
        tenant: &Tenant,
        new: Option<&Entity>,
    ) -> Result<Vec<PlanBrand>, StoreError> {
        let (mut entities, brands) = tokio::try_join!(self.entities(tenant), self.brands(tenant))?;
        entities.extend(new.cloned());
        Ok(plan_brands(&entities, brands.values()))
    }
}

/// Adds a new or changed brand to a transaction. Its condition fails if the revision is not the one that was
/// read.
pub(crate) fn replace_brand(
    transaction: &mut Transaction,
    tenant: &Tenant,
    mut brand: Brand,
) -> Result<usize, StoreError> {
    let read = brand.revision;
    brand.revision += 1;
    Ok(transaction.replace(to_item(&keys::brand(tenant, brand.uuid), &brand)?, read))
}

/// Returns the brands that a check looks for: those that the workspace tracks and the members of its groups.
/// The oldest entity of a brand provides its name, and the names and aliases of the others are aliases. A
/// member that is not tracked is named after its domain.
pub fn plan_brands<'a>(entities: &[Entity], known_brands: impl Iterator<Item = &'a Brand>) -> Vec<PlanBrand> {
    let mut brands: BTreeMap<BrandOrdinal, PlanBrand> = BTreeMap::new();
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
    for member in known_brands.filter(|brand| brand.group.is_some()) {
        let Some(name) = member.fallback_name() else {
            continue;
        };
        brands.entry(member.ordinal).or_insert_with(|| PlanBrand {
            ordinal: member.ordinal,
            name,
            aliases: Vec::new(),
            domain: member.domain.clone(),
        });
    }
    brands.into_values().collect()
}
