//! Reads entities.

use domain::entity::Entity;
use domain::id::EntityId;

use crate::items::{STRONG, SortKeys};
use crate::{Store, StoreError, Tenant, keys};

impl Store {
    /// Reads an entity, strongly consistent.
    pub async fn entity(&self, tenant: &Tenant, id: &EntityId) -> Result<Option<Entity>, StoreError> {
        let found = self.entity_or_deleted(tenant, id).await?;
        Ok(found.filter(|entity| entity.deleted_at.is_none()))
    }

    /// Reads an entity, even if it is deleted and not cleaned up yet, strongly consistent.
    pub async fn entity_or_deleted(
        &self,
        tenant: &Tenant,
        id: &EntityId,
    ) -> Result<Option<Entity>, StoreError> {
        self.get(&keys::entity(tenant, id), true).await
    }

    /// Lists the workspace's entities, oldest first, strongly consistent.
    pub async fn entities(&self, tenant: &Tenant) -> Result<Vec<Entity>, StoreError> {
        let partition = keys::workspace_partition(tenant);
        let mut found: Vec<Entity> = self
            .query_as(&partition, SortKeys::Prefix(keys::ENTITY.to_owned()), STRONG)
            .await?;
        found.retain(|entity| entity.deleted_at.is_none());
        found.sort_by(|a, b| (a.created_at, &a.id).cmp(&(b.created_at, &b.id)));
        Ok(found)
    }
}
