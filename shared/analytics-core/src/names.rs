//! The names of brands in a workspace.

use std::collections::BTreeMap;

use domain::brand::BrandUuid;
use domain::entity::Entity;
use domain::group::BrandLabels;
use store::{Store, StoreError, Tenant};

/// Reads the workspace's oldest entity of each brand.
pub async fn entities_by_brand(
    store: &Store,
    tenant: &Tenant,
) -> Result<BTreeMap<BrandUuid, Entity>, StoreError> {
    Ok(BrandLabels::oldest(store.entities(tenant).await?))
}
