//! Deletes an entity. Clients no longer find it from then on, and its items are erased in the background.

use domain::entity::Entity;
use domain::id::EntityId;

use super::target::uniqueness_key;
use super::write::replace_entity;
use crate::expression::number_value;
use crate::groups::write::detach_tracking;
use crate::refusal::require_subscription;
use crate::rereading::names_changed;
use crate::retry::Attempt;
use crate::transaction::Transaction;
use crate::{Refusal, Resource, Store, StoreError, Tenant, WriteError, keys};

impl Store {
    /// Deletes an entity and makes it due for its cleanup. The entity and its children are no longer found
    /// and do not count against the limits. If it was the last tracking of its brand, the brand leaves its
    /// group, and groups that are no longer valid are deleted.
    pub async fn delete_entity(&self, tenant: &Tenant, id: &EntityId) -> Result<(), WriteError<Refusal>> {
        let attempt = || async {
            let (entity, workspace) = tokio::try_join!(self.entity(tenant, id), self.workspace(tenant))?;
            let (entity, workspace) = entity.zip(workspace).ok_or(Refusal::NotFound(Resource::Entity))?;
            require_subscription(Some(workspace), self.clock.now())?;
            Ok(self.try_to_delete(tenant, entity).await?)
        };
        self.retry_on_conflict("the entity", attempt).await
    }

    async fn try_to_delete(&self, tenant: &Tenant, mut entity: Entity) -> Result<Attempt<()>, StoreError> {
        // The groups are read after the entity and the brands after the groups, so that no group or member is
        // missing.
        let groups = self.groups(tenant).await?;
        let brands = self.brands(tenant).await?;
        let now = self.clock.now();
        let mut transaction = Transaction::default();
        let Some(freed) = detach_tracking(&mut transaction, tenant, &entity, &groups, &brands, now)? else {
            return Ok(Attempt::Retry);
        };
        transaction.update_workspace(
            tenant,
            "SET #entitiesUsed = #entitiesUsed - :freed, #promptsUsed = #promptsUsed - :prompts",
            "#entitiesUsed >= :freed AND #promptsUsed >= :prompts",
            vec![
                (":freed", number_value(freed)),
                (":prompts", number_value(entity.prompts)),
            ],
        );
        transaction.delete(&keys::target(tenant, &uniqueness_key(&entity)?));
        names_changed(&mut transaction, tenant, now);
        entity.deleted_at = Some(now);
        entity.next_check_at = None;
        replace_entity(&mut transaction, tenant, entity)?;
        Ok(self.transact(transaction).await?.done_or_retry(()))
    }
}
