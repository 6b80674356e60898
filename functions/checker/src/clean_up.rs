//! `EntityDeleted`: ends what is left of a deleted entity. May run twice, even at once.

use domain::check::CheckState;
use domain::entity::{Entity, Running};
use domain::id::EntityId;
use store::{Finish, Tenant};

use crate::finish::credits_used;
use crate::{Checker, CheckerError};

impl Checker {
    pub(crate) async fn clean_up(&self, tenant: &Tenant, id: &EntityId) -> Result<(), CheckerError> {
        let Some(entity) = self.deleted(tenant, id).await? else {
            return Ok(());
        };
        if let Some(running) = &entity.running {
            self.end(tenant, id, running).await?;
        }
        self.store.expire_children(tenant, id).await?;
        // Ending the check has changed the entity.
        if let Some(entity) = self.deleted(tenant, id).await?
            && self.store.forget_entity(tenant, entity).await?
        {
            tracing::info!("a deleted entity is cleaned up");
        }
        Ok(())
    }

    async fn deleted(&self, tenant: &Tenant, id: &EntityId) -> Result<Option<Entity>, CheckerError> {
        let entity = self.store.entity_or_deleted(tenant, id).await?;
        Ok(entity.filter(|entity| entity.deleted_at.is_some()))
    }

    /// Ends the check of a deleted entity: nothing more is asked, and what was answered is paid.
    async fn end(&self, tenant: &Tenant, id: &EntityId, running: &Running) -> Result<(), CheckerError> {
        let check = self.store.check(tenant, id, running.check).await?;
        let plan = self.store.plan(tenant, id, running.check).await?;
        let (Some(check), Some(plan)) = (check, plan) else {
            return Ok(self.store.abandon_check(tenant, id, running.check).await?);
        };
        let now = self.clock.now();
        for shard in 0..plan.shards() {
            self.store
                .close_shard(tenant, id, check.check, shard, now)
                .await?;
        }
        let answers = self
            .store
            .responses_of(tenant, id, check.day(), check.check)
            .await?;
        let finish = Finish {
            state: CheckState::Partial,
            used: credits_used(&plan, &answers),
            problems: Vec::new(),
        };
        self.end_check(tenant, id, &check, &finish, &answers).await
    }
}
