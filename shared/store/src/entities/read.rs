//! Reads entities.

use std::collections::HashMap;

use domain::entity::Entity;
use domain::id::EntityId;

use crate::items::Consistency;
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
        self.get(&keys::entity(tenant, id), Consistency::Strong).await
    }

    /// Reads up to 100 entities of any workspaces, even if they are deleted and not cleaned up yet, strongly
    /// consistent.
    pub async fn entities_by_id(
        &self,
        ids: Vec<(&Tenant, &EntityId)>,
    ) -> Result<HashMap<EntityId, Entity>, StoreError> {
        let keys = ids.into_iter().map(|(tenant, id)| keys::entity(tenant, id));
        let found: Vec<Entity> = self.batch_get(keys.collect()).await?;
        Ok(found.into_iter().map(|entity| (entity.id, entity)).collect())
    }

    /// Lists the workspace's entities, oldest first, strongly consistent.
    pub async fn entities(&self, tenant: &Tenant) -> Result<Vec<Entity>, StoreError> {
        let partition = keys::workspace_partition(tenant);
        let mut found: Vec<Entity> = self.list(&partition, keys::ENTITY).await?;
        found.retain(|entity| entity.deleted_at.is_none());
        found.sort_by(|a, b| (a.created_at, &a.id).cmp(&(b.created_at, &b.id)));
        Ok(found)
    }
}
