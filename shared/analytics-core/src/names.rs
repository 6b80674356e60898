//! What brands and cited domains are called in this workspace, as it is stored.

use std::collections::BTreeMap;

use api::ApiError;
use domain::brand::BrandUuid;
use domain::entity::Entity;
use domain::group::Names;
use domain::id::EntityId;
use domain::period::Range;
use store::{Store, StoreError, Tenant};

use crate::filters::Filters;
use crate::scope::Scope;

/// The workspace's oldest tracking of each brand.
pub async fn trackings(store: &Store, tenant: &Tenant) -> Result<BTreeMap<BrandUuid, Entity>, StoreError> {
    Ok(Names::oldest(store.entities(tenant).await?))
}

impl Scope {
    /// What counts as the entity, and what its rows are called, read side by side. 404 if there is no such entity.
    pub async fn with_names(
        (store, tenant): (&Store, &Tenant),
        id: &EntityId,
        range: &Range,
        filters: &Filters,
    ) -> Result<(Self, Names), ApiError> {
        let (scope, trackings) = tokio::try_join!(Self::read(store, tenant, id, range, filters), async {
            Ok(trackings(store, tenant).await?)
        })?;
        let names = Names::new(trackings, &scope.merged);
        Ok((scope, names))
    }
}
